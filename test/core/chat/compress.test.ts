import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChat } from '../../../src/core/chat/chat.ts';
import { type CompressInput, compress } from '../../../src/core/chat/compress.ts';
import type { History } from '../../../src/core/chat/history.ts';
import { ModelError, type PromptMessage } from '../../../src/core/chat/model.ts';
import { promptOf } from '../../../src/core/chat/prompt.ts';
import type { CompressionVersion } from '../../../src/core/chat/records.ts';
import { createTokenCounter } from '../../../src/core/chat/token-counter.ts';
import type { NewMessage, Transcript } from '../../../src/core/chat/transcript.ts';
import { now, open, say, scriptedModel, temporary, textOf } from './scripted.ts';

const never = new AbortController().signal;

/** One question with the steps until its answer; `size` are the characters of what is said. */
interface Exchange {
  readonly size: number;
  readonly steps: readonly { readonly results: readonly number[]; readonly skill: boolean }[];
  readonly answered: boolean;
}

const exchange: fc.Arbitrary<Exchange> = fc.record({
  size: fc.integer({ min: 0, max: 3000 }),
  steps: fc.array(
    fc.record({
      results: fc.array(fc.integer({ min: 0, max: 6000 }), { minLength: 1, maxLength: 3 }),
      skill: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  answered: fc.boolean(),
});

function messagesOf(exchanges: readonly Exchange[]): NewMessage[] {
  let n = 0;
  const text = (size: number) => `${randomUUID()} 🎉\r\n${'wörd '.repeat(size / 5)}`.slice(0, Math.max(40, size));
  return exchanges.flatMap(({ size, steps, answered }) => [
    { role: 'user' as const, text: text(size) },
    ...steps.flatMap(({ results, skill }): NewMessage[] => {
      const calls = results.map(() => ({ id: `call-${++n}`, name: 'read', arguments: `{"n":${n}}` }));
      return [
        { role: 'assistant', text: '', calls },
        ...calls.map(
          (answers, i): NewMessage => ({
            role: 'tool',
            text: text(results[i]!),
            answers,
            attachments: skill ? [{ kind: 'skill', name: 'kept' }] : undefined,
          }),
        ),
      ];
    }),
    ...(answered ? [{ role: 'assistant' as const, text: text(size) }] : []),
  ]);
}

async function threadOf(messages: readonly NewMessage[]): Promise<Transcript> {
  const transcript = await open(join(temporary(), 'thread.jsonl'));
  for (const message of messages) await transcript.say(message);
  return transcript;
}

function inputOf(transcript: Transcript, more: Partial<CompressInput> = {}): CompressInput {
  const model = scriptedModel(
    () => [say('They agreed on Tokyo [messages 1–2], and on more [messages 4–99999].')],
    4000,
  );
  return {
    transcript,
    model,
    counter: createTokenCounter(model),
    window: 4000,
    overhead: { instructions: 0, tools: 0 },
    targetPercentage: 50,
    version: 'V6',
    trigger: 'manual',
    neverCompress: ['kept'],
    now,
    ...more,
  };
}

/** Ranges that a summary's handles name. */
function rangesOf(summary: string): [number, number][] {
  const list = summary.slice(summary.lastIndexOf('still there:\n'));
  return [...list.matchAll(/^\[messages? (\d+)(?:–(\d+))?\]/gm)].map(([, first, last]) => [
    Number(first),
    Number(last ?? first),
  ]);
}

function textsOf(prompt: readonly PromptMessage[]): string[] {
  return prompt.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [] : [part.text])));
}

/** Every call is answered right after it, and no result comes without its call. */
function expectPaired(prompt: readonly PromptMessage[]): void {
  for (const [i, { parts }] of prompt.entries()) {
    const calls = parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
    const next = prompt[i + 1]?.parts.flatMap((part) => (part.type === 'result' ? [part.id] : [])) ?? [];
    if (calls.length > 0 || next.length > 0) expect(next).toEqual(calls);
  }
}

function expectNothingLost(history: History, said: readonly NewMessage[]): void {
  expect(history.messages.map(({ text }) => text)).toEqual(said.map(({ text }) => text));
  const prompt = promptOf(history, { head: 'head' });
  expectPaired(prompt);
  const shown = textsOf(prompt);
  const ranges = rangesOf(history.compactions.at(-1)?.summary ?? '');
  for (const [i, { text, role, attachments }] of history.messages.entries()) {
    const hidden = history.isHidden(i + 1);
    if (text !== '') expect(shown.some((part) => part.endsWith(text))).toBe(!hidden);
    if (hidden) expect(ranges.some(([first, last]) => first <= i + 1 && i + 1 <= last)).toBe(true);
    if (attachments?.some(({ name }) => name === 'kept')) expect(hidden).toBe(false);
    if (role === 'user' && i === history.messages.findLastIndex((message) => message.role === 'user')) {
      expect(hidden).toBe(false);
    }
  }
}

