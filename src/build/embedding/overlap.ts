import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddingWords } from '../../core/search/embed/static-tokens.ts';

const SHINGLE = 12;

/** Tells whether a text shares a run of words with the documents of the judged collections. */
export interface Overlap {
  overlaps(text: string): boolean;
}

/**
 * Reads `docs.jsonl` and `queries.jsonl` of each folder. Of a judged text every 12th run of 12 words is kept and every
 * run of a candidate is looked up, so that any 23 words in common are found.
 */
export function judgedOverlap(folders: readonly string[]): Overlap {
  const known = new Set<number>();
  for (const path of folders.flatMap((folder) => ['docs.jsonl', 'queries.jsonl'].map((name) => join(folder, name)))) {
    if (!existsSync(path)) continue;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue;
      const words = embeddingWords((JSON.parse(line) as { text: string }).text);
      for (const hash of shingles(words, SHINGLE)) known.add(hash);
    }
  }
  return {
    overlaps: (text) => {
      for (const hash of shingles(embeddingWords(text), 1)) if (known.has(hash)) return true;
      return false;
    },
  };
}

/** Hashes of the runs of 12 words that start at every `step`-th word; one of the whole where there are fewer words. */
function* shingles(words: readonly string[], step: number): Generator<number> {
  const length = Math.min(SHINGLE, words.length);
  if (length < 6) return;
  for (let start = 0; start + length <= words.length; start += step) {
    let hash = 0x811c9dc5;
    for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ wordHash(words[i]!), 0x01000193);
    yield hash >>> 0;
  }
}

const hashes = new Map<string, number>();

function wordHash(word: string): number {
  let hash = hashes.get(word);
  if (hash === undefined) {
    hash = 0x811c9dc5;
    for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
    hash ^= hash >>> 15;
    hashes.set(word, hash);
  }
  return hash;
}
