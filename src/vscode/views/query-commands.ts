import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { withSignal } from '../cancellation.ts';
import type { CommandId } from '../manifest.ts';
import type { HistoryEntry, HistoryNode } from './query-history-tree.ts';

type QueryCommandId = Exclude<Extract<CommandId, `loci.query.${string}`>, 'loci.query.refresh'>;

const ROWS_SHOWN = 100;

/** What can be done with a query of the history. */
export function queryCommands(app: App): Record<QueryCommandId, (node?: HistoryNode) => Promise<unknown>> {
  const { t } = vscode.l10n;

  const entryOf = async (node: HistoryNode | undefined, title: string): Promise<HistoryEntry | undefined> => {
    if (node) return node.entry;
    const { entries } = await app.sql.history({ limit: 200 });
    const rows = entries.map((entry) => ({
      label: entry.sql.replace(/\s+/g, ' '),
      description: entry.connection_id,
      entry,
    }));
    if (rows.length > 0) return (await vscode.window.showQuickPick(rows, { title }))?.entry;
    void vscode.window.showInformationMessage(t('No query has been run here yet.'));
    return undefined;
  };

  const show = async (content: string, language: string) => {
    const document = await vscode.workspace.openTextDocument({ content, language });
    await vscode.window.showTextDocument(document, { preview: true });
  };

  return {
    async 'loci.query.open'(node) {
      const entry = await entryOf(node, t('Open which query?'));
      if (entry) await show(`-- ${entry.connection_id}, ${entry.at}\n${entry.sql}\n`, 'sql');
    },
    async 'loci.query.runAgain'(node) {
      const entry = await entryOf(node, t('Run which query again?'));
      if (!entry) return;
      const { connection_id, sql } = entry;
      const input = {
        connection_id,
        sql,
        limit: ROWS_SHOWN,
        offset: 0,
        caller: { thread: undefined, agent: undefined },
      };
      const result = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: t('Running on {0}', connection_id),
          cancellable: true,
        },
        (_, cancellation) => withSignal(cancellation, (signal) => app.sql.run(input, signal)),
      );
      await show(asTable(sql, result), 'markdown');
    },
    async 'loci.query.copy'(node) {
      const entry = await entryOf(node, t('Copy which query?'));
      if (entry) await vscode.env.clipboard.writeText(entry.sql);
    },
    async 'loci.query.ask'(node) {
      const entry = await entryOf(node, t('Ask about which query?'));
      if (!entry) return;
      const query = t('Explain this query on {0}:', entry.connection_id);
      await vscode.commands.executeCommand('workbench.action.chat.open', {
        query: `${query}\n\`\`\`sql\n${entry.sql}\n\`\`\`\n`,
        isPartialQuery: true,
        mode: 'agent',
      });
    },
    async 'loci.query.clear'() {
      const agreed = t('Clear');
      const question = t('Forget every query that was run here?');
      const detail = t('Queries in past chats and in .sql files stay where they are.');
      const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, agreed);
      if (answer === agreed) await app.sql.clearHistory(undefined);
    },
  };
}

type Result = Awaited<ReturnType<App['sql']['run']>>;

/** A page of rows as a Markdown table, with what was left out. */
function asTable(sql: string, { columns, rows, more: hasMore }: Result): string {
  const cell = (value: unknown) =>
    (value === null ? 'NULL' : typeof value === 'object' ? JSON.stringify(value) : String(value))
      .replace(/[|\\`*_<>[\]]/g, '\\$&')
      .replace(/\s+/g, ' ');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = columns.map(({ name }) => cell(name));
  const table = [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(cell)))];
  const more = hasMore ? `\n${vscode.l10n.t('Only the first {0} rows are shown.', rows.length)}\n` : '';
  return `\`\`\`sql\n${sql}\n\`\`\`\n\n${table.join('\n')}\n${more}`;
}