describe('Compression', () => {
  test('keeps every message, byte for byte, visible or behind a handle', async () => {
    const version = fc.constantFrom<CompressionVersion>('V3', 'V6');
    const round = fc.record({
      exchanges: fc.array(exchange, { minLength: 1, maxLength: 5 }),
      version,
      target: fc.integer({ min: 1, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
        const transcript = await threadOf([]);
        const said: NewMessage[] = [];
        let hiddenBefore: number[] = [];
        for (const [i, { exchanges, version, target }] of rounds.entries()) {
          const more = messagesOf(exchanges).map((message) => withOwnIds(message, i));
          for (const message of more) await transcript.say(message);
          said.push(...more);
          const result = await compress(inputOf(transcript, { version, targetPercentage: target }), never);
          const { history } = await open(transcript.path);
          expectNothingLost(history, said);
          expect(history.compactions).toEqual(transcript.history.compactions);
          const hidden = said.map((_, n) => n + 1).filter((number) => history.isHidden(number));
          expect(hidden).toEqual(expect.arrayContaining(hiddenBefore));
          expect(hidden.length - hiddenBefore.length).toBe(result.messages_hidden);
          hiddenBefore = hidden;
        }
      }),
      { numRuns: 60 },
    );
  });

  test('reaches its target where messages can be hidden', async () => {
    const exchanges = Array.from({ length: 30 }, () => ({ size: 400, steps: [], answered: true }));
    const transcript = await threadOf(messagesOf(exchanges));
    const result = await compress(inputOf(transcript, { targetPercentage: 40 }), never);
    expect(result).toMatchObject({ status: 'compressed', summarized_by: 'Scripted', recovery_id: 'compaction-1' });
    expect(result.usage_percentage_before).toBeGreaterThan(100);
    expect(result.usage_percentage_after).toBeLessThanOrEqual(40);
    expect(result.usage_percentage_after).toBeGreaterThan(15);
  });

  test('puts one flat summary in place of all that is hidden, without handles that lead nowhere', async () => {
    const transcript = await threadOf(
      messagesOf(Array.from({ length: 20 }, () => ({ size: 900, steps: [], answered: true }))),
    );
    await compress(inputOf(transcript), never);
    for (const message of messagesOf(Array.from({ length: 10 }, () => ({ size: 900, steps: [], answered: true })))) {
      await transcript.say(message);
    }
    const { model, ...input } = inputOf(transcript);
    const asked = scriptedModel(() => [say('All is settled [message 3].')], 4000);
    await compress({ ...input, model: asked }, never);
    const summaries = textsOf(promptOf(transcript.history, { head: 'head' })).filter((text) =>
      text.startsWith('[Summary'),
    );
    expect(summaries).toHaveLength(1);
    expect(summaries[0]).toContain('All is settled [message 3].');
    expect(transcript.history.compactions[0]!.summary).toContain('They agreed on Tokyo [messages 1–2], and on more.');
    // The second summary is written from the first one's prose and what is newly hidden.
    expect(textOf(asked.requests[0]!)).toContain('They agreed on Tokyo');
    expect(textOf(asked.requests[0]!)).not.toContain('still there:');
  });

  test.each([
    ['fails', new ModelError('blocked', 'quota')],
    ['says nothing', []],
    ['is not there', undefined],
  ])('does without a model that %s', async (_, reply) => {
    const transcript = await threadOf([
      { role: 'user', text: `Where do the lots go? ${'x '.repeat(900)}` },
      { role: 'assistant', text: `To the hub in Narita. ${'y '.repeat(900)}` },
      ...messagesOf([{ size: 400, steps: [], answered: true }]),
    ]);
    const model = reply && scriptedModel(() => reply);
    const result = await compress(inputOf(transcript, { model, targetPercentage: 5 }), never);
    expect(result).toMatchObject({ status: 'compressed', summarized_by: 'extract' });
    const summary = transcript.history.compactions[0]!.summary;
    expect(summary).toContain('Where do the lots go?');
    expect(summary).toContain('To the hub in Narita.');
    expect(summary).toContain('[messages 1–2]');
  });

  test('summarizes what is longer than the window in pieces', async () => {
    const transcript = await threadOf(
      messagesOf(Array.from({ length: 40 }, () => ({ size: 2000, steps: [], answered: true }))),
    );
    const model = scriptedModel((_, ordinal) => [say(`Part ${ordinal}.`)], 4000);
    await compress(inputOf(transcript, { model }), never);
    expect(model.requests.length).toBeGreaterThan(5);
    for (const request of model.requests) expect(textOf(request).length / 4).toBeLessThan(4000);
    expect(textOf(model.requests[1]!)).toContain('Part 1.');
  });

  test('V3 hides results and leaves their handles in place', async () => {
    const transcript = await threadOf(
      messagesOf([
        { size: 100, steps: [{ results: [5000, 50], skill: false }], answered: true },
        { size: 100, steps: [], answered: true },
      ]),
    );
    const result = await compress(inputOf(transcript, { version: 'V3', targetPercentage: 10 }), never);
    expect(result).toMatchObject({ status: 'compressed', compression_version: 'V3', messages_hidden: 1 });
    const { history } = transcript;
    expect(history.isHidden(3)).toBe(true);
    const [stub] = textsOf(promptOf(history, { head: 'head' })).filter((text) =>
      text.startsWith('[message 3 is hidden'),
    );
    expect(stub).toContain(`${history.messages[2]!.text.length} characters`);
    expect(stub).toContain(`result_tool_call_id="${history.messages[2]!.answers!.id}"`);
  });

  test('names the skills that have to be read again', async () => {
    const transcript = await threadOf([
      { role: 'user', text: 'x '.repeat(600) },
      { role: 'system', text: 'How to trace a lot '.repeat(40), attachments: [{ kind: 'skill', name: 'lot-trace' }] },
      ...messagesOf([{ size: 100, steps: [], answered: true }]),
    ]);
    await compress(inputOf(transcript, { targetPercentage: 5 }), never);
    expect(transcript.history.compactions[0]!.summary).toContain('read_assigned_skill_file(skill_name=…): lot-trace');
  });

  test('holds while the thread grows under it', async () => {
    const transcript = await threadOf(
      messagesOf([
        { size: 3000, steps: [], answered: true },
        { size: 900, steps: [], answered: true },
      ]),
    );
    async function* slow() {
      await transcript.say({ role: 'user', text: 'meanwhile' });
      yield say('They talked.');
    }
    await compress(inputOf(transcript, { model: scriptedModel(() => slow(), 4000) }), never);
    const { history } = await open(transcript.path);
    expect(history.compactions).toHaveLength(1);
    expect(history.isHidden(1)).toBe(true);
    expect(history.isHidden(5)).toBe(false);
  });

  test('has nothing to do in a short thread, and says why', async () => {
    const transcript = await threadOf([{ role: 'user', text: 'hello' }]);
    const result = await compress(inputOf(transcript), never);
    expect(result).toMatchObject({
      status: 'nothing_to_compress',
      messages_hidden: 0,
      note: expect.stringMatching(/\w/),
    });
    expect(transcript.history.compactions).toEqual([]);
  });

  test('stops at once when cancelled, and leaves the thread as it was', async () => {
    const transcript = await threadOf(
      messagesOf([
        { size: 3000, steps: [], answered: true },
        { size: 3000, steps: [], answered: true },
      ]),
    );
    const abort = new AbortController();
    const hanging = scriptedModel(() => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => abort.abort()) }),
    }));
    await expect(compress(inputOf(transcript, { model: hanging }), abort.signal)).rejects.toThrow();
    expect((await open(transcript.path)).history.compactions).toEqual([]);
  });
});

