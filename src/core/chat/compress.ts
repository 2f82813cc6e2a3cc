import { randomUUID } from 'node:crypto';
import { handleLines, proseOf, summaryText, withoutFalseHandles } from './handles.ts';
import type { History } from './history.ts';
import type { Model } from './model.ts';
import { type Plan, planOldest, planResults } from './plan.ts';
import type { ChatCompaction, CompressionVersion } from './records.ts';
import { summarize } from './summarize.ts';
import type { TokenCounter } from './token-counter.ts';
import type { Transcript } from './transcript.ts';
import { type Overhead, usageOf } from './usage.ts';

export interface CompressInput {
  readonly transcript: Transcript;
  /** Writes the summary; without one it is put together from the messages. */
  readonly model: Model | undefined;
  readonly counter: TokenCounter;
  /** Input window, in tokens. */
  readonly window: number;
  readonly overhead: Overhead;
  /** Share of the window to be used afterwards, in percent. */
  readonly targetPercentage: number;
  readonly version: CompressionVersion;
  readonly trigger: ChatCompaction['trigger'];
  readonly neverCompress: readonly string[];
  now(): number;
}

export interface Compressed {
  readonly status: 'compressed' | 'nothing_to_compress';
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly window: number;
  readonly usage_percentage_before: number;
  readonly usage_percentage_after: number;
  /** Messages that this compaction hid. */
  readonly messages_hidden: number;
  readonly compression_version: CompressionVersion;
  readonly recovery_id?: string;
  /** Model that wrote the summary, or `extract` where none did. */
  readonly summarized_by?: string;
  readonly note?: string;
}

/** Hiding less than this would not pay for its summary. */
const LEAST_HIDDEN = 200;
/** Tokens of a summary's fixed sentences, and of one line of handles. */
const FRAME = 150;
const LINE = 40;

/** Words of prose and lines of handles that a summary may have in a window, and the tokens it then takes. */
function summarySize(window: number): { words: number; lines: number; tokens: number } {
  const prose = Math.min(2500, Math.floor(window * 0.05));
  const lines = Math.max(3, Math.min(40, Math.floor((window * 0.03) / LINE)));
  return { words: Math.floor(prose * 0.6), lines, tokens: FRAME + prose + lines * LINE };
}

/**
 * Hides messages until the prompt takes the target's share of the window, and puts a summary with numbered handles in
 * their place. Asked for although the target is met, it halves what the messages take. Never fails for want of a model.
 */
export async function compress(input: CompressInput, signal: AbortSignal): Promise<Compressed> {
  const { transcript, counter, window, overhead, targetPercentage, version, neverCompress, trigger } = input;
  await transcript.refresh();
  const { history } = transcript;
  const about = { model: history.usage?.model ?? input.model?.name ?? '', window };
  const { promptTokens: before } = await usageOf(history, counter, overhead, about, signal);
  const result = (after: number) => ({
    tokens_before: before,
    tokens_after: after,
    window,
    usage_percentage_before: percent(before, window),
    usage_percentage_after: percent(after, window),
    compression_version: version,
  });
  const nothing = (note: string): Compressed => ({
    status: 'nothing_to_compress',
    ...result(before),
    messages_hidden: 0,
    note,
  });

  const tokens = await tokensOf(history, counter, signal);
  const fixed = overhead.instructions + overhead.tools;
  const target = (window * targetPercentage) / 100 - fixed - summarySize(window).tokens;
  const room = Math.max(0, Math.min(target, (before - fixed) / 2));
  const plan = (version === 'V3' ? planResults : planOldest)({ history, tokens, room, neverCompress });
  if (plan === undefined) {
    return nothing(
      version === 'V3'
        ? 'V3 hides tool results only, and none that is long enough can be hidden. V6 summarizes all messages.'
        : 'The last question and the last step always stay; there is nothing before them.',
    );
  }
  const freed = plan.hides.reduce((sum, number) => sum + tokens[number - 1]!, 0);
  if (freed < LEAST_HIDDEN) return nothing(`Only ${freed} tokens could be hidden, less than a summary takes.`);

  const { summary, by } = await summaryOf(input, plan, signal);
  const idAt = (number: number) => history.messages[number - 1]!.id;
  const record: ChatCompaction = {
    kind: 'compaction',
    id: `compaction-${randomUUID()}`,
    time: input.now(),
    trigger,
    version,
    summary,
    through: idAt(plan.hiddenTo),
    kept: plan.kept.map(idAt),
    tokensBefore: before,
    tokensAfter: 0,
    ...(by !== undefined && { model: by }),
  };
  // Not counted anew: while a model wrote the summary, the thread may have grown.
  const left = tokens.reduce((sum, count) => sum + count, 0) - freed;
  const after = fixed + (await counter.text(summary, signal)) + left;
  await transcript.append({ ...record, tokensAfter: after });
  await transcript.append(await usageOf(transcript.history, counter, overhead, about, signal));
  return {
    status: 'compressed',
    ...result(after),
    messages_hidden: plan.hides.length,
    recovery_id: `compaction-${transcript.history.compactions.length}`,
    summarized_by: by ?? 'extract',
    ...(percent(after, window) > targetPercentage && {
      note: 'The target could not be reached: what is left is the last step, the last question and what may not be compressed.',
    }),
  };
}

async function summaryOf(
  { transcript, model, window, version, neverCompress }: CompressInput,
  { hiddenTo, kept, hides }: Plan,
  signal: AbortSignal,
): Promise<{ summary: string; by: string | undefined }> {
  const { history } = transcript;
  const before = proseOf(history.compactions.at(-1)?.summary ?? '');
  const { words, lines } = summarySize(window);
  const prose =
    version === 'V3'
      ? { text: [before, 'Long tool results were hidden one by one.'].filter(Boolean).join('\n') }
      : await summarize({ history, before, numbers: hides }, model, words, signal);
  const isHidden = (number: number) => number <= hiddenTo && !kept.includes(number);
  const hiddenSkills = new Set<string>();
  for (const [i, { attachments = [] }] of history.messages.entries()) {
    for (const { kind, name } of attachments) {
      if (kind === 'skill' && isHidden(i + 1) && !neverCompress.includes(name)) hiddenSkills.add(name);
    }
  }
  const parts = {
    prose: withoutFalseHandles(prose.text, hiddenTo),
    handles: handleLines(history, { hiddenTo, isHidden, lines }),
  };
  return { summary: summaryText(parts, hiddenTo, [...hiddenSkills]), by: 'model' in prose ? prose.model : undefined };
}

/** Tokens of every message that the model sees; 0 for the hidden ones. */
async function tokensOf(history: History, counter: TokenCounter, signal: AbortSignal): Promise<number[]> {
  return Promise.all(
    history.messages.map((message, i) => (history.isHidden(i + 1) ? 0 : counter.message(message, signal))),
  );
}

function percent(tokens: number, window: number): number {
  return Math.round((tokens * 1000) / window) / 10;
}
