import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCorpus, vocabularyOf } from '../../src/build/embedding/encode.ts';
import { flatten } from '../../src/build/embedding/flatten.ts';
import { quantise, writeModel } from '../../src/build/embedding/model.ts';
import { compileTrainer, hasCompiler, runTrainer } from '../../src/build/embedding/trainer.ts';
import { createStaticEmbedder, loadStaticModel } from '../../src/core/search/embed/static.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loci-embedding-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Pairs of two subjects whose questions and texts share no word: only training can bring them together. */
function twoSubjects(): string {
  const subjects = [
    { asks: ['delete', 'remove', 'erase', 'drop'], tells: ['unlink', 'rm', 'purge', 'discard', 'trash'] },
    { asks: ['network', 'socket', 'port', 'host'], tells: ['tcp', 'listen', 'connect', 'packet', 'bind'] },
  ];
  const lines = Array.from({ length: 256 }, (_, i) => {
    const { asks, tells } = subjects[i % 2]!;
    const some = (words: readonly string[], count: number) =>
      Array.from({ length: count }, (_, n) => words[(i * 7 + n * 3 + (i >> 3)) % words.length]).join(' ');
    return `${i}\t${some(asks, 2)}\t${some(tells, 6)}\n`;
  });
  return lines.join('');
}

describe.skipIf(!hasCompiler())('the trainer (skipped where there is no C compiler)', () => {
  it('learns which words belong together, and writes a model that the product reads', async () => {
    const pairs = join(folder, 'pairs.tsv');
    const corpus = join(folder, 'corpus.bin');
    const output = join(folder, 'table.f32');
    writeFileSync(pairs, twoSubjects());
    const vocabulary = await vocabularyOf(pairs, 100);
    expect(await encodeCorpus(pairs, corpus, vocabulary, 32)).toBe(256);
    runTrainer(compileTrainer(folder), { corpus, output, dimensions: 64, batch: 64, steps: 60 });
    const values = new Float32Array(Uint8Array.from(readFileSync(output)).buffer);
    writeModel(join(folder, 'model'), { name: 'tiny', version: 1, dimensions: 64, vocabulary, buckets: 32, values });

    const { encode } = createStaticEmbedder(await loadStaticModel(join(folder, 'model')));
    const similarity = (a: string, b: string) => encode(a).reduce((sum, value, i) => sum + value * encode(b)[i]!, 0);
    expect(similarity('erase', 'purge')).toBeGreaterThan(similarity('erase', 'packet') + 0.3);
    expect(similarity('socket', 'listen')).toBeGreaterThan(similarity('socket', 'trash') + 0.3);
  });
});

it('keeps every value within half a step of its byte', () => {
  const value = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 4, maxLength: 4 }), (row) => {
      const { rows, scales } = quantise(Float32Array.from(row), 4);
      for (const [i, one] of row.entries())
        expect(Math.abs(rows[i]! * scales[0]! - one)).toBeLessThanOrEqual(scales[0]! * 0.501 + 1e-36);
    }),
  );
});

it('evens out lengths and axes: with both powers at their ends, columns are orthonormal', () => {
  const value = fc.double({ min: -10, max: 10, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 4, maxLength: 12 }), (some) => {
      const rows = [...some, [30, 1, 2], [3, 40, 1], [2, 1, 50]];
      const turned = flatten(Float32Array.from(rows.flat()), 3, { length: 1, spread: 1 });
      for (const [a, b] of [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => [i, j] as const))) {
        const product = rows.reduce((sum, _, row) => sum + turned[row * 3 + a]! * turned[row * 3 + b]!, 0);
        expect(product).toBeCloseTo(a === b ? 1 : 0, 4);
      }
    }),
  );
});
