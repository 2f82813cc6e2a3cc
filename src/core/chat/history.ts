import type { ChatCompaction, ChatMessage, ChatUsage, TranscriptRecord } from './records.ts';

/** A thread as its transcript tells it. Nothing is ever taken out of `messages`: compactions only hide. */
export interface History {
  readonly messages: readonly ChatMessage[];
  readonly compactions: readonly ChatCompaction[];
  readonly usage: ChatUsage | undefined;
  /** Number of the message with an id; undefined where the transcript has none. */
  numberOf(id: string): number | undefined;
  /** True for a message that the model no longer sees. */
  isHidden(number: number): boolean;
  /** Messages 1 to this number may be hidden. */
  readonly hiddenTo: number;
}

/** A history that records are added to in the order of the file. */
export function createHistory(): History & { add(record: TranscriptRecord): void } {
  const messages: ChatMessage[] = [];
  const compactions: ChatCompaction[] = [];
  const numbers = new Map<string, number>();
  let usage: ChatUsage | undefined;
  let hiddenTo = 0;
  let kept: ReadonlySet<string> = new Set();
  return {
    messages,
    compactions,
    get usage() {
      return usage;
    },
    get hiddenTo() {
      return hiddenTo;
    },
    numberOf: (id) => numbers.get(id),
    isHidden: (number) => number <= hiddenTo && !kept.has(messages[number - 1]?.id ?? ''),
    add(record) {
      if (record.kind === 'message') {
        messages.push(record);
        numbers.set(record.id, messages.length);
      } else if (record.kind === 'compaction') {
        compactions.push(record);
        // What an earlier compaction hid stays hidden, also when two windows compacted at the same time.
        hiddenTo = Math.max(hiddenTo, numbers.get(record.through) ?? 0);
        kept = new Set(record.kept);
      } else if (record.kind === 'usage') usage = record;
    },
  };
}
