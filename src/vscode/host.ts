import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Host } from '../core/host.ts';
import { parseSettings, type Settings } from '../core/settings.ts';
import { startWorker } from '../core/util/worker.ts';
import { customizationsOf } from './customizations.ts';

export interface VscodeHost extends Host {
  /** Fires when folders, settings, secrets, extensions or the workspace's trust change. */
  onChange(listener: () => void): vscode.Disposable;
  setSecret(name: string, value: string): Thenable<void>;
}

/** Settings that the core is told of when they change. */
const CHANGING = [
  'loci',
  'files.exclude',
  'chat.agentSkillsLocations',
  'chat.agentFilesLocations',
  'chat.promptFilesLocations',
];

/** The host inside VS Code: storage of the extension, settings and secrets of the editor. */
export function createVscodeHost(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): VscodeHost {
  let settings: Settings | undefined;
  const changed = new vscode.EventEmitter<void>();
  const forget = () => {
    settings = undefined;
    changed.fire();
  };
  context.subscriptions.push(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
    vscode.workspace.onDidGrantWorkspaceTrust(forget),
    context.secrets.onDidChange(forget),
    vscode.extensions.onDidChange(forget),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (CHANGING.some((name) => event.affectsConfiguration(name))) forget();
    }),
  );
  return {
    storage: context.globalStorageUri.fsPath,
    media: join(context.extensionPath, 'media'),
    folders: () =>
      (vscode.workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ name, uri }) => ({ name, path: uri.fsPath })),
    settings() {
      if (settings) return settings;
      const configuration = vscode.workspace.getConfiguration('loci');
      const parsed = parseSettings((name) => configuration.get(name));
      for (const problem of parsed.problems) log.warn(problem);
      settings = parsed.settings;
      return settings;
    },
    trusted: () => vscode.workspace.isTrusted,
    customizations: () => customizationsOf(context),
    chats: () => ({
      // Two folders above the extension's own: User/globalStorage/<extension>.
      userData: [join(context.globalStorageUri.fsPath, '..', '..')],
      workspaceStorage: context.storageUri?.fsPath,
      home: homedir(),
      editor: true,
    }),
    excludes({ path }) {
      const globs = vscode.workspace
        .getConfiguration('files', vscode.Uri.file(path))
        .get<Record<string, unknown>>('exclude');
      return Object.entries(globs ?? {}).flatMap(([glob, on]) => (on === true ? [glob] : []));
    },
    secret: async (name) => context.secrets.get(name),
    setSecret: (name, value) => (value ? context.secrets.store(name, value) : context.secrets.delete(name)),
    log: (level, message) => log[level](message),
    now: Date.now,
    startIndexer: () => startWorker(join(context.extensionPath, 'dist', 'indexer.js')),
    onChange: changed.event,
  };
}
