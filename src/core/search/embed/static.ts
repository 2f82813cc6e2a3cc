import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
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
const WORD_CACHE_SIZE = 50_000;

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

  /** Rows that stand for a word, the vocabulary's or its trigrams', cached: most of a text's words come again. */
  const rowsOfWord = new Map<string, readonly number[]>();

  function rowsOf(word: string): readonly number[] {
    const known = rowsOfWord.get(word);
    if (known !== undefined) return known;
    const row = wordRows.get(word);
    const found = row !== undefined ? [row] : trigramBuckets(word, buckets).map((bucket) => words + bucket);
    if (rowsOfWord.size >= WORD_CACHE_SIZE) rowsOfWord.clear();
    rowsOfWord.set(word, found);
    return found;
  }

  function encode(text: string): Float32Array {
    const times = new Map<string, number>();
    for (const word of embeddingWords(text)) times.set(word, (times.get(word) ?? 0) + 1);
    const sum = new Float64Array(dimensions);
    for (const [word, count] of times) {
      for (const row of rowsOf(word)) {
        addRow(sum, rows.subarray(row * dimensions, (row + 1) * dimensions), scales[row]! * count);
      }
    }
    return unitVector(sum);
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

/** A vector at unit length; all zero stays zero. */
function unitVector(sum: Float64Array): Float32Array {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const vector = new Float32Array(sum.length);
  if (squares === 0) return vector;
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < sum.length; i++) vector[i] = sum[i]! * scale;
  return vector;
}

/** Adds a row times a factor. A view of the row alone spares the loop an addition and a check each time round. */
function addRow(sum: Float64Array, row: Int8Array, factor: number): void {
  for (let i = 0; i < row.length; i++) sum[i]! += row[i]! * factor;
}
