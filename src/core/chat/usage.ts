import type { History } from './history.ts';
import { visible } from './plan.ts';
import type { ChatUsage } from './records.ts';
import type { TokenCounter } from './token-counter.ts';

/** Tokens of every prompt that are no messages. */
export interface Overhead {
  readonly instructions: number;
  readonly tools: number;
}

const INSTRUCTIONS = 'System instructions';
const TOOLS = 'Tool definitions';

/** What the thread's last counted prompt took besides messages. */
export function overheadIn({ usage }: History): Overhead {
  const tokensOf = (name: string) => usage?.buckets.find((bucket) => bucket.name === name)?.tokens ?? 0;
  return { instructions: tokensOf(INSTRUCTIONS), tools: tokensOf(TOOLS) };
}

/** Counts what the prompt takes as it would be sent now, by bucket. */
export async function usageOf(
  history: History,
  counter: TokenCounter,
  { instructions, tools }: Overhead,
  { model, window }: Pick<ChatUsage, 'model' | 'window'>,
  signal: AbortSignal,
): Promise<ChatUsage> {
  const said = { user: 0, assistant: 0, tool: 0, system: 0 };
  for (const number of visible(history)) {
    const message = history.messages[number - 1]!;
    said[message.role] += await counter.message(message, signal);
  }
  const buckets = [
    { name: INSTRUCTIONS, tokens: instructions },
    { name: TOOLS, tokens: tools },
    { name: 'Conversation summary', tokens: await counter.text(history.compactions.at(-1)?.summary ?? '', signal) },
    { name: 'Skills and notes', tokens: said.system },
    { name: 'User messages', tokens: said.user },
    { name: 'Assistant messages', tokens: said.assistant },
    { name: 'Tool results', tokens: said.tool },
  ].filter(({ tokens }) => tokens > 0);
  const promptTokens = buckets.reduce((sum, { tokens }) => sum + tokens, 0);
  return { kind: 'usage', after: history.messages.at(-1)!.id, model, window, promptTokens, buckets };
}
