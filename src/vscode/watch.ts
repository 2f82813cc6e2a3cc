import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import { knowledgeBases } from '../core/kb/settings.ts';

/** Changes arrive in bursts: a checkout touches thousands of files within a moment. */
const GATHER_MS = 150;

/** Tells the index of files that change in any knowledge base, whoever changes them. */
export function watchFiles(app: App, report: (error: unknown) => void): vscode.Disposable {
  let watchers: vscode.Disposable[] = [];
  let gathered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    const paths = [...gathered];
    gathered = new Set();
    timer = undefined;
    app.knowledge.changed({ paths }).catch(report);
  };
  const note = (uri: vscode.Uri) => {
    gathered.add(uri.fsPath);
    timer ??= setTimeout(flush, GATHER_MS);
  };

  const watch = () => {
    for (const watcher of watchers) watcher.dispose();
    const { host } = app;
    const roots = knowledgeBases(host.folders(), host.settings(), host.excludes, host.storage).map(({ root }) => root);
    watchers = [...new Set(roots)].map((root) => {
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.file(root), '**/*'),
      );
      watcher.onDidChange(note);
      watcher.onDidCreate(note);
      watcher.onDidDelete(note);
      return watcher;
    });
  };
  watch();

  const others = [
    vscode.workspace.onDidChangeWorkspaceFolders(watch),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('loci.knowledgeBases')) watch();
    }),
    // The watcher may lag by seconds on network drives and in containers; a save in the editor is known at once.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (uri.scheme === 'file') note(uri);
    }),
  ];
  return {
    dispose() {
      clearTimeout(timer);
      for (const disposable of [...watchers, ...others]) disposable.dispose();
    },
  };
}
