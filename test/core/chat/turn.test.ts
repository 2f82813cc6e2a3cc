import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ModelError, type ModelPart, type OfferedTool } from '../../../src/core/chat/model.ts';
import { noteRetraction } from '../../../src/core/chat/retract.ts';
import { openTranscript } from '../../../src/core/chat/transcript.ts';
import type { ToolAnswer, TurnTools } from '../../../src/core/chat/turn.ts';
import { call, now, open, play, say, scriptedModel, temporary, textOf } from './scripted.ts';

const fresh = () => open(join(temporary(), 'thread.jsonl'));

function toolsOf(answer: (name: string, input: object) => ToolAnswer | Promise<ToolAnswer>): TurnTools {
  const offered: OfferedTool = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
  return { offer: async () => [offered], call: async ({ name, input }) => answer(name, input) };
}

/** A stream that gives its parts and then hangs. */
async function* hanging(parts: readonly ModelPart[], then: () => void): AsyncGenerator<ModelPart> {
  yield* parts;
  then();
  await new Promise(() => {});
}

describe('A turn', () => {
  test('makes the calls that the model wants, and ends with its answer', async () => {
    const transcript = await fresh();
    const model = scriptedModel((_, n) =>
      n === 1
        ? [say('Let me look. '), call('read', { path: 'a.md' }, 'c1'), call('read', { path: 'b.md' }, 'c2')]
        : [say('Done.')],
    );
    const tools = toolsOf((_, input) => ({ text: `content of ${(input as { path: string }).path}` }));
    const { end, shown } = await play(transcript, model, 'What is in a and b?', { tools });
    expect(end).toEqual({ status: 'answered' });
    expect(shown).toBe('Let me look. Done.');
    const { messages } = (await open(transcript.path)).history;
    expect(messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'What is in a and b?'],
      ['assistant', 'Let me look. '],
      ['tool', 'content of a.md'],
      ['tool', 'content of b.md'],
      ['assistant', 'Done.'],
    ]);
    expect(messages[2]!.answers).toEqual({ id: 'c1', name: 'read', arguments: '{"path":"a.md"}' });
    const sent = model.requests[1]!.messages.slice(-3);
    expect(sent.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'call', 'call']],
      ['user', ['result', 'result']],
    ]);
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['read']);
  });

  test('goes on with the thread after a restart', async () => {
    const transcript = await fresh();
    await play(
      transcript,
      scriptedModel(() => [say('It is 42.')]),
      'What is it?',
    );
    const model = scriptedModel(() => [say('Still 42.')]);
    await play(await open(transcript.path), model, 'And now?');
    expect(textOf(model.requests[0]!)).toBe('You are @loci.\nWhat is it?\nIt is 42.\nAnd now?');
  });

  test('goes on after a kill between a call and its result', async () => {
    const transcript = await fresh();
    await transcript.say({ role: 'user', text: 'Look' });
    await transcript.say({ role: 'assistant', text: '', calls: [{ id: 'c1', name: 'read', arguments: '{}' }] });
    const model = scriptedModel(() => [say('Again.')]);
    await play(await open(transcript.path), model, 'And?');
    const parts = model.requests[0]!.messages.flatMap((message) => message.parts);
    expect(parts).toContainEqual({ type: 'result', id: 'c1', text: expect.stringContaining('interrupted') });
  });

  test('offers in its next request what a call has activated', async () => {
    const names = ['manage_context'];
    const tools: TurnTools = {
      offer: async () => names.map((name) => ({ name, description: name, inputSchema: {} })),
      async call() {
        names.push('wiki_search');
        return { text: 'activated' };
      },
    };
    const model = scriptedModel((_, n) => (n === 1 ? [call('manage_context')] : [say('ok')]));
    await play(await fresh(), model, 'x', { tools });
    expect(model.requests.map((request) => request.tools.map(({ name }) => name))).toEqual([
      ['manage_context'],
      ['manage_context', 'wiki_search'],
    ]);
  });

  test('gives calls with the same id ids of their own', async () => {
    const transcript = await fresh();
    const model = scriptedModel((_, n) => (n < 3 ? [call('read', { n }, 'same')] : [say('ok')]));
    await play(transcript, model, 'x', { tools: toolsOf((_, input) => ({ text: JSON.stringify(input) })) });
    const ids = transcript.history.messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
    expect(ids).toEqual(['same', 'same-2']);
    const results = model.requests[2]!.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'result'));
    expect(results).toEqual([
      { type: 'result', id: 'same', text: '{"n":1}' },
      { type: 'result', id: 'same-2', text: '{"n":2}' },
    ]);
  });

  test('hands a refusal to the model as it stands', async () => {
    const transcript = await fresh();
    const model = scriptedModel((_, n) => (n === 1 ? [call('read')] : [say('I may not.')]));
    const tools = toolsOf(() => ({ text: '{"success":false,"error_code":"policy_denied"}', failed: true }));
    await play(transcript, model, 'x', { tools });
    expect(textOf(model.requests[1]!)).toContain('policy_denied');
    expect(transcript.history.messages[2]).toMatchObject({ role: 'tool', failed: true });
  });

  test('ends when the model goes on calling after its budget', async () => {
    const transcript = await fresh();
    const model = scriptedModel(() => [call('read')]);
    const tools = toolsOf(() => ({ text: 'budget_exhausted', failed: true, exhausted: true }));
    const { end } = await play(transcript, model, 'x', { tools });
    expect(end.status).toBe('budget_exhausted');
    expect(model.requests).toHaveLength(3);
  });

  test('hands over the skills that the thread starts with, once', async () => {
    const transcript = await fresh();
    const startSkills = [{ name: 'lot-trace', text: 'How to trace a lot.' }];
    const model = scriptedModel(() => [say('ok')]);
    await play(transcript, model, 'one', { startSkills });
    await play(transcript, model, 'two', { startSkills });
    expect(textOf(model.requests[1]!).match(/How to trace a lot/g)).toHaveLength(1);
    expect(transcript.history.messages[0]).toMatchObject({
      role: 'system',
      attachments: [{ kind: 'skill', name: 'lot-trace' }],
    });
  });

  test('shows pictures to the model in the turn that made them', async () => {
    const picture = { mime: 'image/png', bytes: new Uint8Array([1]) };
    const model = scriptedModel((_, n) => (n === 1 ? [call('read', {}, 'c')] : [say('A curve.')]));
    await play(await fresh(), model, 'x', { tools: toolsOf(() => ({ text: 'see', images: [picture] })) });
    const parts = model.requests[1]!.messages.flatMap((message) => message.parts);
    expect(parts).toContainEqual({ type: 'result', id: 'c', text: 'see', images: [picture] });
  });
});

