import { CAPITAL, kindAt, SMALL } from '../ascii.ts';

const MOST_TRIGRAMS = 8;

/**
 * Visits the words of a text as the static embedding counts them: ASCII runs, split at camelCase and digits unless they
 * have no capital. Words are given as places, for their case is to be ignored and most need no string of their own.
 */
export function eachEmbeddingWord(text: string, visit: (start: number, end: number) => void): void {
  for (let at = 0; at < text.length; at++) {
    const start = at;
    let kinds = 0;
    for (let kind = kindAt(text, at); kind !== 0; kind = kindAt(text, ++at)) kinds |= kind;
    if ((kinds & CAPITAL) !== 0) eachPart(text, start, at, visit);
    else if (kinds !== 0) visit(start, at);
  }
}

/** `HTTPServer2` is `HTTP`, `Server` and `2`: the last of several capitals goes with the small letters after it. */
function eachPart(text: string, start: number, end: number, visit: (start: number, end: number) => void): void {
  let from = start;
  for (let at = start + 1; at < end; at++) {
    const before = kindAt(text, at - 1);
    const kind = kindAt(text, at);
    if (kind === before) continue;
    const cut = before === CAPITAL && kind === SMALL ? at - 1 : at;
    if (cut > from) visit(from, cut);
    from = cut;
  }
  visit(from, end);
}

/** The same as strings, in lower case. */
export function embeddingWords(text: string): string[] {
  const words: string[] = [];
  eachEmbeddingWord(text, (start, end) => words.push(text.slice(start, end).toLowerCase()));
  return words;
}

/** Buckets (0 to `buckets - 1`) that stand for a word outside the vocabulary: its first trigrams, hashed by FNV-1a. */
export function trigramBuckets(word: string, buckets: number): number[] {
  const marked = `<${word}>`;
  const found: number[] = [];
  for (let i = 0; i + 3 <= marked.length && found.length < MOST_TRIGRAMS; i++) {
    let hash = 0x811c9dc5;
    for (let j = i; j < i + 3; j++) hash = Math.imul(hash ^ marked.charCodeAt(j), 0x01000193);
    found.push((hash >>> 0) % buckets);
  }
  return found;
}
