import { UserError } from '../../errors.ts';
import { PAGE_BYTES } from '../../util/page.ts';
import { chunkOf, type TextChunk } from '../chunk.ts';
import { createCleaner } from '../clean.ts';
import { isHidden, type Thread } from '../model.ts';
import { archiveRef } from '../view.ts';
import { callInMessage, callOfArchive, callWithId, type FoundCall } from './calls.ts';
import { hiddenMessages } from './hidden.ts';
import type { MemoryInput } from './input.ts';

/** UTF-16 units of a result: without being asked, at most when asked for a number, and when asked for all. */
const RESULT_CHARS = 4000;
const MOST_RESULT_CHARS = 12_000;
const ALL_RESULT_CHARS = 50_000;
/** JSON bytes that the rest of an answer takes. */
const ABOUT = 900;

/** A tool's result, word by word; hidden or not. */
export function toolResult(thread: Thread, input: MemoryInput) {
  const { result_tool_call_id: id, result_message_index: index } = input;
  if (id === '' && index === null) {
    throw new UserError(
      'missing_handle',
      'GET_COMPRESSED_TOOL_RESULT needs to know which tool call is meant.',
      'Pass result_tool_call_id, or result_message_index; LIST_RECOVERABLE_BLOCKS gives both.',
    );
  }
  return resultOf(thread, id === '' ? callInMessage(thread, index!) : callWithId(thread, id), input);
}

function resultOf(thread: Thread, found: FoundCall, { result_offset: offset, result_max_chars: wanted }: MemoryInput) {
  const { call, made, result } = found;
  if (result === undefined) {
    throw new UserError(
      'no_result',
      `The call ${call.id} of ${call.name} has no stored result: it was cancelled, is still running, or its store keeps none.`,
      'Make the call again, or read its arguments with GET_COMPRESSED_PARAM_ARCHIVE.',
    );
  }
  const maxChars =
    wanted === null ? RESULT_CHARS : wanted === 0 ? ALL_RESULT_CHARS : Math.min(wanted, MOST_RESULT_CHARS);
  const cleaner = createCleaner();
  const chunk = chunkOf(cleaner.clean(result.text), offset, maxChars, bytesFor(wanted));
  const hidden = isHidden(thread, result.number);
  return {
    action: 'GET_COMPRESSED_TOOL_RESULT',
    thread_id: thread.id,
    status: hidden ? 'recovered' : 'not_compressed',
    ...(!hidden && {
      nothing_lost: true,
      note: 'This result is still visible in the thread, and is quoted here. Repeat the call only if this answer is itself an error.',
    }),
    tool_name: call.name,
    tool_call_id: call.id,
    message_index: made ?? result.number,
    result_message_index: result.number,
    ...(result.failed && { failed: true }),
    ...valueChunk(chunk),
    redacted: cleaner.redacted,
  };
}

/** The arguments of a tool call, word by word. */
export function paramArchive(thread: Thread, input: MemoryInput) {
  if (input.archive_ref === '') {
    throw new UserError(
      'missing_handle',
      'GET_COMPRESSED_PARAM_ARCHIVE needs archive_ref.',
      'LIST_RECOVERABLE_BLOCKS and read_thread give it with a call; the tool_call_id does as well.',
    );
  }
  return archiveOf(thread, callOfArchive(thread, input.archive_ref), input);
}

function archiveOf(thread: Thread, { call, made }: FoundCall, { archive_offset, archive_max_chars }: MemoryInput) {
  const cleaner = createCleaner();
  const bytes = archive_max_chars <= RESULT_CHARS ? PAGE_BYTES - ABOUT : Number.POSITIVE_INFINITY;
  const chunk = chunkOf(cleaner.clean(call.arguments), archive_offset, archive_max_chars, bytes);
  const hidden = made !== undefined && isHidden(thread, made);
  return {
    action: 'GET_COMPRESSED_PARAM_ARCHIVE',
    thread_id: thread.id,
    status: hidden ? 'recovered' : 'not_compressed',
    ...(!hidden && { nothing_lost: true }),
    archive_ref: archiveRef(call.id),
    tool_name: call.name,
    tool_call_id: call.id,
    message_index: made ?? null,
    ...valueChunk(chunk),
    redacted: cleaner.redacted,
  };
}

/** Recovers whatever a handle names: a compaction, a tool call, the arguments of one, or messages by number. */
export function recover(thread: Thread, input: MemoryInput) {
  const handle = input.recover_handle.trim();
  if (handle === '') {
    throw new UserError(
      'missing_handle',
      'RECOVER needs recover_handle.',
      'Pass a handle of LIST_RECOVERABLE_BLOCKS: a recovery_id, tool_call_id or archive_ref; or message numbers such as 42 or 12-19.',
    );
  }
  const compaction = thread.compactions.find(({ id }) => id === handle);
  if (compaction) return { recovered_as: 'recovery_id', ...hiddenMessages(thread, { ...input, recovery_id: handle }) };
  const range = /^(?:messages?[:-])?(\d{1,9})(?:[-–](\d{1,9}))?$/.exec(handle);
  if (range) {
    const start = Number(range[1]);
    const numbers = { start_message_num: start, end_message_num: Number(range[2] ?? start) };
    return { recovered_as: 'message_numbers', ...hiddenMessages(thread, { ...input, ...numbers }) };
  }
  if (handle.startsWith(archiveRef(''))) {
    return { recovered_as: 'archive_ref', ...archiveOf(thread, callOfArchive(thread, handle), input) };
  }
  const message = thread.messages.find(({ id }) => id === handle);
  if (message) {
    return { recovered_as: 'hidden_node_id', ...hiddenMessages(thread, { ...input, hidden_node_id: handle }) };
  }
  return { recovered_as: 'tool_call_id', ...resultOf(thread, callWithId(thread, handle), input) };
}

/** Unless the caller asks for a size, an answer stays below what the editor passes on whole. */
function bytesFor(wanted: number | null): number {
  return wanted === null ? PAGE_BYTES - ABOUT : Number.POSITIVE_INFINITY;
}

function valueChunk({ value, ...place }: TextChunk) {
  return { value_chunk: value, ...place };
}