describe('Cancelling a turn', () => {
  test('ends it at once though the model hangs, and keeps what was said', async () => {
    const transcript = await fresh();
    const abort = new AbortController();
    const model = scriptedModel(() => hanging([say('Half an ans')], () => abort.abort()));
    const { end } = await play(transcript, model, 'x', {}, abort.signal);
    expect(end.status).toBe('cancelled');
    expect((await open(transcript.path)).history.messages.map(({ text }) => text)).toEqual(['x', 'Half an ans']);
  });

  test('ends it at once though a tool hangs', async () => {
    const transcript = await fresh();
    const abort = new AbortController();
    const model = scriptedModel(() => [say('Looking.'), call('read')]);
    const tools = toolsOf(() => {
      abort.abort();
      return new Promise(() => {});
    });
    const { end } = await play(transcript, model, 'x', { tools }, abort.signal);
    expect(end.status).toBe('cancelled');
    expect(transcript.history.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'x'],
      ['assistant', 'Looking.'],
    ]);
  });

  test('before it begins asks no model', async () => {
    const model = scriptedModel(() => [say('no')]);
    const { end } = await play(await fresh(), model, 'x', {}, AbortSignal.abort());
    expect(end.status).toBe('cancelled');
    expect(model.requests).toHaveLength(0);
  });
});

describe('A model that fails', () => {
  test.each([
    ['blocked', 'model_blocked'],
    ['no_permission', 'model_not_allowed'],
    ['not_found', 'model_missing'],
    ['unknown', 'model_failed'],
  ] as const)('is told of: %s', async (problem, code) => {
    const transcript = await fresh();
    const { end } = await play(
      transcript,
      scriptedModel(() => new ModelError(problem, 'the reason')),
      'x',
    );
    expect(end).toMatchObject({ status: 'failed', problem: { code } });
    expect(end.problem!.message).toContain('the reason');
    expect(transcript.history.messages.at(-1)).toMatchObject({ role: 'system', failed: true });
    const again = await play(
      transcript,
      scriptedModel(() => [say('Here I am.')]),
      'Once more',
    );
    expect(again.end.status).toBe('answered');
  });

  test('in the middle of its answer loses nothing of it', async () => {
    const transcript = await fresh();
    async function* breaking(): AsyncGenerator<ModelPart> {
      yield say('The first half');
      throw new ModelError('unknown', 'connection lost');
    }
    const { end } = await play(
      transcript,
      scriptedModel(() => breaking()),
      'x',
    );
    expect(end.status).toBe('failed');
    expect(transcript.history.messages.map(({ text }) => text)).toContain('The first half');
  });

  test('by an empty answer is told of', async () => {
    const { end } = await play(
      await fresh(),
      scriptedModel(() => []),
      'x',
    );
    expect(end).toMatchObject({ status: 'failed', problem: { code: 'model_failed' } });
  });
});

