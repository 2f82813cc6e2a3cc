import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import { tooltip } from './tooltip.ts';
import type { TreeSource } from './tree.ts';

type Entries = Awaited<ReturnType<Domains['wiki']['entries']>>;
export type Learning = Entries['items'][number];
type Status = Learning['status'];

export type WikiNode =
  | { readonly kind: 'status'; readonly status: Status; readonly learnings: readonly Learning[] }
  | { readonly kind: 'learning'; readonly learning: Learning }
  | { readonly kind: 'problem'; readonly path: string; readonly reason: string };

/** What waits for the person first, what is history last. */
const ORDER: readonly Status[] = ['pending', 'active', 'rejected', 'superseded'];

/** Most learnings that the view lists; wiki_search finds the others. */
const MOST = 2000;

/** The team wiki's learnings by status, and the files of it that cannot be read. */
export function wikiTree(app: App, onCount: (waiting: number) => void): TreeSource<WikiNode> {
  return {
    async roots() {
      const { items, counts, edits_pending, problems } = await app.wiki.entries({
        status: null,
        limit: MOST,
        offset: 0,
      });
      onCount((counts.pending ?? 0) + edits_pending);
      const byStatus = Map.groupBy(items, ({ status }) => status);
      const groups = ORDER.filter((status) => byStatus.has(status)).map(
        (status): WikiNode => ({ kind: 'status', status, learnings: byStatus.get(status)! }),
      );
      return [...problems.map((problem): WikiNode => ({ kind: 'problem', ...problem })), ...groups];
    },
    async children(node) {
      return node.kind === 'status' ? node.learnings.map((learning): WikiNode => ({ kind: 'learning', learning })) : [];
    },
    item: itemOf,
  };
}

function itemOf(node: WikiNode): vscode.TreeItem {
  switch (node.kind) {
    case 'status':
      return statusItem(node.status, node.learnings.length);
    case 'learning':
      return learningItem(node.learning);
    case 'problem':
      return problemItem(node.path, node.reason);
  }
}

function statusItem(status: Status, count: number): vscode.TreeItem {
  const open = status === 'pending' || status === 'active';
  const item = new vscode.TreeItem(
    statusName(status),
    open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `status:${status}`;
  item.description = String(count);
  item.iconPath = iconOf(status);
  item.contextValue = 'status';
  item.accessibilityInformation = { label: `${statusName(status)}, ${vscode.l10n.t('{0} learnings', count)}` };
  return item;
}

function learningItem(learning: Learning): vscode.TreeItem {
  const { statement_id, headline, anchor_qn, category, privacy_class, status, proposed, written, changed } = learning;
  const { t } = vscode.l10n;
  const waits = status === 'pending' || proposed !== undefined;
  const item = new vscode.TreeItem(headline, vscode.TreeItemCollapsibleState.None);
  item.id = `learning:${statement_id}`;
  item.description = anchor_qn;
  item.iconPath = proposed ? iconOf('pending') : iconOf(status);
  item.contextValue = ['learning', status, waits ? 'waiting' : 'decided'].join(' ');
  item.command = { command: 'loci.wiki.open', title: t('Open'), arguments: [{ kind: 'learning', learning }] };
  item.tooltip = tooltip({
    title: anchor_qn,
    text: (proposed ?? learning).text,
    notes: [
      proposed && status === 'active'
        ? t('An edit waits for review; until then the wiki says: {0}', learning.text)
        : '',
      t('Category {0}, {1}.', category, privacy_class === 'metadata' ? t('no data values') : t('contains data values')),
      t('Written by {0}, {1}.', whoOf(written), timeOf(written.at)),
      changed.at === written.at ? '' : t('Changed by {0}, {1}.', whoOf(changed), timeOf(changed.at)),
    ],
  });
  item.accessibilityInformation = {
    label: [headline, anchor_qn, statusName(status), waits ? t('waits for review') : ''].filter(Boolean).join(', '),
  };
  return item;
}

function problemItem(path: string, reason: string): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.Uri.file(path), vscode.TreeItemCollapsibleState.None);
  item.description = reason;
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  item.contextValue = 'problem';
  item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [vscode.Uri.file(path)] };
  item.tooltip = tooltip({ title: path, text: reason });
  return item;
}

interface Who {
  readonly author: string;
  readonly agent?: string;
}

/** The person, and the agent that wrote for them. */
export function whoOf({ author, agent }: Who): string {
  return agent === undefined ? author : vscode.l10n.t('{0} with agent {1}', author, agent);
}

export function timeOf(at: string): string {
  return new Date(at).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

function statusName(status: Status): string {
  const { t } = vscode.l10n;
  return { pending: t('Pending'), active: t('Active'), rejected: t('Rejected'), superseded: t('Superseded') }[status];
}

function iconOf(status: Status): vscode.ThemeIcon {
  switch (status) {
    case 'pending':
      return new vscode.ThemeIcon('clock', new vscode.ThemeColor('problemsWarningIcon.foreground'));
    case 'active':
      return new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('charts.green'));
    case 'rejected':
      return new vscode.ThemeIcon('circle-slash');
    case 'superseded':
      return new vscode.ThemeIcon('history');
  }
}
