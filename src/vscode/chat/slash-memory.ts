import * as vscode from 'vscode';
import type { Domains } from '../../core/app.ts';
import type { Compressed } from '../../core/chat/compress.ts';
import { UserError } from '../../core/errors.ts';
import { bar, plain } from './markdown.ts';
import { askOwnMemory, type MemoryOf } from './memory.ts';

/** What /memory shows of GET_STATUS. */
interface Status {
  readonly usage: {
    readonly basis: 'measured' | 'estimated';
    readonly used_tokens: number;
    readonly window_tokens: number | null;
    readonly usage_percentage: number | null;
    readonly buckets: readonly { readonly name: string; readonly tokens: number; readonly percentage: number }[];
  };
  readonly messages_total: number;
  readonly messages_hidden: number;
  readonly compression_history: {
    readonly total_event_count: number;
    readonly events: readonly {
      readonly recovery_id: string;
      readonly time?: string;
      readonly trigger: string;
      readonly hidden_start_message_num: number | null;
      readonly hidden_end_message_num: number | null;
      readonly tokens_before?: number;
      readonly tokens_after?: number;
    }[];
  };
  readonly compression_artifacts: { readonly recoverable_blocks: number };
}

const { t } = vscode.l10n;

/** /memory: how full the window is and with what, the compactions, and what can be recovered. */
export async function showMemory(of: MemoryOf, signal: AbortSignal): Promise<string> {
  if (!(await of.chats.methods.holds({ thread: of.thread })))
    return t('Nothing has been said to @loci in this chat yet.');
  const {
    usage,
    messages_total,
    messages_hidden,
    compression_history: history,
    compression_artifacts,
  } = await askOwnMemory<Status>(of, { action: 'GET_STATUS' }, signal);
  const { used_tokens: used, window_tokens: window, usage_percentage: percent } = usage;
  const full =
    window === null || percent === null
      ? t('{0} tokens', number(used))
      : `\`${bar(percent, 10)}\` ${t('{0} % of the window: {1} of {2} tokens', percent, number(used), number(window))}`;
  const buckets = usage.buckets.map(
    ({ name, tokens, percentage }) => `| ${plain(name)} | ${number(tokens)} | ${percentage} % |`,
  );
  const events = history.events.map((event) => {
    const { recovery_id: id, time, hidden_start_message_num: first, hidden_end_message_num: last } = event;
    const when = time?.slice(0, 16).replace('T', ' ') ?? '';
    const tokens = t('{0} → {1} tokens', count(event.tokens_before), count(event.tokens_after));
    return `- \`${id}\` ${when}, ${event.trigger}: ${t('messages {0}–{1}', first ?? '?', last ?? '?')}, ${tokens}`;
  });
  return [
    `**${t('Memory of this chat')}** ${full}${usage.basis === 'estimated' ? ` (${t('estimated')})` : ''}`,
    `| ${t('Bucket')} | ${t('Tokens')} | ${t('Share')} |\n|---|---:|---:|\n${buckets.join('\n')}`,
    t('{0} messages, {1} of them hidden from the model; nothing is lost.', messages_total, messages_hidden),
    ...(events.length > 0
      ? [
          `${t('Compactions:')}\n${events.join('\n')}`,
          t('{0} blocks can be recovered: `/recover` lists them.', compression_artifacts.recoverable_blocks),
        ]
      : [t('It has not been compacted.')]),
  ].join('\n\n');
}

/** /compress: now, to a share of the window that may be named. */
export async function compressNow({ chats, thread }: MemoryOf, given: string, signal: AbortSignal): Promise<string> {
  const words = given.split(/\s+/).filter(Boolean);
  const version = words.find((word) => /^v\d+$/i.test(word)) ?? null;
  const target = words.find((word) => /^\d{1,3}\s*%?$/.test(word));
  const target_percentage = target === undefined ? 50 : Number.parseInt(target, 10);
  if (words.length > (version ? 1 : 0) + (target ? 1 : 0) || target_percentage < 1 || target_percentage > 100) {
    throw new UserError(
      'invalid_input',
      t('/compress does not know "{0}".', given),
      t('Write /compress, /compress 30 for a share of the window in percent, or /compress V3.'),
    );
  }
  return compressedText(
    await chats.methods.compress({ thread, target_percentage, compression_version: version }, signal),
  );
}

/** What came of a compression, in a sentence or two. */
export function compressedText(result: Awaited<ReturnType<Domains['chat']['compress']>>): string {
  const warnings = result.warnings ?? [];
  return [sentence(result), result.note, ...warnings].filter(Boolean).join(' ');
}

function sentence({ status, usage_percentage_before, usage_percentage_after, ...result }: Compressed): string {
  if (status === 'nothing_to_compress') return t('There is nothing to compress.');
  const by =
    result.summarized_by === 'extract' || result.summarized_by === undefined
      ? t('The summary was put together without a model.')
      : t('{0} wrote the summary.', plain(result.summarized_by));
  return `${t(
    '{0} messages are hidden behind a summary and can be recovered ({1}). Usage went from {2} % to {3} % of the window.',
    result.messages_hidden,
    `\`/recover ${result.recovery_id}\``,
    usage_percentage_before,
    usage_percentage_after,
  )} ${by}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function count(value: number | undefined): string {
  return value === undefined ? '?' : number(value);
}
