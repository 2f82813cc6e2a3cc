import { compress } from './compress.ts';
import type { History } from './history.ts';
import type { OfferedTool } from './model.ts';
import { toolsWithin } from './offer.ts';
import { visible } from './plan.ts';
import type { TokenCounter } from './token-counter.ts';
import type { Turn } from './turn.ts';
import { usageOf } from './usage.ts';

/** Share of the window that an automatic compaction shrinks the prompt to, in percent. */
const TARGET = 50;

type FitInput = Pick<Turn, 'transcript' | 'model' | 'counter' | 'head' | 'settings' | 'show' | 'now'> & {
  readonly note: string;
  readonly wanted: readonly OfferedTool[];
};

export interface Fit {
  /** The tools that have room. */
  readonly offered: readonly OfferedTool[];
  /** UTF-16 units of a message that have room; undefined for all. */
  maxChars(number: number): number | undefined;
}

/** Share of the room in the window that tools may take. */
const TOOLS_SHARE = 0.5;

/**
 * Makes the next prompt fit the window less its headroom: leaves out tools that would take more than their share,
 * compresses when it would not fit, and where single messages are too large even so, says how much of each to show.
 * Notes in the transcript what the prompt takes.
 */
export async function fitPrompt(input: FitInput, signal: AbortSignal): Promise<Fit> {
  const { transcript, model, counter, head, note, wanted, show, now } = input;
  const { reservedHeadroom, neverCompress } = await input.settings();
  const window = model.maxInputTokens;
  const limit = window * (1 - reservedHeadroom / 100);
  const instructions = (await counter.text(head, signal)) + (await counter.text(note, signal));
  const count = (tool: OfferedTool) => counter.text(JSON.stringify(tool), signal);
  const { tools: offered, tokens: tools } = await toolsWithin(wanted, limit * TOOLS_SHARE, count);
  if (offered.length < wanted.length) {
    show.progress(`${wanted.length - offered.length} tools are left out: the window of ${model.name} is too small.`);
  }
  const overhead = { instructions, tools };
  const measure = () => usageOf(transcript.history, counter, overhead, { model: model.name, window }, signal);
  let usage = await measure();
  if (usage.promptTokens > limit) {
    show.progress('Compressing the conversation…');
    const targetPercentage = Math.min(TARGET, (60 * limit) / window);
    const settings = { version: 'V6', trigger: 'automatic', targetPercentage, neverCompress } as const;
    await compress({ transcript, model, counter, window, overhead, now, ...settings }, signal);
    usage = await measure();
  }
  const { history } = transcript;
  const summary = await counter.text(history.compactions.at(-1)?.summary ?? '', signal);
  const room = limit - instructions - tools - summary;
  const cuts = usage.promptTokens > limit ? await cutsOf(history, counter, room, signal) : new Map();
  await transcript.append({ ...usage, promptTokens: Math.min(usage.promptTokens, window) });
  return { offered, maxChars: (number) => cuts.get(number) };
}

/**
 * How much to show of each message that alone would take too much: the last step's share half of the room, any other
 * message a quarter. Their handles read on.
 */
async function cutsOf(
  history: History,
  counter: TokenCounter,
  room: number,
  signal: AbortSignal,
): Promise<Map<number, number>> {
  const cuts = new Map<number, number>();
  const lastCaller = history.messages.findLastIndex(({ calls }) => calls !== undefined) + 1;
  const last = history.messages[lastCaller - 1]?.calls?.length ?? 1;
  for (const number of visible(history)) {
    const message = history.messages[number - 1]!;
    const tokens = await counter.message(message, signal);
    const most = Math.max(50, room / (number > lastCaller ? Math.max(4, 2 * last) : 4));
    if (tokens > most) cuts.set(number, Math.floor((message.text.length * most) / tokens));
  }
  return cuts;
}
