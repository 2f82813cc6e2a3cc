import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import { bar } from '../chat/markdown.ts';
import { tooltip } from './tooltip.ts';
import type { TreeSource } from './tree.ts';

export type ListedThread = Awaited<ReturnType<Domains['threads']['list']>>['threads'][number];

/** A compaction, tool result or tool call's arguments that can be recovered, as LIST_RECOVERABLE_BLOCKS tells of it. */
export interface Block {
  readonly kind: 'compaction' | 'tool_result' | 'tool_arguments';
  readonly handle: string;
  readonly layer: number;
  readonly tool_name?: string;
  readonly chars?: number;
  readonly messages?: number;
  readonly start_message_num?: number | null;
  readonly end_message_num?: number | null;
  readonly result_message_index?: number;
  readonly trigger?: string;
  readonly time?: string;
  readonly summary_preview?: string;
}

export type MemoryNode =
  | { readonly kind: 'day'; readonly day: string; readonly threads: readonly ListedThread[] }
  | { readonly kind: 'agent'; readonly day: string; readonly agent: string; readonly threads: readonly ListedThread[] }
  | { readonly kind: 'thread'; readonly thread: ListedThread }
  | { readonly kind: 'block'; readonly thread: ListedThread; readonly block: Block; readonly inside: readonly Block[] }
  | { readonly kind: 'note'; readonly text: string };

export interface MemoryTreeOptions {
  readonly app: App;
  blocksOf(thread: ListedThread): Promise<readonly Block[]>;
}

/** Share of the window, in percent, from which a thread's icon warns. */
const NEARLY_FULL = 80;
/** A longer title would leave no room for what stands behind it; the tooltip has all of it. */
const LONGEST_LABEL = 24;

/** Past chats by day and agent, with how full their windows are; below each, what compaction hid. */
export function threadMemoryTree({ app, blocksOf }: MemoryTreeOptions): TreeSource<MemoryNode> {
  return {
    async roots() {
      const { threads, coverage } = await app.threads.list({ include_hidden: false });
      const days = Map.groupBy(threads, ({ updated, created }) => dayOf(updated ?? created, app.host.now()));
      const nodes = [...days].map(([day, ofDay]): MemoryNode => ({ kind: 'day', day, threads: ofDay }));
      return [...notesOf(coverage), ...nodes];
    },
    async children(node) {
      switch (node.kind) {
        case 'day': {
          const agents = [...Map.groupBy(node.threads, agentOf)];
          if (agents.length === 1) return node.threads.map((thread): MemoryNode => ({ kind: 'thread', thread }));
          return agents.map(([agent, threads]): MemoryNode => ({ kind: 'agent', day: node.day, agent, threads }));
        }
        case 'agent':
          return node.threads.map((thread): MemoryNode => ({ kind: 'thread', thread }));
        case 'thread':
          return compactionsOf(node.thread, await blocksOf(node.thread));
        case 'block':
          return node.inside.map((block): MemoryNode => ({ kind: 'block', thread: node.thread, block, inside: [] }));
        case 'note':
          return [];
      }
    },
    item: itemOf,
  };
}

function notesOf({ pending, broken }: Awaited<ReturnType<Domains['threads']['list']>>['coverage']): MemoryNode[] {
  const { t } = vscode.l10n;
  const texts = [
    pending > 0 ? t('{0} chats are still to be read', pending) : '',
    broken.length > 0 ? t('{0} chats cannot be read', broken.length) : '',
  ];
  return texts.filter(Boolean).map((text): MemoryNode => ({ kind: 'note', text }));
}

/** The compactions of a thread, newest first, each with the blocks of its layer. */
function compactionsOf(thread: ListedThread, blocks: readonly Block[]): MemoryNode[] {
  return blocks
    .filter(({ kind }) => kind === 'compaction')
    .map((block): MemoryNode => {
      const inside = blocks.filter(({ kind, layer }) => kind !== 'compaction' && layer === block.layer);
      return { kind: 'block', thread, block, inside };
    });
}

export function agentOf({ agents }: ListedThread): string {
  return agents.at(-1) ?? vscode.l10n.t('unknown agent');
}

function dayOf(time: number | undefined, now: number): string {
  if (time === undefined) return vscode.l10n.t('Undated');
  const day = new Date(time);
  const apart = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(time).setHours(0, 0, 0, 0)) / 86_400_000);
  if (apart === 0) return vscode.l10n.t('Today');
  if (apart === 1) return vscode.l10n.t('Yesterday');
  return day.toLocaleDateString(vscode.env.language, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  });
}

