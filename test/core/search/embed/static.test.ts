import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStaticEmbedder, type StaticModel } from '../../../../src/core/search/embed/static.ts';
import { embeddingWords, trigramBuckets } from '../../../../src/core/search/embed/static-tokens.ts';

const VOCABULARY = ['get', 'user', 'name', 'http', 'server', '42'];
const DIMENSIONS = 5;
const BUCKETS = 7;

const model: StaticModel = {
  name: 'tiny',
  version: 1,
  dimensions: DIMENSIONS,
  words: VOCABULARY.length,
  buckets: BUCKETS,
  rows: Int8Array.from({ length: (VOCABULARY.length + BUCKETS) * DIMENSIONS }, (_, i) => ((i * 37) % 255) - 127),
  scales: Float32Array.from({ length: VOCABULARY.length + BUCKETS }, (_, i) => 0.01 + i / 1000),
  wordRows: new Map(VOCABULARY.map((word, row) => [word, row])),
};

describe('words of the static embedding', () => {
  it.each([
    ['getUserName', ['get', 'user', 'name']],
    ['HTTPServer2 XMLa', ['http', 'server', '2', 'xm', 'la']],
    ['sha256 SHA256', ['sha256', 'sha', '256']],
    ['snake_case kebab-case', ['snake', 'case', 'kebab', 'case']],
    ['café 日本x', ['caf', 'x']],
    ['A aB Ab AB', ['a', 'a', 'b', 'ab', 'ab']],
    ['', []],
  ])('of %j', (text, words) => {
    expect(embeddingWords(text)).toEqual(words);
  });

  it('are ASCII runs, split by the rule of camelCase', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aAbB12_ é\ud83d\ude00') });
    fc.assert(
      fc.property(text, (some) => {
        const runs = some.match(/[A-Za-z0-9]+/g) ?? [];
        const words = runs.flatMap((run) =>
          /[A-Z]/.test(run) ? run.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g)! : [run],
        );
        expect(embeddingWords(some)).toEqual(words.map((word) => word.toLowerCase()));
      }),
    );
  });
});

it('a text is the sum of its words at unit length, the same each time', () => {
  const { encode } = createStaticEmbedder(model);
  const text = fc.array(fc.constantFrom(...VOCABULARY, 'unknown', 'getUser', 'x', '—')).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, (some) => {
      const sum = new Array<number>(DIMENSIONS).fill(0);
      for (const word of embeddingWords(some)) {
        const row = model.wordRows.get(word);
        const rows = row !== undefined ? [row] : trigramBuckets(word, BUCKETS).map((bucket) => model.words + bucket);
        for (const each of rows) {
          for (let i = 0; i < DIMENSIONS; i++) sum[i]! += model.rows[each * DIMENSIONS + i]! * model.scales[each]!;
        }
      }
      const length = Math.hypot(...sum);
      const vector = encode(some);
      for (const [i, value] of sum.entries()) expect(vector[i]).toBeCloseTo(length === 0 ? 0 : value / length, 5);
      expect(encode(some)).toEqual(vector);
    }),
  );
});