describe('The chats of a workspace', () => {
  test('are compressed, also by a process that has no model', async () => {
    const storage = temporary();
    const chats = createChat({ now, neverCompress: async () => ['kept'] });
    chats.configure({ storage, workspace: '/ws' });
    const transcript = await chats.transcript('a/b:c');
    for (const message of messagesOf([
      { size: 3000, steps: [], answered: true },
      { size: 900, steps: [], answered: true },
    ])) {
      await transcript.say(message);
    }
    const other = createChat({ now, neverCompress: async () => [] });
    other.configure({ storage, workspace: '/ws' });
    const request = { thread: 'a/b:c', target_percentage: 1, compression_version: 'V6' } as const;
    expect(await other.methods.compress(request, never)).toMatchObject({
      status: 'compressed',
      summarized_by: 'extract',
    });
    await transcript.refresh();
    expect(transcript.history.isHidden(1)).toBe(true);
    await expect(other.methods.compress({ ...request, thread: 'x' }, never)).rejects.toMatchObject({
      code: 'unknown_thread',
    });
    await other.methods.remove({ thread: 'a/b:c' });
    expect(await other.methods.holds({ thread: 'a/b:c' })).toBe(false);
  });
});

function withOwnIds(message: NewMessage, round: number): NewMessage {
  const own = (id: string) => `${round}-${id}`;
  return {
    ...message,
    calls: message.calls?.map((call) => ({ ...call, id: own(call.id) })),
    answers: message.answers && { ...message.answers, id: own(message.answers.id) },
  };
}
