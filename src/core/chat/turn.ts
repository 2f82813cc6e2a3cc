import type { UserError } from '../errors.ts';
import { compress } from './compress.ts';
import { fitPrompt } from './fit.ts';
import { keepAnswer, keepSaid, type Said } from './keep.ts';
import { type Model, ModelError, modelFailure, type OfferedTool, type PromptImage } from './model.ts';
import { promptOf } from './prompt.ts';
import type { ChatAttachment } from './records.ts';
import type { TokenCounter } from './token-counter.ts';
import type { Transcript } from './transcript.ts';
import { orAborted, untilAborted } from './until-aborted.ts';

export interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

export interface ToolAnswer {
  readonly text: string;
  readonly failed?: boolean;
  readonly images?: readonly PromptImage[];
  /** Skills whose instructions the text holds. */
  readonly skills?: readonly string[];
  /** True when the run's budget was already used up. */
  readonly exhausted?: boolean;
}

/** What the agent may do. */
export interface TurnTools {
  /** The tools that are on offer now: what an earlier call of the turn activated is among them. */
  offer(signal: AbortSignal): Promise<readonly OfferedTool[]>;
  /** Makes a call; what goes wrong with it is an answer too. */
  call(call: CalledTool, signal: AbortSignal): Promise<ToolAnswer>;
}

export interface TurnSettings {
  /** Share of the window to keep free, in percent. */
  readonly reservedHeadroom: number;
  readonly neverCompress: readonly string[];
}

export interface Turn {
  readonly transcript: Transcript;
  readonly prompt: string;
  readonly attachments: readonly ChatAttachment[];
  readonly model: Model;
  readonly counter: TokenCounter;
  readonly tools: TurnTools;
  /** Instructions of the agent. */
  readonly head: string;
  /** Skills that the thread starts with, handed over before its first message. */
  readonly startSkills: readonly { readonly name: string; readonly text: string }[];
  /** Read anew before each request: a call may have changed them. */
  settings(): Promise<TurnSettings>;
  /** Hints at hidden messages that the prompt may be about; empty for none. */
  recall(signal: AbortSignal): Promise<string>;
  show: {
    text(text: string): void;
    progress(text: string): void;
  };
  now(): number;
}

export interface TurnEnd {
  readonly status: 'answered' | 'cancelled' | 'budget_exhausted' | 'failed';
  readonly problem?: UserError;
}

/** Steps with calls beyond the budget after which the turn ends, whatever the model wants. */
const MOST_REFUSED = 3;
/** Share of the window to shrink to, in percent, when the service says that the prompt is too long after all. */
const TIGHT_TARGET = 30;

/**
 * One request of a person: asks the model, makes its calls, and asks again until it answers without a call. Everything
 * said is in the transcript before it is used; a turn that is cut short goes on from there.
 */
export async function runTurn(turn: Turn, signal: AbortSignal): Promise<TurnEnd> {
  const { transcript, model, tools, show } = turn;
  await transcript.refresh();
  if (transcript.history.messages.length === 0) {
    for (const { name, text } of turn.startSkills) {
      await transcript.say({ role: 'system', text, attachments: [{ kind: 'skill', name }] });
    }
  }
  const attachments = turn.attachments.length > 0 ? [...turn.attachments] : undefined;
  await transcript.say({ role: 'user', text: turn.prompt, attachments });
  const images = new Map<string, readonly PromptImage[]>();
  let refused = 0;
  let tightened = false;
  let said: Said = { text: '', calls: [] };
  try {
    const note = await orAborted(turn.recall(signal), signal);
    for (;;) {
      const wanted = await orAborted(tools.offer(signal), signal);
      const { offered, maxChars } = await fitPrompt({ ...turn, note, wanted }, signal);
      const messages = promptOf(transcript.history, { head: turn.head, note, maxChars, images });
      try {
        await listen(model, { messages, tools: offered }, said, show, signal);
      } catch (error) {
        const mayTighten = error instanceof ModelError && error.problem === 'too_long' && said.text === '';
        if (!mayTighten || tightened) throw error;
        tightened = true;
        await tighten(turn, signal);
        continue;
      }
      const isEmpty = said.text.trim() === '' && said.calls.length === 0;
      const calls = await keepSaid(turn, said);
      said = { text: '', calls: [] };
      if (isEmpty) return failed(turn, new ModelError('unknown', 'It answered with nothing.'));
      if (calls.length === 0) return { status: 'answered' };
      let isRefused = false;
      for (const call of calls) {
        const input = JSON.parse(call.arguments) as object;
        const answer = await orAborted(tools.call({ id: call.id, name: call.name, input }, signal), signal);
        await keepAnswer(turn, call, answer);
        if (answer.images?.length) images.set(call.id, answer.images);
        isRefused ||= answer.exhausted ?? false;
      }
      if (isRefused && ++refused >= MOST_REFUSED) return { status: 'budget_exhausted' };
    }
  } catch (error) {
    await keepSaid(turn, { text: said.text, calls: [] });
    if (signal.aborted) return { status: 'cancelled' };
    if (error instanceof ModelError) return failed(turn, error);
    throw error;
  }
}

async function listen(
  model: Model,
  request: Parameters<Model['send']>[0],
  said: Said,
  show: Turn['show'],
  signal: AbortSignal,
): Promise<void> {
  for await (const part of untilAborted(model.send(request, signal), signal)) {
    if (part.type === 'call') said.calls.push(part);
    else {
      said.text += part.text;
      show.text(part.text);
    }
  }
}

async function tighten(turn: Turn, signal: AbortSignal): Promise<void> {
  const { neverCompress } = await turn.settings();
  turn.show.progress('The model takes less than it says; compressing the conversation further…');
  const { model } = turn;
  await compress(
    {
      ...turn,
      window: model.maxInputTokens,
      overhead: { instructions: 0, tools: 0 },
      targetPercentage: TIGHT_TARGET,
      version: 'V6',
      trigger: 'automatic',
      neverCompress,
    },
    signal,
  );
}

async function failed({ transcript, model }: Turn, error: ModelError): Promise<TurnEnd> {
  const problem = modelFailure(error, model);
  await transcript.say({ role: 'system', text: `${problem.message} ${problem.next}`, failed: true });
  return { status: 'failed', problem };
}
