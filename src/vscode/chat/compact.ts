import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import type { LatestChat } from '../views/latest-chat.ts';

/**
 * Has the editor run /compact in a chat for which that was asked. The editor puts a prompt that comes while the chat is
 * answering in its queue, so it runs when the turn ends. It goes to the chat that the person has in front, hence only to
 * the chat that asks itself; for another one the person is told.
 */
export function compactOnRequest(app: App, chat: LatestChat, report: (error: unknown) => void): void {
  app.on('compact', ({ thread }) => {
    const asked =
      thread === chat.thread
        ? vscode.commands.executeCommand('workbench.action.chat.open', { query: '/compact', preserveInput: true })
        : vscode.window.showInformationMessage(
            vscode.l10n.t('An agent asks to compact another chat. Open that chat and enter /compact.'),
          );
    asked.then(undefined, report);
  });
}
