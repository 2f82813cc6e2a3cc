import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import { tooltip } from './tooltip.ts';
import type { TreeSource } from './tree.ts';

export type ListedConnection = Awaited<ReturnType<Domains['sql']['list']>>['connections'][number];
type Table = Awaited<ReturnType<Domains['sql']['harvest']>>['tables'][number];

export type ConnectionNode =
  | { readonly kind: 'connection'; readonly connection: ListedConnection }
  | { readonly kind: 'table'; readonly connection: string; readonly table: Table }
  | { readonly kind: 'column'; readonly table: string; readonly name: string; readonly type: string | undefined }
  | { readonly kind: 'file'; readonly path: string; readonly format: string; readonly size: number }
  | { readonly kind: 'failure'; readonly message: string };

/** The connection that the data files of the workspace are. */
const WORKSPACE = 'workspace';

/** Registered connections with their tables, read when one is opened, and the data files of the workspace. */
export function connectionsTree(app: App): TreeSource<ConnectionNode> {
  const tablesOf = async (id: string): Promise<ConnectionNode[]> => {
    try {
      const { tables } = await app.sql.harvest({ connection_id: id });
      return tables.map((table): ConnectionNode => ({ kind: 'table', connection: id, table }));
    } catch (error) {
      return [{ kind: 'failure', message: error instanceof Error ? error.message : String(error) }];
    }
  };
  return {
    async roots() {
      const { connections } = await app.sql.list(undefined);
      const { files } = await app.sql.files(undefined);
      const shown = connections.filter(({ connection_id: id }) => id !== WORKSPACE || files.length > 0);
      return shown.map((connection): ConnectionNode => ({ kind: 'connection', connection }));
    },
    async children(node) {
      if (node.kind === 'table') {
        const name = nameOf(node.table);
        return node.table.columns.map(
          (column): ConnectionNode => ({ kind: 'column', table: name, name: column.name, type: column.type }),
        );
      }
      if (node.kind !== 'connection') return [];
      const { connection_id: id } = node.connection;
      if (id !== WORKSPACE) return tablesOf(id);
      const { files } = await app.sql.files(undefined);
      return files.map((file): ConnectionNode => ({ kind: 'file', ...file }));
    },
    item: itemOf,
  };
}

function nameOf({ path, name }: Table): string {
  return [...path, name].join('.');
}

function itemOf(node: ConnectionNode): vscode.TreeItem {
  const { Collapsed } = vscode.TreeItemCollapsibleState;
  switch (node.kind) {
    case 'connection':
      return connectionItem(node.connection);
    case 'table': {
      const item = new vscode.TreeItem(nameOf(node.table), Collapsed);
      item.id = `${node.connection} ${nameOf(node.table)}`;
      item.iconPath = new vscode.ThemeIcon(node.table.kind === 'view' ? 'eye' : 'table');
      item.contextValue = 'table';
      if (node.table.comment) item.tooltip = tooltip({ title: nameOf(node.table), text: node.table.comment });
      item.accessibilityInformation = { label: `${nameOf(node.table)}, ${node.table.kind}` };
      return item;
    }
    case 'column': {
      const item = new vscode.TreeItem(node.name);
      if (node.type) item.description = node.type;
      item.iconPath = new vscode.ThemeIcon('symbol-field');
      item.accessibilityInformation = { label: `${node.name}, ${vscode.l10n.t('column')}, ${node.type ?? ''}` };
      return item;
    }
    case 'file': {
      const item = new vscode.TreeItem(node.path);
      item.description = node.format;
      item.iconPath = new vscode.ThemeIcon('file');
      item.contextValue = 'dataFile';
      return item;
    }
    case 'failure': {
      const item = new vscode.TreeItem(node.message);
      item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
      item.tooltip = tooltip({ title: vscode.l10n.t('The schema could not be read'), text: node.message });
      return item;
    }
  }
}

function connectionItem(connection: ListedConnection): vscode.TreeItem {
  const { connection_id: id, name, type, description, status, reason, target, origin } = connection;
  const { t } = vscode.l10n;
  const own = id === WORKSPACE;
  const item = new vscode.TreeItem(own ? t('Files of the workspace') : name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `connection:${id}`;
  item.description = [own ? '' : type, statusName(status)].filter(Boolean).join(' · ');
  item.iconPath = iconOf(status, own);
  item.contextValue = ['connection', own ? 'workspace' : 'database', origin === 'registered' ? 'registered' : ''].join(
    ' ',
  );
  item.tooltip = tooltip({
    title: id,
    ...(description && { text: description }),
    notes: [target, reason, origin === 'setting' ? t('From the setting loci.data.connections.') : ''],
  });
  item.accessibilityInformation = { label: `${name}, ${t('connection')}, ${statusName(status)}` };
  return item;
}

function statusName(status: ListedConnection['status']): string {
  const { t } = vscode.l10n;
  switch (status) {
    case 'bound':
      return t('reachable');
    case 'bound_unreachable':
      return t('not reachable');
    case 'bound_inaccessible':
      return t('not allowed');
    default:
      return '';
  }
}

function iconOf(status: ListedConnection['status'], own: boolean): vscode.ThemeIcon {
  if (status === 'bound_unreachable') {
    return new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('problemsErrorIcon.foreground'));
  }
  if (status === 'bound_inaccessible') return new vscode.ThemeIcon('lock');
  return new vscode.ThemeIcon(own ? 'folder-library' : 'database');
}
