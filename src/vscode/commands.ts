import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import { UserError } from '../core/errors.ts';
import { startAdvisor } from './chat/advisor.ts';
import { createEvaluationPage } from './evaluation-page.ts';
import type { VscodeHost } from './host.ts';
import { showIndexStatus } from './index-status.ts';
import { type CommandId, commands } from './manifest.ts';
import { showSearch } from './search-picker.ts';
import type { ViewCommands } from './views/views.ts';

// biome-ignore lint/suspicious/noExplicitAny: a tree hands its own nodes to the commands of its items
type Handler = (node?: any) => unknown;

/** Registers a handler for every command of the manifest. */
export function registerCommands(
  app: App,
  host: VscodeHost,
  log: vscode.LogOutputChannel,
  views: ViewCommands,
): vscode.Disposable {
  const evaluation = createEvaluationPage(app);
  const handlers: Record<CommandId, Handler> = {
    ...views,
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
    'loci.whatsNew': startAdvisor,
    'loci.showLog': () => log.show(),
  };
  return vscode.Disposable.from(
    evaluation,
    ...(Object.keys(commands) as CommandId[]).map((id) =>
      vscode.commands.registerCommand(id, withReasons(handlers[id])),
    ),
  );
}

/** Shows a refusal with the way on, which the editor's own message would leave out. */
function withReasons(run: Handler): Handler {
  return async (node) => {
    try {
      return await run(node);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      void vscode.window.showErrorMessage(`${error.message} ${error.next}`);
    }
  };
}
