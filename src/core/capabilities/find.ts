import type { Embedder } from '../search/engine.ts';
import { parseQuery } from '../search/plan.ts';
import { searchStores } from '../search/query.ts';
import { createStore } from '../search/store.ts';
import { tokenize } from '../search/tokenize.ts';

/** Something that can be found by its name and a few sentences. */
export interface Findable {
  /** Unique among those searched together. */
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

export interface Match {
  readonly key: string;
  /** 0 to 1; comparable within one search. */
  readonly score: number;
  /** Words of the query that the item holds, stop words left out; empty when only its meaning is near. */
  readonly matched_terms: readonly string[];
}

/**
 * Least cosine similarity at which an item counts as found by meaning alone: with the built-in model, unrelated groups and
 * skills reach .2.
 */
const NEAR = 0.25;

/** Words of questions and requests that say nothing of what is sought, besides those the search leaves out. */
const EMPTY_WORDS = new Set(
  'about all also am any before done else find get give help just know let like me more most need no now off out over please same some use used using want whose'.split(
    ' ',
  ),
);

/** Finds by word and by meaning among a few hundred items, which are indexed once and until they change. */
export function createFinder() {
  let indexed: { items: string; embedder: Embedder | null; store: ReturnType<typeof createStore> } | undefined;

  const storeOf = (items: readonly Findable[], embedder: Embedder | null) => {
    const state = JSON.stringify(items);
    if (indexed?.items !== state || indexed.embedder !== embedder) {
      const store = createStore(embedder?.instant ? embedder : null);
      for (const { key, name, text } of items) store.replaceFile(key, oneChunk(name, text));
      indexed = { items: state, embedder, store };
    }
    return indexed.store;
  };

  return {
    async find(
      items: readonly Findable[],
      query: string,
      embedder: Embedder | null,
      signal?: AbortSignal,
    ): Promise<Match[]> {
      const store = storeOf(items, embedder);
      const words = contentWords(query);
      const request = { query, mode: 'knowledge' as const, limit: Math.max(1, items.length), explain: true };
      const { hits } = await searchStores([{ store }], request, signal);
      return hits.flatMap(({ file, score, explanation, duplicates = [] }) => {
        const terms = new Set(explanation?.terms.map(({ term }) => term));
        const matched = words.filter((word) => termsOf(word).some((term) => terms.has(term)));
        if (matched.length === 0 && (explanation?.semantic ?? 0) < NEAR) return [];
        const keys = [file, ...duplicates.map((duplicate) => duplicate.file)];
        return keys.map((key) => ({ key, score: Number(score.toPrecision(4)), matched_terms: matched }));
      });
    },
  };
}

function oneChunk(title: string, text: string) {
  const whole = `${title}\n${text}`;
  const section = { path: [], parent: -1, start: 0, end: whole.length, firstChunk: 0, endChunk: 1 };
  const chunk = { kind: 'text' as const, section: 0, start: 0, end: whole.length };
  return { title, text: whole, sections: [section], chunks: [chunk], warnings: [] };
}

/** The query's own words that mean something to the search, lower-cased, each once. */
function contentWords(query: string): string[] {
  const asked = parseQuery(query).terms;
  const words = query.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*/gu) ?? [];
  return [...new Set(words.map((word) => word.replace(/[_.-]+$/, '')))].filter(
    (word) => !EMPTY_WORDS.has(word) && termsOf(word).some((term) => asked.has(term)),
  );
}

function termsOf(word: string): string[] {
  const { words, identifiers } = tokenize(word);
  return [...words, ...identifiers];
}
