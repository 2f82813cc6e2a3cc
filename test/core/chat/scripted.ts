import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Model, ModelPart, ModelRequest } from '../../../src/core/chat/model.ts';
import { createTokenCounter } from '../../../src/core/chat/token-counter.ts';
import { openTranscript, type Transcript } from '../../../src/core/chat/transcript.ts';
import { runTurn, type Turn, type TurnEnd } from '../../../src/core/chat/turn.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the tests of the file. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci-chat-'));
  made.push(folder);
  return folder;
}

let clock = 1_700_000_000_000;
export const now = () => clock++;

export function open(path: string): Promise<Transcript> {
  return openTranscript({ path, id: 'thread', folder: '/ws', now });
}

/** What the model does when it is asked: parts to yield, an error to throw, or a stream of its own. */
export type Reply = readonly ModelPart[] | Error | AsyncIterable<ModelPart>;

export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[];
}

/** A model that answers by script, request by request; a token is four characters. */
export function scriptedModel(
  reply: (request: ModelRequest, ordinal: number) => Reply,
  maxInputTokens = 10_000,
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id: 'scripted',
    name: 'Scripted',
    family: 'scripted',
    vendor: 'test',
    maxInputTokens,
    requests,
    countTokens: async (text) => Math.ceil(text.length / 4),
    async *send(request) {
      requests.push(request);
      const parts = reply(request, requests.length);
      if (parts instanceof Error) throw parts;
      yield* parts;
    },
  };
}

export const say = (text: string): ModelPart => ({ type: 'text', text });
export const call = (name: string, input: object = {}, id = `call-${Math.random()}`): ModelPart => ({
  type: 'call',
  id,
  name,
  input,
});

export interface Played {
  readonly end: TurnEnd;
  readonly shown: string;
  readonly progress: string[];
}

/** Plays one turn of a thread. */
export async function play(
  transcript: Transcript,
  model: Model,
  prompt: string,
  more: Partial<Turn> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Played> {
  const shown: string[] = [];
  const progress: string[] = [];
  const end = await runTurn(
    {
      transcript,
      model,
      prompt,
      attachments: [],
      counter: createTokenCounter(model),
      tools: { offer: async () => [], call: async () => ({ text: 'nothing' }) },
      head: 'You are @loci.',
      startSkills: [],
      settings: async () => ({ reservedHeadroom: 10, neverCompress: [] }),
      recall: async () => '',
      show: { text: (text) => void shown.push(text), progress: (text) => void progress.push(text) },
      now,
      ...more,
    },
    signal,
  );
  return { end, shown: shown.join(''), progress };
}

/** All text of a request, message by message. */
export function textOf(request: ModelRequest): string {
  return request.messages
    .flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'call' ? `${part.name} ${JSON.stringify(part.input)}` : part.text)),
    )
    .join('\n');
}