/** How full a thread's window was at its last measured call, in percent; undefined where its store does not say. */
function fullness({ promptTokens, window }: ListedThread): number | undefined {
  return promptTokens === undefined || !window ? undefined : Math.round((promptTokens * 100) / window);
}

function itemOf(node: MemoryNode): vscode.TreeItem {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const { t } = vscode.l10n;
  switch (node.kind) {
    case 'day': {
      const item = new vscode.TreeItem(node.day, node.day === t('Today') ? Expanded : Collapsed);
      item.id = `day:${node.day}`;
      item.description = String(node.threads.length);
      item.iconPath = new vscode.ThemeIcon('calendar');
      return item;
    }
    case 'agent': {
      const item = new vscode.TreeItem(node.agent, Expanded);
      item.id = `agent:${node.day}:${node.agent}`;
      item.description = String(node.threads.length);
      item.iconPath = new vscode.ThemeIcon('robot');
      return item;
    }
    case 'note': {
      const item = new vscode.TreeItem(node.text, None);
      item.iconPath = new vscode.ThemeIcon('info');
      return item;
    }
    case 'thread':
      return threadItem(node.thread);
    case 'block':
      return blockItem(node.thread, node.block, node.inside.length > 0 ? Collapsed : None);
  }
}

function threadItem(thread: ListedThread): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { id, title, source, messages, hidden, compactions, model, workspace, place } = thread;
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const label = title.length > LONGEST_LABEL ? `${title.slice(0, LONGEST_LABEL - 1).trimEnd()}…` : title;
  const item = new vscode.TreeItem(label, compactions > 0 ? Collapsed : None);
  const percent = fullness(thread);
  const hiddenText = hidden > 0 ? t('{0} hidden', hidden) : '';
  item.id = `thread:${source}:${id}`;
  item.description = [percent === undefined ? '' : `${bar(percent, 5)} ${percent} %`, hiddenText]
    .filter(Boolean)
    .join(' · ');
  item.iconPath =
    percent !== undefined && percent >= NEARLY_FULL
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'))
      : new vscode.ThemeIcon(compactions > 0 ? 'fold' : 'comment-discussion');
  item.contextValue = ['thread', source === 'loci' ? 'own' : 'other', source].join(' ');
  item.tooltip = tooltip({
    title,
    notes: [
      t('{0}, {1} messages, {2} compactions', agentOf(thread), messages, compactions),
      percent === undefined
        ? t('Its store does not say how full the window is.')
        : t('{0} % of the window in use', percent),
      hidden > 0 ? t('{0} messages are hidden from the model; all can be recovered.', hidden) : undefined,
      model,
      place === 'current' ? undefined : workspace,
    ],
  });
  item.accessibilityInformation = {
    label: [title, agentOf(thread), percent === undefined ? '' : t('{0} % of the window', percent), hiddenText]
      .filter(Boolean)
      .join(', '),
  };
  item.command = { command: 'loci.thread.open', title: t('Open Chat'), arguments: [{ kind: 'thread', thread }] };
  return item;
}

function blockItem(thread: ListedThread, block: Block, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { kind, handle, tool_name: tool, chars, trigger, time, summary_preview: summary } = block;
  const isCompaction = kind === 'compaction';
  const range = `${block.start_message_num ?? '?'}–${block.end_message_num ?? '?'}`;
  const label = isCompaction
    ? t('Messages {0} hidden', range)
    : kind === 'tool_result'
      ? t('Result of {0}', tool ?? '')
      : t('Arguments of {0}', tool ?? '');
  const item = new vscode.TreeItem(label, state);
  item.id = `block:${thread.source}:${thread.id}:${kind}:${handle}`;
  item.description = isCompaction
    ? [trigger === 'manual' ? t('on request') : t('automatic'), time?.slice(11, 16)].filter(Boolean).join(' · ')
    : t('{0} characters', chars ?? 0);
  item.iconPath = new vscode.ThemeIcon(
    isCompaction ? 'fold-down' : kind === 'tool_result' ? 'output' : 'symbol-parameter',
  );
  item.contextValue = 'block';
  item.tooltip = tooltip({ title: label, text: summary, notes: [t('Handle: {0}', handle)] });
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}
