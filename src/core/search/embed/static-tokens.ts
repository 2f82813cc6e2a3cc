const RUN = /[A-Za-z0-9]+/g;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const LOWER_CASE = /^[a-z0-9]+$/;
const MOST_TRIGRAMS = 8;

/** Words of a text as the static embedding counts them: ASCII runs, split at camelCase and digits unless all lower case. */
export function embeddingWords(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(RUN)) {
    if (LOWER_CASE.test(run)) words.push(run);
    else for (const part of run.match(PART) ?? []) words.push(part.toLowerCase());
  }
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
