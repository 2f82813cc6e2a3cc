import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../errors.ts';
import type { Embedder } from '../engine.ts';
import { embeddingWords, trigramBuckets } from './static-tokens.ts';

const Model = z.object({
  name: z.string(),
  version: z.union([z.string(), z.number()]),
  dimensions: z.number().int().positive(),
  words: z.number().int().nonnegative(),
  buckets: z.number().int().positive(),
});

/** A loaded table of token vectors: row `i` is `rows[i * dimensions..] * scales[i]`; bucket rows follow the words'. */
export interface StaticModel extends z.infer<typeof Model> {
  readonly rows: Int8Array;
  readonly scales: Float32Array;
  readonly wordRows: ReadonlyMap<string, number>;
}

// From the bench: .2 to .3 gains the same on all four collections, more begins to lose.
const WEIGHT = 0.25;

/** Reads `model.json`, `rows.bin`, `scales.bin` and `vocab.txt`. Throws `UserError` (`damaged_model`) if they disagree. */
export async function loadStaticModel(folder: string): Promise<StaticModel> {
  const [about, rows, scales, vocabulary] = await Promise.all(
    ['model.json', 'rows.bin', 'scales.bin', 'vocab.txt'].map((name) => readFile(join(folder, name))),
  );
  const model = Model.parse(JSON.parse(about!.toString()));
  const words = vocabulary!.toString().split('\n').slice(0, model.words);
  const total = model.words + model.buckets;
  if (words.length !== model.words || rows!.length !== total * model.dimensions || scales!.length !== total * 4) {
    throw new UserError(
      'damaged_model',
      `The embedding model in ${folder} is not whole.`,
      'Reinstall the extension, or set loci.embedding.model to another model.',
    );
  }
  return {
    ...model,
    rows: new Int8Array(rows!.buffer, rows!.byteOffset, rows!.length),
    scales: new Float32Array(Uint8Array.from(scales!).buffer),
    wordRows: new Map(words.map((word, row) => [word, row])),
  };
}

/** The embedder of a static model: the sum of a text's token vectors, at unit length; a table look-up, no network. */
export function createStaticEmbedder(model: StaticModel): Embedder & { encode(text: string): Float32Array } {
  const { dimensions, rows, scales, wordRows, words, buckets } = model;

  function addRow(sum: Float64Array, row: number): void {
    const scale = scales[row]!;
    const start = row * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i]! += rows[start + i]! * scale;
  }

  function encode(text: string): Float32Array {
    const sum = new Float64Array(dimensions);
    for (const word of embeddingWords(text)) {
      const row = wordRows.get(word);
      if (row !== undefined) addRow(sum, row);
      else for (const bucket of trigramBuckets(word, buckets)) addRow(sum, words + bucket);
    }
    const length = Math.hypot(...sum);
    return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
  }

  return {
    provider: 'built-in',
    model: `${model.name} ${model.version}`,
    dimensions,
    weight: WEIGHT,
    instant: true,
    encode,
    embed: async (texts, _kind, signal) => {
      signal?.throwIfAborted();
      return texts.map(encode);
    },
  };
}
