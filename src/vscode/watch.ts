import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import { knowledgeBases } from '../core/kb/settings.ts';
import { placesOf } from '../core/skills/places.ts';

/** Changes arrive in bursts: a checkout touches thousands of files within a moment. */
const GATHER_MS = 150;

/** Settings that say where knowledge and skills lie. */
const WHERE = ['loci.knowledgeBases', 'loci.skills.folders', 'chat.agentSkillsLocations'];

/** Tells the core of files that change in any knowledge base or folder of skills, whoever changes them. */
export function watchFiles(app: App, report: (error: unknown) => void): vscode.Disposable {
  let watchers: vscode.Disposable[] = [];
  let gathered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  /** Roots of bases that were made at run time. */
  let opened: readonly string[] = [];

  const flush = () => {
    const paths = [...gathered];
    gathered = new Set();
    timer = undefined;
    app.knowledge.changed({ paths }).catch(report);
    app.skills.changed({ paths }).catch(report);
  };
  const note = (uri: vscode.Uri) => {
    gathered.add(uri.fsPath);
    timer ??= setTimeout(flush, GATHER_MS);
  };

  const watch = () => {
    for (const watcher of watchers) watcher.dispose();
    watchers = [...new Set([...rootsOf(app), ...opened])].map((root) => {
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
  app.on('bases', (roots) => {
    if (roots.every((root) => opened.includes(root)) && roots.length === opened.length) return;
    opened = roots;
    watch();
  });

  const others = [
    vscode.workspace.onDidChangeWorkspaceFolders(watch),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (WHERE.some((name) => event.affectsConfiguration(name))) watch();
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

/** Folders to watch: knowledge bases, and the skills, agents and prompts that lie outside the workspace. */
function rootsOf({ host }: App): Set<string> {
  const [folders, settings] = [host.folders(), host.settings()];
  const bases = knowledgeBases(folders, settings, host.excludes, host.storage);
  const surroundings = { ...host.customizations(), folders, skillFolders: settings['skills.folders'] };
  const places = (['skill', 'agent', 'prompt'] as const).flatMap((kind) => placesOf(kind, surroundings));
  return new Set([
    ...bases.map(({ root }) => root),
    // An extension's files change only with the extension.
    ...places.filter(({ source, contribution }) => source !== 'workspace' && !contribution).map(({ path }) => path),
  ]);
}
