import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import { tooltip } from './tooltip.ts';
import type { TreeSource } from './tree.ts';
import { timeOf } from './wiki-tree.ts';

export type HistoryEntry = Awaited<ReturnType<Domains['sql']['history']>>['entries'][number];

export interface HistoryNode {
  readonly entry: HistoryEntry;
}

/** Newest runs that the view lists; find_past_queries finds the others. */
const MOST = 500;

/** The queries that were run here, newest first. */
export function queryHistoryTree(app: App): TreeSource<HistoryNode> {
  return {
    roots: async () => (await app.sql.history({ limit: MOST })).entries.map((entry) => ({ entry })),
    children: async () => [],
    item: ({ entry }) => itemOf(entry),
  };
}

function itemOf(entry: HistoryEntry): vscode.TreeItem {
  const { id, at, sql, connection_id, rows, milliseconds, error } = entry;
  const { t } = vscode.l10n;
  const item = new vscode.TreeItem(sql.replace(/\s+/g, ' ').trim().slice(0, 200));
  const outcome = error === undefined ? t('{0} rows', rows) : t('failed');
  item.id = `query:${id}`;
  item.description = [connection_id, outcome, timeOf(at)].join(' · ');
  item.iconPath =
    error === undefined
      ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'))
      : new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
  item.contextValue = 'query';
  item.tooltip = tooltip({
    title: `${connection_id}, ${timeOf(at)}`,
    text: sql,
    notes: [error ?? t('{0} rows in {1} ms.', rows, Math.round(milliseconds))],
  });
  item.command = { command: 'loci.query.open', title: t('Open'), arguments: [{ entry }] };
  item.accessibilityInformation = { label: [sql.slice(0, 200), connection_id, outcome].join(', ') };
  return item;
}
