import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { UserError } from '../../errors.ts';
import type { Embedder } from '../engine.ts';
import { createWordTable } from '../word-table.ts';
import { eachEmbeddingWord, trigramBuckets } from './static-tokens.ts';

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

// From the bench: with more, the mean nDCG@10 of four collections still gains (.594; .600 at .35), but that of three held
// apart is at its best here (.683; .682 at .35).
const WEIGHT = 0.25;
/** Letters of the words kept from text to text: most of a text's words come again. */
const MOST_LETTERS = 500_000;

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

/** A word met before. */
interface Met {
  /** Rows that stand for it: the vocabulary's one, or those of its trigrams. */
  readonly rows: readonly number[];
  /** Occurrences in the text at hand; 0 between texts. */
  times: number;
}

/** The embedder of a static model: the sum of a text's token vectors, at unit length; a table look-up, no network. */
export function createStaticEmbedder(model: StaticModel): Embedder & { encode(text: string): Float32Array } {
  const { dimensions, rows, scales, wordRows, words, buckets } = model;
  let table = createWordTable();
  /** By their numbers in the table. */
  let met: Met[] = [];
  /** The rows met, each as an array of its own. */
  const views = new Array<Int8Array | undefined>(scales.length).fill(undefined);

  function meet(word: string): Met {
    const row = wordRows.get(word);
    return {
      rows: row !== undefined ? [row] : trigramBuckets(word, buckets).map((bucket) => words + bucket),
      times: 0,
    };
  }

  /** The text's different words in order of first occurrence, `times` counted. */
  function count(text: string): Met[] {
    if (table.letters > MOST_LETTERS) {
      table = createWordTable();
      met = [];
    }
    const found: Met[] = [];
    eachEmbeddingWord(text, (start, end) => {
      const number = table.numberOf(text, start, end);
      if (number === met.length) met.push(meet(text.slice(start, end).toLowerCase()));
      const word = met[number]!;
      if (word.times++ === 0) found.push(word);
    });
    return found;
  }

  function encode(text: string): Float32Array {
    const summed: Int8Array[] = [];
    const factors: number[] = [];
    for (const word of count(text)) {
      for (const row of word.rows) {
        views[row] ??= rows.subarray(row * dimensions, (row + 1) * dimensions);
        summed.push(views[row]);
        factors.push(scales[row]! * word.times);
      }
      word.times = 0;
    }
    return unitVector(weightedSum(dimensions, summed, factors));
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

/**
 * The sum of rows, each times its factor, added up in their order. Four rows at a time: to read and write the sum for
 * every single row takes twice as long.
 */
function weightedSum(dimensions: number, rows: readonly Int8Array[], factors: readonly number[]): Float64Array {
  const sum = new Float64Array(dimensions);
  let at = 0;
  for (; at + 4 <= rows.length; at += 4) addFour(sum, rows, factors, at);
  for (; at < rows.length; at++) for (let i = 0; i < dimensions; i++) sum[i]! += rows[at]![i]! * factors[at]!;
  return sum;
}

function addFour(sum: Float64Array, rows: readonly Int8Array[], factors: readonly number[], at: number): void {
  const [a, b, c, d] = [rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!];
  const [fa, fb, fc, fd] = [factors[at]!, factors[at + 1]!, factors[at + 2]!, factors[at + 3]!];
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + a[i]! * fa + b[i]! * fb + c[i]! * fc + d[i]! * fd;
}
