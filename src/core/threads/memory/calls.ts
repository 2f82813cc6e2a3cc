import { UserError } from '../../errors.ts';
import { givenId, type Message, type Thread, type ToolCall } from '../model.ts';
import { archiveRef } from '../view.ts';

/** A tool call with the messages that make and answer it. */
export interface FoundCall {
  readonly call: ToolCall;
  /** Number of the message that makes the call; undefined where the store has lost it. */
  readonly made?: number;
  readonly result?: Message;
}

/** Every tool call of a thread, in order. */
export function callsOf({ messages }: Thread): FoundCall[] {
  const found: FoundCall[] = [];
  const open = new Map<string, number>();
  for (const message of messages) {
    for (const call of message.calls ?? []) {
      open.set(call.id, found.length);
      found.push({ call, made: message.number });
    }
    if (message.answers === undefined) continue;
    const place = open.get(message.answers.id);
    const known = place === undefined ? undefined : found[place];
    if (known && known.result === undefined) found[place!] = { ...known, result: message };
    else found.push({ call: message.answers, result: message });
  }
  return found;
}

/**
 * The call with an id, as stored or as the model gave it. Models may use an id anew in a later turn.
 * @throws UserError `unknown_tool_call` or `ambiguous_tool_call`, with the calls it may be.
 */
export function callWithId(thread: Thread, id: string): FoundCall {
  const calls = callsOf(thread);
  const exact = calls.filter(({ call }) => call.id === id);
  const matching = exact.length > 0 ? exact : calls.filter(({ call }) => givenId(call.id) === id);
  if (matching.length === 1) return matching[0]!;
  const listed = (matching.length > 0 ? matching : calls.slice(-10)).slice(0, 20).map(({ call, made, result }) => ({
    tool_call_id: call.id,
    tool_name: call.name,
    message_index: made ?? null,
    result_message_index: result?.number ?? null,
  }));
  if (matching.length === 0) {
    throw new UserError(
      'unknown_tool_call',
      `This thread has no tool call ${id}.`,
      'Call LIST_RECOVERABLE_BLOCKS for the ids, or pass result_message_index.',
      { tool_calls: listed },
    );
  }
  throw new UserError(
    'ambiguous_tool_call',
    `${matching.length} tool calls of this thread have the id ${id}.`,
    'Pass the full tool_call_id or the result_message_index of the one you mean.',
    { tool_calls: listed },
  );
}

/** The call whose result, or which itself, is in a message. */
export function callInMessage(thread: Thread, number: number): FoundCall {
  const calls = callsOf(thread).filter(({ made, result }) => result?.number === number || made === number);
  const answered = calls.find(({ result }) => result?.number === number);
  if (answered) return answered;
  if (calls.length === 1) return calls[0]!;
  const next =
    calls.length > 1
      ? `It makes several calls: pass one of ${calls.map(({ call }) => call.id).join(', ')} as result_tool_call_id.`
      : 'Pass the message_index that LIST_RECOVERABLE_BLOCKS or SEARCH_MESSAGES gives for a tool result.';
  throw new UserError('no_tool_result', `Message ${number} is no tool result.`, next);
}

/** The call that an archive_ref names; a bare call id is understood as well. */
export function callOfArchive(thread: Thread, ref: string): FoundCall {
  const prefix = archiveRef('');
  return callWithId(thread, ref.startsWith(prefix) ? ref.slice(prefix.length) : ref);
}
