import { jsonBytes, PAGE_BYTES } from '../util/page.ts';
import { chunkOf } from './chunk.ts';
import { createCleaner, redactedIn } from './clean.ts';
import type { Found } from './library.ts';
import { hiddenCount, type Message } from './model.ts';
import { headOf, type MessageHead } from './view.ts';

export interface ReadInput {
  readonly include_tool_calls: boolean;
  /** Number of the first message. */
  readonly start_message_num: number;
  readonly limit: number;
  /** UTF-16 units of the first message to skip. */
  readonly content_offset: number;
  readonly response_format: 'formatted' | 'structured';
}

/** A message, or the part of a long one that had room. */
export type ReadMessage = MessageHead & {
  readonly content: string;
  readonly content_offset?: number;
  readonly content_chars?: number;
};

/** JSON bytes that a part of a long message must have to be worth a place at the end of a page. */
const LEAST_PART = 1500;

/** A page of a thread: whole messages while there is room, and a message longer than a page in parts. */
export function readThread({ thread, file }: Found, input: ReadInput) {
  const cleaner = createCleaner();
  const withTools = input.include_tool_calls;
  const wanted = thread.messages.filter(
    (message) => message.number >= input.start_message_num && (withTools || isSaid(message)),
  );
  const about = {
    thread_id: thread.id,
    title: cleaner.clean(thread.title).slice(0, 300),
    agent_id: thread.agents.at(-1) ?? null,
    source: thread.source,
    ...(file.workspace && { workspace: file.workspace }),
    ...(thread.updated !== undefined && { updated: new Date(thread.updated).toISOString() }),
    messages_total: thread.messages.length,
    messages_hidden: hiddenCount(thread),
  };
  const messages: ReadMessage[] = [];
  let room = PAGE_BYTES - jsonBytes(about) - 300;
  let next: { message_num: number; content_offset: number } | undefined;
  for (const [i, message] of wanted.entries()) {
    const skipped = i === 0 && message.number === input.start_message_num ? input.content_offset : 0;
    if (messages.length === input.limit) next = { message_num: message.number, content_offset: 0 };
    if (next) break;
    const head = headOf(thread, message, cleaner, withTools);
    const space = room - jsonBytes(head) - 80;
    const text = cleaner.clean(message.text);
    const fits = text.length - skipped <= space && jsonBytes(text.slice(skipped)) <= space;
    if (!fits && messages.length > 0 && space < LEAST_PART) {
      next = { message_num: message.number, content_offset: 0 };
      break;
    }
    const chunk = chunkOf(text, skipped, PAGE_BYTES, Math.max(space, 200));
    const part = skipped > 0 || chunk.has_more;
    const shown = { ...head, content: chunk.value };
    messages.push(part ? { ...shown, content_offset: skipped, content_chars: chunk.total_chars } : shown);
    room -= jsonBytes(messages.at(-1)) + 1;
    if (chunk.has_more) next = { message_num: message.number, content_offset: chunk.next_offset! };
  }
  const toolMessages = withTools ? 0 : thread.messages.length - thread.messages.filter(isSaid).length;
  return {
    ...about,
    ...(input.response_format === 'formatted' ? { content: messages.map(formatted).join('\n\n') } : { messages }),
    returned: messages.length,
    has_more: next !== undefined,
    next_message_num: next?.message_num ?? null,
    next_content_offset: next?.content_offset ?? null,
    ...(toolMessages > 0 && { tool_messages_left_out: toolMessages }),
    redacted: redactedIn(messages),
    ...(thread.warnings.length > 0 && { warnings: thread.warnings.slice(0, 5) }),
  };
}

/** Somebody said it: neither a tool's result nor a message that only calls tools. */
function isSaid({ role, text }: Message): boolean {
  return role !== 'tool' && text.trim() !== '';
}

function formatted(message: ReadMessage): string {
  const { message_num: number, role, time, agent_id: agent, hidden, tool_name: tool, tool_calls: calls } = message;
  const who = role === 'tool' ? `tool ${tool}` : role === 'assistant' && agent ? `assistant (${agent})` : role;
  const part = message.content_chars ? `, from character ${message.content_offset} of ${message.content_chars}` : '';
  const head = `#${number} ${who}${time ? ` ${time.slice(0, 16).replace('T', ' ')}` : ''}${hidden ? ', hidden' : ''}${part}`;
  const called = (calls ?? []).map((call) => `→ ${call.tool_name} ${call.arguments}${call.archive_ref ? '…' : ''}`);
  const attached = (message.attachments ?? []).map(({ kind, name }) => `+ ${kind} ${name}`);
  return [head, message.content, ...called, ...attached].filter(Boolean).join('\n');
}
