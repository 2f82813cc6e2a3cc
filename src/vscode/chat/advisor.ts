import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { DEFAULT_AGENT } from '../../core/capabilities/world.ts';
import type { TurnEnd } from '../../core/chat/turn.ts';
import type { CommandId } from '../manifest.ts';
import { converse } from './conversation.ts';
import type { OwnChats } from './own-chats.ts';

const GROUP = 'upgrade_advisor_tools';
const SKILL = 'post-upgrade-advisor';

interface Advice {
  readonly app: App;
  readonly chats: OwnChats;
  readonly request: vscode.ChatRequest;
  readonly stream: vscode.ChatResponseStream;
}

/**
 * Has the model report what this version means for the workspace: on a thread of its own, onto which the private tools are
 * pinned. The report can then be opened.
 */
export async function advise({ app, ...chat }: Advice, signal: AbortSignal): Promise<TurnEnd> {
  const { version } = await app.advisor.news(undefined, signal);
  const thread = `upgrade_advisor_${version}_${randomUUID()}`;
  await app.capabilities.pin({ thread, agent: DEFAULT_AGENT, groups: [GROUP], skills: [SKILL] }, signal);
  const prompt = await app.advisor.instructions(undefined, signal);
  // The editor knows this chat under another id, so the calls go past it.
  const end = await converse({ app, ...chat, thread, isKnown: false, prompt, pinned: GROUP }, signal);
  const { report, path } = await app.advisor.news(undefined, signal);
  if (report) {
    const title = vscode.l10n.t('Open Report');
    chat.stream.button({ command: 'vscode.open', title, arguments: [vscode.Uri.file(path)] });
  }
  await app.advisor.markSeen(undefined);
  return end;
}

/** Starts a chat in which the advisor reports on this version. */
export async function startAdvisor(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  await vscode.commands.executeCommand('workbench.action.chat.open', { query: '@loci /whatsnew' });
}

/** Offers the report once after an update, never on a first installation, and only where the person wants to hear of it. */
export async function offerAdvisor(app: App): Promise<void> {
  const { isNew, seen, version } = await app.advisor.news(undefined);
  if (!isNew) return;
  await app.advisor.markSeen(undefined);
  if (seen === null || !app.host.settings()['whatsNew.notify']) return;
  const show = vscode.l10n.t('What’s New for This Workspace');
  const answer = await vscode.window.showInformationMessage(vscode.l10n.t('Loci was updated to {0}.', version), show);
  if (answer === show) await vscode.commands.executeCommand('loci.whatsNew' satisfies CommandId);
}