describe('The window', () => {
  test('is never overrun: the thread is compressed before', async () => {
    const transcript = await fresh();
    const model = scriptedModel((request) => {
      if (textOf(request).startsWith('Summarize')) return [say('They talked.')];
      const last = request.messages.at(-1)!.parts[0]!;
      return last.type === 'result' ? [say('Read it.')] : [call('read')];
    }, 3000);
    const tools = toolsOf(() => ({ text: 'x'.repeat(3000) }));
    let compressed = 0;
    for (let n = 0; n < 15; n++) {
      const { end, progress } = await play(transcript, model, `Question ${n}: ${'y'.repeat(300)}`, { tools });
      expect(end.status).toBe('answered');
      compressed += progress.length;
    }
    expect(compressed).toBeGreaterThan(2);
    for (const request of model.requests) expect(textOf(request).length / 4).toBeLessThan(3000);
    expect(transcript.history.messages).toHaveLength(60);
    expect(textOf(model.requests.at(-1)!)).toContain('They talked.');
    expect(transcript.history.usage).toMatchObject({ window: 3000, model: 'Scripted' });
  });

  test('takes a message larger than itself, cut, with the way to the rest', async () => {
    const transcript = await fresh();
    const model = scriptedModel((_, n) => (n === 1 ? [call('read', {}, 'big')] : [say('ok')]), 3000);
    await play(transcript, model, 'p'.repeat(40_000), { tools: toolsOf(() => ({ text: 'r'.repeat(90_000) })) });
    const text = textOf(model.requests[1]!);
    expect(text.length / 4).toBeLessThan(3000);
    expect(text).toMatch(/Cut: \d+ of 40000 characters of message 1\..*GET_HIDDEN_MESSAGES.*start_message_num=1/);
    expect(text).toMatch(/Cut: \d+ of 90000 characters of message 3\..*result_tool_call_id="big", result_offset=\d+/);
    expect((await open(transcript.path)).history.messages[2]!.text).toHaveLength(90_000);
  });

  test('keeps the headroom that the thread wants', async () => {
    const transcript = await fresh();
    const model = scriptedModel(() => [say('a'.repeat(1000))], 3000);
    const settings = async () => ({ reservedHeadroom: 80, neverCompress: [] });
    for (let n = 0; n < 4; n++) await play(transcript, model, 'q', { settings });
    expect(transcript.history.compactions.length).toBeGreaterThan(0);
  });

  test('that is too small for all tools has those that come first', async () => {
    const schema = { type: 'object', properties: { a: {}, b: { description: 'x'.repeat(400) } }, required: ['a'] };
    const many = Array.from({ length: 60 }, (_, n) => ({
      name: `tool${n}`,
      description: 'y'.repeat(200),
      inputSchema: schema,
    }));
    const model = scriptedModel(() => [say('ok')], 3000);
    const { progress } = await play(await fresh(), model, 'x', {
      tools: { ...toolsOf(() => ({ text: '' })), offer: async () => many },
    });
    const { tools } = model.requests[0]!;
    expect(tools.length).toBeGreaterThan(5);
    expect(tools.length).toBeLessThan(60);
    expect(tools[0]).toMatchObject({ name: 'tool0', inputSchema: { properties: { a: {} } } });
    expect(JSON.stringify(tools).length / 4).toBeLessThan(1500);
    expect(progress[0]).toContain(`${60 - tools.length} tools are left out`);
  });

  test('that is smaller than the model said is met on the second try', async () => {
    const transcript = await fresh();
    for (let n = 0; n < 20; n++) await transcript.say({ role: n % 2 ? 'assistant' : 'user', text: 'z'.repeat(1000) });
    const model = scriptedModel((request) => {
      if (textOf(request).startsWith('Summarize')) return [say('Short.')];
      return textOf(request).length > 16_000 ? new ModelError('too_long', 'context_length_exceeded') : [say('ok')];
    });
    const { end } = await play(transcript, model, 'And?');
    expect(end.status).toBe('answered');
    expect(transcript.history.compactions).toHaveLength(1);
  });
});

test('Two windows on one thread hear each other', async () => {
  const transcript = await fresh();
  const other = await openTranscript({ path: transcript.path, id: 'thread', folder: undefined, now });
  await play(
    transcript,
    scriptedModel(() => [say('A')]),
    'a',
  );
  const model = scriptedModel(() => [say('B')]);
  await play(other, model, 'b');
  expect(textOf(model.requests[0]!)).toContain('a\nA\nb');
});

test('A person who goes back to an earlier point is told of, and nothing is lost', async () => {
  const transcript = await fresh();
  const model = scriptedModel((_, n) => [say(`Answer ${n}`)]);
  await play(transcript, model, 'one');
  const end = transcript.history.messages.at(-1)!.id;
  await noteRetraction(transcript, end);
  await noteRetraction(transcript, 'not known');
  expect(transcript.history.messages).toHaveLength(2);
  await play(transcript, model, 'two');
  await noteRetraction(transcript, end);
  await play(transcript, model, 'two, but otherwise');
  expect(textOf(model.requests[2]!)).toContain('took back messages 3 to 4');
  await noteRetraction(transcript, null);
  expect(transcript.history.messages.at(-1)!.text).toContain('took back messages 1 to 7');
  expect(transcript.history.messages.map(({ text }) => text)).toContain('two');
});
