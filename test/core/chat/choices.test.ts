import { expect, test } from 'vitest';
import { withoutFalseHandles } from '../../../src/core/chat/handles.ts';
import { saysTooLong } from '../../../src/core/chat/model.ts';
import { profiled } from '../../../src/core/chat/offer.ts';
import { chooseModel, tierOf } from '../../../src/core/chat/tier.ts';

const model = (name: string, vendor = 'copilot', maxInputTokens = 100) => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  name,
  family: name.toLowerCase().replaceAll(' ', '-'),
  vendor,
  maxInputTokens,
});

test.each([
  ['GPT-4o mini', 'fast'],
  ['Claude Haiku 4.5', 'fast'],
  ['Gemini 2.5 Flash', 'fast'],
  ['o4-mini', 'fast'],
  ['Claude Opus 4.1', 'frontier'],
  ['Gemini 2.5 Pro', 'frontier'],
  ['o3', 'frontier'],
  ['Claude Sonnet 4.5', 'main'],
  ['GPT-4.1', 'main'],
  ['GPT-5', 'main'],
])('%s is taken for a model of the tier %s', (name, tier) => {
  expect(tierOf(model(name))).toBe(tier);
});

test("a tier takes the person's model where it fits, else the same vendor's, else says so", () => {
  const [sonnet, opus, haiku] = [
    model('Claude Sonnet 4.5'),
    model('Claude Opus 4.1', 'other', 900),
    model('Claude Haiku 4.5'),
  ];
  const pro = model('Gemini 2.5 Pro');
  const all = [sonnet, opus, haiku, pro];
  expect(chooseModel(null, haiku, all)).toEqual({ model: haiku });
  expect(chooseModel('main', sonnet, all)).toEqual({ model: sonnet });
  expect(chooseModel('frontier', sonnet, all)).toEqual({ model: pro });
  expect(chooseModel('frontier', sonnet, [sonnet, opus])).toEqual({ model: opus });
  expect(chooseModel('fast', sonnet, [sonnet, opus])).toEqual({
    model: sonnet,
    note: 'No model of the tier "fast" was found, so Claude Sonnet 4.5 answers.',
  });
});

test('a basic profile leaves a tool its required parameters', () => {
  const schema = {
    type: 'object',
    properties: { query: { type: 'string' }, limit: { type: 'integer' } },
    required: ['query'],
  };
  const tools = ['loci_search', 'other'].map((name) => ({ name, description: '', inputSchema: schema }));
  const [search, other] = profiled(tools, { search: 'basic', other: 'advanced' });
  expect(search!.inputSchema).toEqual({ ...schema, properties: { query: { type: 'string' } } });
  expect(other!.inputSchema).toEqual(schema);
  expect(profiled(Array(200).fill(tools[0]), {})).toHaveLength(128);
});

test('handles that lead nowhere are taken out of a summary', () => {
  expect(
    withoutFalseHandles('A [message 3]. B [messages 2-9]. C [messages 4–12]. D [message 0]. E [messages 9-2].', 9),
  ).toBe('A [message 3]. B [messages 2-9]. C. D. E.');
});

test.each([
  ["This model's maximum context length is 8192 tokens", true],
  ['prompt is too long: 210000 tokens > 200000 maximum', true],
  ['Request body exceeds the limit of 100000 tokens', true],
  ['rate limit exceeded', false],
])('%s', (message, tooLong) => {
  expect(saysTooLong(message)).toBe(tooLong);
});
