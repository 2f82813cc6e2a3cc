import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import { tooltip } from './tooltip.ts';
import type { TreeSource } from './tree.ts';

type Level = Awaited<ReturnType<Domains['knowledge']['tree']>>;
export type KnowledgeItem = Level['items'][number];
type Skipped = Awaited<ReturnType<Domains['knowledge']['skipped']>>[number];

export type KnowledgeNode =
  | { readonly kind: 'item'; readonly item: KnowledgeItem }
  | { readonly kind: 'omitted'; readonly count: number; readonly parent: string }
  | { readonly kind: 'leftOut'; readonly files: readonly Skipped[] }
  | { readonly kind: 'skipped'; readonly file: Skipped };

/** Knowledge bases with their folders and documents, and the files that are left out. */
export function knowledgeTree(app: App): TreeSource<KnowledgeNode> {
  return {
    async roots() {
      const [{ items }, files] = await Promise.all([
        app.knowledge.tree({ id: null }),
        app.knowledge.skipped(undefined),
      ]);
      // With nothing in them, the view says how to get documents.
      const empty = items.every(({ documents, progress, failure }) => documents === 0 && !progress && !failure);
      if (empty && files.length === 0) return [];
      const bases = items.map((item): KnowledgeNode => ({ kind: 'item', item }));
      return files.length > 0 ? [...bases, { kind: 'leftOut', files }] : bases;
    },
    async children(node) {
      if (node.kind === 'leftOut') return node.files.map((file): KnowledgeNode => ({ kind: 'skipped', file }));
      if (node.kind !== 'item' || node.item.kind === 'DOCUMENT') return [];
      const { path_part_id: parent } = node.item;
      const { items, omitted } = await app.knowledge.tree({ id: parent });
      const nodes = items.map((item): KnowledgeNode => ({ kind: 'item', item }));
      return omitted > 0 ? [...nodes, { kind: 'omitted', count: omitted, parent }] : nodes;
    },
    item: itemOf,
  };
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

function itemOf(node: KnowledgeNode): vscode.TreeItem {
  switch (node.kind) {
    case 'item':
      return node.item.kind === 'BASE' ? baseItem(node.item) : entryItem(node.item);
    case 'omitted': {
      const item = new vscode.TreeItem(vscode.l10n.t('{0} more are not shown', node.count), None);
      item.id = `omitted:${node.parent}`;
      return item;
    }
    case 'leftOut':
      return leftOutItem(node.files.length);
    case 'skipped':
      return skippedItem(node.file);
  }
}

function baseItem({ path_part_id, name, path, documents = 0, progress, failure }: KnowledgeItem): vscode.TreeItem {
  const item = new vscode.TreeItem(name, Expanded);
  const count = vscode.l10n.t('{0} documents', documents);
  const reading =
    progress && progress.total > 0
      ? vscode.l10n.t('reading {0} of {1}', progress.done, progress.total)
      : progress && vscode.l10n.t('comparing with the files');
  item.id = `node:${path_part_id}`;
  item.description = failure ? vscode.l10n.t('cannot be read') : [count, reading].filter(Boolean).join(' · ');
  item.iconPath = failure
    ? new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'))
    : new vscode.ThemeIcon(progress ? 'loading~spin' : 'library');
  item.contextValue = 'base onDisk';
  item.tooltip = tooltip({ title: name, notes: [failure, reading, count, path] });
  item.accessibilityInformation = { label: [name, vscode.l10n.t('knowledge base'), item.description].join(', ') };
  return item;
}

function entryItem({ path_part_id, kind, name, title, path, documents = 0 }: KnowledgeItem): vscode.TreeItem {
  const folder = kind === 'FOLDER';
  const item = new vscode.TreeItem(name, folder ? Collapsed : None);
  item.id = `node:${path_part_id}`;
  item.resourceUri = vscode.Uri.file(path);
  item.iconPath = folder ? vscode.ThemeIcon.Folder : vscode.ThemeIcon.File;
  item.contextValue = folder ? 'folder onDisk' : 'document onDisk';
  item.description = folder ? String(documents) : (title ?? '');
  const count = vscode.l10n.t('{0} documents', documents);
  item.tooltip = tooltip({ title: title ?? name, notes: [folder ? count : undefined, path] });
  item.accessibilityInformation = {
    label: folder
      ? [name, vscode.l10n.t('folder'), count].join(', ')
      : [name, vscode.l10n.t('document'), title ?? ''].filter(Boolean).join(', '),
  };
  if (!folder) {
    item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [vscode.Uri.file(path)] };
  }
  return item;
}

function leftOutItem(count: number): vscode.TreeItem {
  const title = vscode.l10n.t('Left out');
  const item = new vscode.TreeItem(title, Collapsed);
  item.id = 'left-out';
  item.description = String(count);
  item.iconPath = new vscode.ThemeIcon('circle-slash');
  item.tooltip = tooltip({ title, notes: [vscode.l10n.t('Files that are not in the index, each with the reason.')] });
  item.accessibilityInformation = { label: vscode.l10n.t('{0} files are left out', count) };
  return item;
}

function skippedItem({ base, path, reason, detail }: Skipped): vscode.TreeItem {
  const item = new vscode.TreeItem(path || base, None);
  item.id = `skipped:${base}:${path}`;
  item.description = reason.replaceAll('_', ' ');
  item.iconPath = new vscode.ThemeIcon('circle-slash');
  item.tooltip = tooltip({ title: path || base, notes: [detail, base] });
  item.accessibilityInformation = { label: [path || base, detail].join(', ') };
  return item;
}
