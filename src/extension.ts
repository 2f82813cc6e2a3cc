import * as vscode from 'vscode';
import { type App, createApp } from './core/app.ts';
import { toolCatalog } from './tools/catalog.ts';
import { offerAdvisor } from './vscode/chat/advisor.ts';
import { compactOnRequest } from './vscode/chat/compact.ts';
import { createOwnChats } from './vscode/chat/own-chats.ts';
import { registerParticipant } from './vscode/chat/participant.ts';
import { registerCommands } from './vscode/commands.ts';
import { syncContextKeys } from './vscode/context-keys.ts';
import { createVscodeHost } from './vscode/host.ts';
import { registerStatusBar } from './vscode/status-bar.ts';
import { registerTools } from './vscode/tools.ts';
import { followLatestChat } from './vscode/views/latest-chat.ts';
import { createViews } from './vscode/views/views.ts';
import { watchFiles } from './vscode/watch.ts';

// Door 1: VS Code. Activation only registers; the worker and the index start once the editor is up, or at the first call.
let app: App | undefined;

/** Time the editor gets to itself after its start, in milliseconds. */
const START_AFTER_MS = 1500;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Loci', { log: true });
  const host = createVscodeHost(context, log);
  const opened = createApp(host, toolCatalog);
  app = opened;
  syncContextKeys(opened);
  const report = (error: unknown) => log.error(error instanceof Error ? error : String(error));
  const chat = followLatestChat(opened);
  const chats = createOwnChats(opened, context.languageModelAccessInformation);
  const views = createViews(opened, host, chat, chats, report);
  compactOnRequest(opened, chat, report);
  context.subscriptions.push(
    log,
    chat,
    views.disposable,
    registerTools(opened, chats.methods),
    registerParticipant(opened, chats, report),
    registerCommands(opened, host, log, views.commands),
    registerStatusBar(opened, chat, report),
    watchFiles(opened, report),
    host.onChange(() => {
      chats.configure();
      void opened.reconfigure().catch(report);
    }),
  );
  const start = setTimeout(() => {
    void views.start().catch(report);
    void offerAdvisor(opened).catch(report);
  }, START_AFTER_MS);
  context.subscriptions.push({ dispose: () => clearTimeout(start) });
}

export async function deactivate(): Promise<void> {
  await app?.dispose();
}
