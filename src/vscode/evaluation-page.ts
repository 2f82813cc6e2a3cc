import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import type { Evaluation, ModeReport } from '../core/kb/evaluate.ts';

const SCHEME = 'loci-report';
const MISSES_SHOWN = 50;

/** Evaluates the search on the workspace's own headings and shows the result as a page. */
export function createEvaluationPage(app: App): vscode.Disposable & { show(): Promise<void> } {
  let text = '';
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    provideTextDocumentContent: () => text,
  });
  return {
    async show() {
      const title = vscode.l10n.t('Loci: evaluating the search');
      const evaluation = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (_, cancellation) => {
          const abort = new AbortController();
          cancellation.onCancellationRequested(() => abort.abort());
          await app.knowledge.settled({ ms: 60_000 }, abort.signal);
          return app.knowledge.evaluate(undefined, abort.signal).catch((error) => {
            if (abort.signal.aborted) return undefined;
            throw error;
          });
        },
      );
      if (!evaluation) return;
      text = page(evaluation);
      const uri = vscode.Uri.from({ scheme: SCHEME, path: '/Search Evaluation.md' });
      changed.fire(uri);
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    dispose() {
      provider.dispose();
      changed.dispose();
    },
  };
}

function page({ questions, ambiguous, modes }: Evaluation): string {
  const { t } = vscode.l10n;
  if (questions === 0) {
    return `# ${t('Search evaluation')}\n\n${t('The documents have no heading of two words or more that stands above one section only, so there is nothing to ask.')}\n`;
  }
  const rows = modes.map(
    ({ mode, ndcg10, mrr10, first, misses }) =>
      `| search_${mode} | ${ndcg10.toFixed(3)} | ${mrr10.toFixed(3)} | ${(first * 100).toFixed(0)} % | ${misses.length} |`,
  );
  return [
    `# ${t('Search evaluation')}`,
    t(
      '{0} headings of your documents were asked as questions; the right answer is the section below each. {1} headings were left out, because they are one word or stand above several sections.',
      questions,
      ambiguous,
    ),
    `| ${t('Tool')} | nDCG@10 | MRR@10 | ${t('Right section first')} | ${t('Not in the first ten')} |\n|---|---|---|---|---|\n${rows.join('\n')}`,
    t(
      'nDCG@10 is 1 when the right section always comes first and 0 when it is never among the first ten. Headings are easy questions, since their words are in the section; the misses below are what to look at.',
    ),
    ...modes.map(missesOf),
  ].join('\n\n');
}

function missesOf({ mode, misses }: ModeReport): string {
  const { t } = vscode.l10n;
  const heading = `## ${t('Misses of {0}', `search_${mode}`)}`;
  if (misses.length === 0) return `${heading}\n\n${t('None.')}`;
  const place = (path: string | null) => (path === null ? '—' : plain(vscode.workspace.asRelativePath(path)));
  const rows = misses
    .slice(0, MISSES_SHOWN)
    .map(({ question, expected, found }) => `| ${plain(question)} | ${place(expected)} | ${place(found)} |`);
  const rest = misses.length > MISSES_SHOWN ? `\n\n${t('{0} more are not shown.', misses.length - MISSES_SHOWN)}` : '';
  return `${heading}\n\n| ${t('Question')} | ${t('Expected')} | ${t('First instead')} |\n|---|---|---|\n${rows.join('\n')}${rest}`;
}

/** Document text inside a Markdown table: no markup of its own. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#!]/g, '\\$&').replace(/\s+/g, ' ');
}
