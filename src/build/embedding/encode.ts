import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { embeddingWords, trigramBuckets } from '../../core/search/embed/static-tokens.ts';

const TRIGRAMS = 8;
const LONGEST_QUERY = 64;
const LONGEST_TEXT = 256;
const LEAST_COUNT = 5;
/** A word with a digit in it (a version, a date, a hash) must come this many times as often to earn a row. */
const DIGITS_COST = 8;

/** The most frequent words of a file of pairs, most frequent first. */
export async function vocabularyOf(pairs: string, most: number): Promise<string[]> {
  const counts = new Map<string, number>();
  for await (const [, query, text] of readPairs(pairs)) {
    // Once a text: a word that one page repeats is no use to the others.
    for (const word of new Set([...query, ...text])) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const worth = (word: string, count: number) => (/\d/.test(word) && word.length > 1 ? count / DIGITS_COST : count);
  return [...counts]
    .map(([word, count]) => [word, worth(word, count)] as const)
    .filter(([word, count]) => count >= LEAST_COUNT && word.length <= 40)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([word]) => word);
}

/** Writes the trainer's corpus file (its layout: trainer/corpus.h). Gives the number of pairs. */
export async function encodeCorpus(
  pairs: string,
  path: string,
  vocabulary: readonly string[],
  buckets: number,
): Promise<number> {
  const rowOf = new Map(vocabulary.map((word, row) => [word, row]));
  const hashed = new Map<string, readonly number[]>();
  const trigramRows = (word: string) => trigramBuckets(word, buckets).map((bucket) => vocabulary.length + bucket);
  const rowsOf = (words: readonly string[], most: number): number[] => {
    const rows: number[] = [];
    for (const word of words) {
      if (rows.length >= most) break;
      const row = rowOf.get(word);
      if (row !== undefined) rows.push(row);
      else {
        const found = hashed.get(word) ?? trigramRows(word);
        hashed.set(word, found);
        rows.push(...found);
      }
    }
    return rows;
  };
  let count = 0;
  for await (const _ of readLines(pairs)) count++;
  const file = createWriteStream(path);
  file.write(numbers([vocabulary.length, buckets, count]));
  file.write(
    numbers(
      vocabulary.flatMap((word) => [...trigramRows(word), ...Array<number>(TRIGRAMS).fill(-1)].slice(0, TRIGRAMS)),
    ),
  );
  for await (const [group, query, text] of readPairs(pairs)) {
    const asked = rowsOf(query, LONGEST_QUERY);
    const told = rowsOf(text, LONGEST_TEXT);
    if (!file.write(numbers([group, asked.length, told.length, ...asked, ...told]))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  return count;
}

async function* readPairs(path: string): AsyncGenerator<[number, string[], string[]]> {
  for await (const line of readLines(path)) {
    const [group, query, text] = line.split('\t');
    yield [Number(group), embeddingWords(query ?? ''), embeddingWords(text ?? '')];
  }
}

function readLines(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

function numbers(values: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(values).buffer);
}
