import { UserError } from '../../errors.ts';
import { jsonBytes, PAGE_BYTES } from '../../util/page.ts';
import { chunkOf } from '../chunk.ts';
import { createCleaner, redactedIn } from '../clean.ts';
import { type Compaction, hiddenCount, isHidden, type Message, type Thread } from '../model.ts';
import { headOf, type MessageHead } from '../view.ts';
import type { MemoryInput } from './input.ts';

/** UTF-16 units of one message, unless the caller says. */
const CONTENT_CHARS = 3000;
const LEAST_PART = 400;

export type HiddenMessage = MessageHead & {
  readonly node_id: string;
  readonly value_chunk: string;
  readonly offset: number;
  readonly total_chars: number;
  readonly has_more: boolean;
  readonly next_offset: number | null;
};

/**
 * Messages that the model no longer sees, word by word: by number, by the compaction that hid them, or all in pages. A
 * number of a visible message is answered too, and said to be visible.
 */
export function hiddenMessages(thread: Thread, input: MemoryInput) {
  const selected = select(thread, input);
  const cleaner = createCleaner();
  const messages: HiddenMessage[] = [];
  const maxChars = input.hidden_content_max_chars ?? CONTENT_CHARS;
  // A size the caller asks for is kept; without one, the answer stays below what the editor passes on whole.
  let room = input.hidden_content_max_chars === null ? PAGE_BYTES - 600 : Number.POSITIVE_INFINITY;
  const page = selected.slice(input.hidden_offset, input.hidden_offset + input.hidden_max_messages);
  for (const message of page) {
    const head = headOf(thread, message, cleaner);
    const offset = messages.length === 0 ? input.hidden_content_offset : 0;
    const space = room - jsonBytes(head) - 200;
    if (messages.length > 0 && space < Math.min(LEAST_PART, message.text.length)) break;
    const { value, ...place } = chunkOf(cleaner.clean(message.text), offset, maxChars, Math.max(space, 100));
    messages.push({ ...head, node_id: message.id, value_chunk: value, ...place });
    room -= jsonBytes(messages.at(-1)) + 1;
  }
  const end = input.hidden_offset + messages.length;
  const more = end < selected.length;
  const visible = messages.filter(({ hidden }) => !hidden).length;
  return {
    action: 'GET_HIDDEN_MESSAGES',
    thread_id: thread.id,
    status: messages.length === 0 ? 'nothing_hidden' : visible === messages.length ? 'not_compressed' : 'recovered',
    ...(visible > 0 && {
      nothing_lost: true,
      note: `${visible} of these messages are still visible to the model.`,
    }),
    hidden_total: hiddenCount(thread),
    selected_total: selected.length,
    messages,
    has_more: more,
    /** Pass as hidden_offset. */
    next_offset: more ? end : null,
    redacted: redactedIn(messages),
  };
}

function select(thread: Thread, input: MemoryInput): readonly Message[] {
  const { messages } = thread;
  if (input.hidden_node_id !== '') {
    const found = messages.find(({ id }) => id === input.hidden_node_id);
    if (!found) throw unknown(`message with the node id ${input.hidden_node_id}`);
    return [found];
  }
  const { start_message_num: first, end_message_num: last, hidden_message_index: index } = input;
  if (first !== null || last !== null) {
    const [start, end] = [first ?? 1, last ?? messages.length];
    if (start > end || start > messages.length) {
      throw new UserError(
        'bad_range',
        `There are no messages ${start} to ${end}: the thread has ${messages.length}.`,
        'Pass numbers from 1 on, the lower one as start_message_num.',
      );
    }
    return messages.slice(start - 1, end);
  }
  if (index !== null) {
    const found = messages[index - 1];
    if (!found) throw unknown(`message ${index}`);
    return [found];
  }
  const [from, to] = input.recovery_id === '' ? [1, messages.length] : rangeOf(thread, input.recovery_id);
  return messages.slice(from - 1, to).filter(({ number }) => isHidden(thread, number));
}

/** The messages that one compaction was the first to hide. */
export function ownRange(compactions: readonly Compaction[], layer: number): [number, number] {
  return [(compactions[layer - 1]?.hiddenTo ?? 0) + 1, compactions[layer]!.hiddenTo];
}

function rangeOf({ compactions }: Thread, id: string): [number, number] {
  const layer = compactions.findIndex((compaction) => compaction.id === id);
  if (layer < 0) throw unknown(`compaction ${id}`);
  return ownRange(compactions, layer);
}

function unknown(what: string): UserError {
  return new UserError(
    'unknown_handle',
    `This thread has no ${what}.`,
    'Call LIST_RECOVERABLE_BLOCKS or SEARCH_MESSAGES for the handles there are.',
  );
}
