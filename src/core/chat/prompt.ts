import type { History } from './history.ts';
import type { PromptImage, PromptMessage, PromptPart } from './model.ts';
import type { ChatMessage } from './records.ts';

export interface PromptOptions {
  /** Instructions that come first. */
  readonly head: string;
  /** What the model is told besides, after the summary; empty for nothing. */
  readonly note?: string;
  /** UTF-16 units of a message's text that are shown; undefined for all. */
  maxChars?(number: number): number | undefined;
  /** Pictures that tools returned in this turn, by call id. */
  readonly images?: ReadonlyMap<string, readonly PromptImage[]>;
}

/**
 * The messages as the model gets them: instructions, the last summary, then what is not hidden. Every call is followed by
 * its result, as models require; a hidden result of a visible call leaves its handle behind.
 */
export function promptOf(history: History, { head, note = '', maxChars, images }: PromptOptions): PromptMessage[] {
  const { messages, compactions } = history;
  const results = new Map<string, number>();
  const callers = new Map<string, number>();
  for (const [i, { answers, calls }] of messages.entries()) {
    if (answers) results.set(answers.id, i + 1);
    for (const { id } of calls ?? []) callers.set(id, i + 1);
  }
  const shown = (number: number): string => {
    const { text, answers } = messages[number - 1]!;
    return cutText(text, maxChars?.(number), number, answers?.id);
  };
  const isVisible = (number: number | undefined) => number !== undefined && !history.isHidden(number);

  const resultOf = (callId: string): PromptPart => {
    const number = results.get(callId);
    if (number === undefined) {
      return {
        type: 'result',
        id: callId,
        text: 'There is no result: the call was interrupted. Make it again if it is needed.',
      };
    }
    if (!isVisible(number)) return { type: 'result', id: callId, text: stub(messages[number - 1]!, number) };
    const pictures = images?.get(callId);
    return { type: 'result', id: callId, text: shown(number), ...(pictures && { images: pictures }) };
  };

  const view: PromptMessage[] = [said('user', head)];
  const summary = compactions.at(-1)?.summary;
  if (summary) view.push(said('user', summary));
  if (note) view.push(said('user', note));
  for (const [i, message] of messages.entries()) {
    const number = i + 1;
    // That a model failed is told to the person only.
    if (!isVisible(number) || (message.role === 'system' && message.failed)) continue;
    if (message.role === 'tool') {
      // Its place is right after its call.
      if (isVisible(callers.get(message.answers?.id ?? ''))) continue;
      view.push(said('user', `[message ${number}: result of ${message.answers?.name}]\n${shown(number)}`));
    } else if (message.role !== 'assistant') view.push(said('user', shown(number)));
    else {
      const calls = (message.calls ?? []).map(
        ({ id, name, arguments: input }): PromptPart => ({ type: 'call', id, name, input: inputOf(input) }),
      );
      const parts: PromptPart[] = message.text === '' ? calls : [{ type: 'text', text: shown(number) }, ...calls];
      if (parts.length > 0) view.push({ role: 'assistant', parts });
      if (calls.length > 0) view.push({ role: 'user', parts: (message.calls ?? []).map(({ id }) => resultOf(id)) });
    }
  }
  return view;
}

function said(role: PromptMessage['role'], text: string): PromptMessage {
  return { role, parts: [{ type: 'text', text: text === '' ? ' ' : text }] };
}

function inputOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** What stands for a hidden result. */
function stub({ text, answers }: ChatMessage, number: number): string {
  return `[message ${number} is hidden: ${text.length} characters. ${readOn(number, answers?.id, 0)}]`;
}

function cutText(text: string, most: number | undefined, number: number, callId: string | undefined): string {
  if (most === undefined || text.length <= most) return text;
  const code = text.charCodeAt(most - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
  return `${text.slice(0, end)}\n[Cut: ${end} of ${text.length} characters of message ${number}. ${readOn(number, callId, end)}]`;
}

/** The call that reads a message from an offset on. */
function readOn(number: number, callId: string | undefined, offset: number): string {
  return callId === undefined
    ? `To read it: loci_manage_thread_memory(action="GET_HIDDEN_MESSAGES", start_message_num=${number}, end_message_num=${number}, hidden_content_offset=${offset})`
    : `To read it: loci_manage_thread_memory(action="GET_COMPRESSED_TOOL_RESULT", result_tool_call_id="${callId}", result_offset=${offset})`;
}
