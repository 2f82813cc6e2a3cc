import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import { createEvaluationPage } from './evaluation-page.ts';
import type { VscodeHost } from './host.ts';
import { showIndexStatus } from './index-status.ts';
import { type CommandId, commands } from './manifest.ts';
import { showSearch } from './search-picker.ts';

/** Registers a handler for every command of the manifest. */
export function registerCommands(app: App, host: VscodeHost, log: vscode.LogOutputChannel): vscode.Disposable {
  const evaluation = createEvaluationPage(app);
  const handlers: Record<CommandId, () => unknown> = {
    'loci.search': () => showSearch(app),
    'loci.showIndexStatus': () => showIndexStatus(app),
    'loci.rebuildIndex': () =>
      vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Loci: rebuilding the index') },
        () => app.knowledge.rebuild(undefined),
      ),
    'loci.evaluateSearch': () => evaluation.show(),
    async 'loci.setEmbeddingKey'() {
      const key = await vscode.window.showInputBox({
        title: vscode.l10n.t('Key of the embedding service'),
        prompt: vscode.l10n.t('Kept in the secret storage of the editor; leave empty to delete it.'),
        password: true,
        ignoreFocusOut: true,
      });
      if (key !== undefined) await host.setSecret('embedding.apiKey', key);
    },
    'loci.showLog': () => log.show(),
  };
  return vscode.Disposable.from(
    evaluation,
    ...(Object.keys(commands) as CommandId[]).map((id) => vscode.commands.registerCommand(id, handlers[id])),
  );
}
