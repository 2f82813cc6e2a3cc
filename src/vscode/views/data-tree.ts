import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import { tooltip } from './tooltip.ts';
import type { TreeSource } from './tree.ts';

type Entry = Awaited<ReturnType<Domains['graph']['children']>>[number];
type Problem = Awaited<ReturnType<Domains['graph']['status']>>['problems'][number];

export type DataNode =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly parent: string }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'problem'; readonly problem: Problem };

const PROBLEMS_SHOWN = 200;

/** The data assets of the workspace and its connections: systems, what is in them, columns; and what could not be read. */
export function dataTree(app: App, onScan: (scanning: boolean) => void): TreeSource<DataNode> {
  const below = async (prefix: string) =>
    (await app.graph.children({ prefix })).map((entry): DataNode => ({ kind: 'entry', entry, parent: prefix }));
  return {
    async roots() {
      const nodes = await below('');
      const { scanning, problems } = await app.graph.status(undefined);
      onScan(scanning !== null);
      return problems.length > 0 ? [...nodes, { kind: 'problems', problems }] : nodes;
    },
    async children(node) {
      if (node.kind === 'entry') return below(node.entry.qualified_name);
      if (node.kind === 'problem') return [];
      return node.problems.slice(0, PROBLEMS_SHOWN).map((problem): DataNode => ({ kind: 'problem', problem }));
    },
    item(node) {
      switch (node.kind) {
        case 'entry':
          return entryItem(node.entry, node.parent);
        case 'problems':
          return problemsItem(node.problems.length);
        case 'problem':
          return problemItem(node.problem);
      }
    },
  };
}

function entryItem(
  { kind, qualified_name, label, detail, node_type, path, line, has_children }: Entry,
  parent: string,
) {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, has_children ? Collapsed : None);
  item.id = `${parent} ${kind} ${qualified_name}`;
  if (detail) item.description = detail;
  item.iconPath = new vscode.ThemeIcon(iconOf(kind, node_type));
  item.contextValue = [kind, path === undefined ? '' : 'onDisk'].filter(Boolean).join(' ');
  item.tooltip = tooltip({
    title: qualified_name,
    notes: [detail === 'external' ? vscode.l10n.t('Named by others, but defined nowhere in the workspace.') : detail],
  });
  if (path !== undefined && (kind === 'column' || !has_children)) item.command = openAt(path, line);
  item.accessibilityInformation = { label: [label, node_type ?? kind, detail ?? ''].filter(Boolean).join(', ') };
  return item;
}

/** What a click on an item that lies in a file does. */
export function openAt(path: string, line: number | undefined): vscode.Command {
  const at = new vscode.Position((line ?? 1) - 1, 0);
  const options = { selection: new vscode.Range(at, at), preview: true };
  return { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [vscode.Uri.file(path), options] };
}

function problemsItem(count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Not read'), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = 'problems';
  item.description = String(count);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  item.tooltip = vscode.l10n.t('Files and statements that could not be read; the rest is in the graph.');
  item.accessibilityInformation = { label: vscode.l10n.t('{0} problems', count) };
  return item;
}

function problemItem({ file, line, message, path }: Problem): vscode.TreeItem {
  const item = new vscode.TreeItem(line === undefined ? file : `${file}:${line}`);
  item.description = message;
  item.iconPath = new vscode.ThemeIcon('circle-slash');
  item.tooltip = tooltip({ title: file, text: message });
  if (path !== undefined) item.command = openAt(path, line);
  return item;
}

const NODE_ICONS: Readonly<Record<string, string>> = {
  table: 'table',
  view: 'eye',
  model: 'symbol-structure',
  source: 'database',
  seed: 'symbol-array',
  snapshot: 'device-camera',
  exposure: 'megaphone',
  dashboard: 'dashboard',
  notebook: 'notebook',
  pipeline: 'rocket',
  job: 'gear',
  task: 'gear',
  endpoint: 'globe',
  type: 'symbol-class',
  file: 'file',
};

function iconOf(kind: Entry['kind'], nodeType: string | undefined): string {
  if (kind === 'system') return 'server';
  if (kind === 'group') return 'folder';
  if (kind === 'column') return 'symbol-field';
  return NODE_ICONS[nodeType ?? ''] ?? 'symbol-misc';
}
