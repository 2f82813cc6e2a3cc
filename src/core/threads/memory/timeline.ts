import { redact } from '../../redact/redact.ts';
import { estimateTokens } from '../../search/cut.ts';
import type { Compaction, Message, Thread } from '../model.ts';
import { overhead } from './usage.ts';

/** How full the window was after each message, and what each compaction freed. Tokens are estimated from the text. */
export interface Timeline {
  readonly thread_id: string;
  readonly title: string;
  readonly window: number | null;
  readonly points: readonly TimelinePoint[];
  readonly compactions: readonly TimelineCompaction[];
}

export interface TimelinePoint {
  readonly number: number;
  readonly role: Message['role'];
  readonly tool?: string;
  /** Of the message alone. */
  readonly tokens: number;
  /** Of instructions, summary and visible messages together. */
  readonly total: number;
}

export interface TimelineCompaction {
  readonly id: string;
  /** Number of the last message before it. */
  readonly after: number;
  readonly hidden_to: number;
  readonly trigger: Compaction['trigger'];
  /** Total right after it. */
  readonly total: number;
}

export function timelineOf(thread: Thread): Timeline {
  const { id, title, window, messages, compactions, usage } = thread;
  const base = overhead(usage).reduce((sum, { tokens }) => sum + tokens, 0);
  const tokens = messages.map(tokensOf);
  const due = compactions.map((compaction) => ({ compaction, after: placeOf(compaction, messages) }));
  const points: TimelinePoint[] = [];
  const done: TimelineCompaction[] = [];
  let total = base;
  for (const [i, { number, role, answers }] of messages.entries()) {
    total += tokens[i]!;
    points.push({ number, role, ...(answers && { tool: answers.name }), tokens: tokens[i]!, total });
    while (due[0] && due[0].after <= number) {
      const { compaction, after } = due.shift()!;
      total = base + estimateTokens(compaction.summary) + visibleTokens(compaction, tokens, number);
      const { id: handle, hiddenTo, trigger } = compaction;
      done.push({ id: handle, after: Math.max(after, 1), hidden_to: hiddenTo, trigger, total });
    }
  }
  return { thread_id: id, title: redact(title).text, window: window ?? null, points, compactions: done };
}

/** A compaction stands after the messages it hides and all that were said before its time. */
function placeOf({ hiddenTo, time }: Compaction, messages: readonly Message[]): number {
  const last = time === undefined ? undefined : messages.findLast((message) => (message.time ?? Infinity) <= time);
  return Math.max(hiddenTo, last?.number ?? 0);
}

function visibleTokens({ hiddenTo, kept = [] }: Compaction, tokens: readonly number[], upTo: number): number {
  let sum = 0;
  for (let number = hiddenTo + 1; number <= upTo; number++) sum += tokens[number - 1]!;
  for (const number of kept) sum += tokens[number - 1]!;
  return sum;
}

function tokensOf({ text, calls = [] }: Message): number {
  return calls.reduce((sum, call) => sum + estimateTokens(call.arguments), estimateTokens(text));
}
