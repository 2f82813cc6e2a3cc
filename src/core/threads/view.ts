import { brief } from '../util/page.ts';
import type { Cleaner } from './clean.ts';
import type { Entry } from './library.ts';
import { type Attachment, isHidden, type Message, type Thread, type ToolCall } from './model.ts';

/** UTF-16 units of arguments that are shown with a message, of one call and of all; the whole is read by its archive_ref. */
const SHOWN_OF_ONE = 600;
const SHOWN_OF_ALL = 1800;
const MOST_CALLS = 20;
const MOST_ATTACHMENTS = 12;

export interface CallView {
  readonly tool_name: string;
  readonly tool_call_id: string;
  readonly arguments: string;
  /** Set when `arguments` is only the beginning: GET_COMPRESSED_PARAM_ARCHIVE reads all. */
  readonly archive_ref?: string;
}

/** What answers show of a message besides its text. */
export interface MessageHead {
  readonly message_num: number;
  readonly role: Message['role'];
  /** ISO 8601. */
  readonly time?: string;
  readonly model?: string;
  readonly agent_id?: string;
  /** Set when the model no longer sees it. */
  readonly hidden?: true;
  readonly failed?: true;
  readonly tool_name?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly CallView[];
  readonly tool_calls_left_out?: number;
  readonly attachments?: Message['attachments'];
}

export function headOf(thread: Thread, message: Message, { clean }: Cleaner, withCalls = true): MessageHead {
  const { number, role, time, model, agent, calls, answers, failed, attachments } = message;
  return {
    message_num: number,
    role,
    ...(time !== undefined && { time: new Date(time).toISOString() }),
    ...(model !== undefined && { model }),
    ...(agent !== undefined && role === 'assistant' && { agent_id: agent }),
    ...(isHidden(thread, number) && { hidden: true as const }),
    ...(failed && { failed }),
    ...(answers && { tool_name: answers.name, tool_call_id: answers.id }),
    ...(calls && withCalls && callViews(calls, clean)),
    ...(attachments && { attachments: attachments.slice(0, MOST_ATTACHMENTS).map(cleaned(clean)) }),
  };
}

/** Addresses may hold secrets too. */
function cleaned(clean: Cleaner['clean']): (attachment: Attachment) => Attachment {
  return ({ name, uri, ...rest }) => ({
    ...rest,
    name: brief(clean(name), 120),
    ...(uri !== undefined && { uri: brief(clean(uri), 200) }),
  });
}

function callViews(
  calls: readonly ToolCall[],
  clean: Cleaner['clean'],
): Pick<MessageHead, 'tool_calls' | 'tool_calls_left_out'> {
  const shown = calls.slice(0, MOST_CALLS);
  const longest = Math.min(SHOWN_OF_ONE, Math.floor(SHOWN_OF_ALL / shown.length));
  const left = calls.length - shown.length;
  return {
    tool_calls: shown.map((call) => callView(call, longest, clean)),
    ...(left > 0 && { tool_calls_left_out: left }),
  };
}

function callView({ id, name, arguments: given }: ToolCall, longest: number, clean: Cleaner['clean']): CallView {
  const text = clean(given);
  const short = text.length > longest;
  return {
    tool_name: name,
    tool_call_id: id,
    arguments: short ? text.slice(0, longest) : text,
    ...(short && { archive_ref: archiveRef(id) }),
  };
}

/** Handle of the arguments of a call. */
export function archiveRef(callId: string): string {
  return `arguments:${callId}`;
}

/** Threads that a call without a known thread may come from: the newest. */
export function candidatesOf(entries: readonly Entry[]): object[] {
  return [...entries]
    .filter(({ digest }) => !digest.background)
    .sort((a, b) => (b.digest.updated ?? 0) - (a.digest.updated ?? 0))
    .slice(0, 5)
    .map(({ digest: { id, title, updated, agents, messages } }) => ({
      thread_id: id,
      title: title.slice(0, 100),
      agent_id: agents.at(-1) ?? null,
      updated: isoTime(updated),
      messages,
    }));
}

/** ISO 8601, or null where the time is not known. */
export function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
