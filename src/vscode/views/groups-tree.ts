import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import { foreignTools } from '../foreign-tools.ts';
import type { LatestChat } from './latest-chat.ts';
import { tooltip } from './tooltip.ts';
import type { TreeSource } from './tree.ts';

export type ListedGroup = Awaited<ReturnType<Domains['capabilities']['groups']>>[number];
type ListedTool = ListedGroup['tools'][number];

export type GroupNode =
  | { readonly kind: 'group'; readonly group: ListedGroup }
  | { readonly kind: 'tool'; readonly group: ListedGroup; readonly tool: ListedTool };

/** Loci's tool groups, then those of other extensions and MCP servers, each with its tools. */
export function groupsTree(app: App, chat: LatestChat): TreeSource<GroupNode> {
  return {
    async roots() {
      const asker = { thread: chat.thread, agent: undefined };
      const groups = await app.capabilities.groups({ ...asker, foreign: foreignTools() });
      return groups.filter(({ tools }) => tools.length > 0).map((group): GroupNode => ({ kind: 'group', group }));
    },
    async children(node) {
      if (node.kind === 'tool') return [];
      return node.group.tools.map((tool): GroupNode => ({ kind: 'tool', group: node.group, tool }));
    },
    item: (node) => (node.kind === 'group' ? groupItem(node.group) : toolItem(node.group, node.tool)),
  };
}

/** What a tool is called in a prompt. */
export function referenceOf(group: ListedGroup, tool: ListedTool): string {
  return group.owner === 'loci' ? `#loci_${tool.name}` : `#${tool.name}`;
}

function groupItem(group: ListedGroup): vscode.TreeItem {
  const { name, title, owner, description, active, denied, unavailable } = group;
  const foreign = owner !== 'loci';
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `group:${name}`;
  item.description = statesOf(group).join(' · ');
  item.iconPath = iconOf(group);
  item.contextValue = [
    'group',
    group.activation === 'always' ? 'always' : active ? 'switchable active' : 'switchable inactive',
    group.default ? 'default' : 'optional',
    denied ? 'denied' : 'allowed',
    unavailable === undefined ? 'available' : 'unavailable',
    foreign ? 'foreign' : 'own',
  ].join(' ');
  item.tooltip = tooltip({
    title: foreign ? title : `${title} (${name})`,
    text: description,
    notes: [
      denied ? vscode.l10n.t('The policy of the default agent denies this group.') : undefined,
      unavailable,
      stateSentence(group),
      group.default && group.activation !== 'always' ? vscode.l10n.t('New chats start with it.') : undefined,
    ],
  });
  item.accessibilityInformation = {
    label: [
      title,
      vscode.l10n.t('tool group'),
      vscode.l10n.t('{0} tools', group.tools.length),
      ...statesOf(group),
    ].join(', '),
  };
  return item;
}

function statesOf(group: ListedGroup): string[] {
  const { activation, active, denied, unavailable, owner } = group;
  return [
    denied ? vscode.l10n.t('denied') : '',
    unavailable === undefined ? '' : vscode.l10n.t('unavailable'),
    activation === 'always' ? vscode.l10n.t('always on') : active ? vscode.l10n.t('active') : '',
    group.default && activation !== 'always' ? vscode.l10n.t('default') : '',
    owner === 'loci' ? '' : vscode.l10n.t('not Loci’s own'),
  ].filter((state) => state !== '');
}

function stateSentence({ activation, active, owner }: ListedGroup): string {
  if (activation === 'always') return vscode.l10n.t('Always on: it cannot be switched off.');
  if (active) return vscode.l10n.t('Active in the latest chat.');
  return owner === 'loci'
    ? vscode.l10n.t('Not active in the latest chat: an agent finds and activates it when a task needs it.')
    : vscode.l10n.t('Not active for call_tool in the latest chat.');
}

function iconOf({ activation, active, denied, unavailable }: ListedGroup): vscode.ThemeIcon {
  if (denied) return new vscode.ThemeIcon('circle-slash');
  if (unavailable !== undefined) {
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  }
  if (activation === 'always') return new vscode.ThemeIcon('lock');
  if (active) return new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('charts.green'));
  return new vscode.ThemeIcon('circle-outline');
}

function toolItem(group: ListedGroup, tool: ListedTool): vscode.TreeItem {
  const item = new vscode.TreeItem(tool.name, vscode.TreeItemCollapsibleState.None);
  item.id = `tool:${group.name}:${tool.name}`;
  if (tool.title !== tool.name) item.description = tool.title;
  item.iconPath = new vscode.ThemeIcon('tools');
  item.contextValue = 'tool';
  item.tooltip = tooltip({
    title: tool.name,
    text: tool.description,
    notes: [vscode.l10n.t('In a prompt: {0}', referenceOf(group, tool))],
  });
  item.accessibilityInformation = {
    label: [tool.name, vscode.l10n.t('tool'), tool.title === tool.name ? '' : tool.title].filter(Boolean).join(', '),
  };
  return item;
}
