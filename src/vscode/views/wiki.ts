import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { createTree } from './tree.ts';
import { wikiCommands } from './wiki-commands.ts';
import { registerWikiFiles } from './wiki-files.ts';
import { wikiTree } from './wiki-tree.ts';

/** The Team Wiki view: what was learned, what waits for review, and what was rejected or replaced. */
export function createWikiView(app: App, report: (error: unknown) => void) {
  const tree = createTree(
    'loci.wiki',
    wikiTree(app, (waiting) => {
      const said = vscode.l10n.t('{0} learnings wait for review', waiting);
      tree.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: said };
    }),
    report,
  );
  const watcher = vscode.workspace.createFileSystemWatcher('**/.loci/wiki/**');
  const watching = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete].map((on) => on(tree.refresh));
  return {
    tree,
    commands: wikiCommands(app),
    disposable: vscode.Disposable.from(tree, watcher, ...watching, registerWikiFiles(app, tree.refresh)),
  };
}
