import { fold } from './fold.ts';
import { parseQuery } from './plan.ts';
import { planFor, type StoreHit, searchPlanned } from './query.ts';
import { countTerms, type SearchedStore } from './searched-store.ts';

const MOST_COMPLETIONS = 24;
/** A typed word may run this much past its stem: `configurati` completes to the term `configur`. */
const LONGEST_ENDING = 5;
const SHORTEST_STEM = 4;

/** Hits for a query that is still being typed: its last word may be the start of a longer one. For type-ahead only. */
export function suggest(stores: readonly SearchedStore[], typed: string, limit: number): StoreHit[] {
  const { terms, phrases } = parseQuery(typed);
  const lastWord = fold(/[\p{L}\p{M}\p{N}]+$/u.exec(typed)?.[0] ?? '');
  const started = lastWord === '' ? [] : completions(stores, lastWord);
  const all = new Map([...terms, ...started.map((term) => [term, 1 / started.length] as const)]);
  const request = { query: typed, mode: 'keyword' as const, limit };
  return searchPlanned(stores, request, planFor(stores, { terms: all, phrases }), new Map());
}

/** Terms that the word is the start of, or whose ending it has begun, the most frequent of them. */
function completions(stores: readonly SearchedStore[], word: string): string[] {
  const longer = stores.flatMap(({ store }) => store.ranking.completions(word));
  const stems = Array.from({ length: LONGEST_ENDING }, (_, i) => word.slice(0, word.length - 1 - i));
  const candidates = new Set([...longer, ...stems.filter((stem) => stem.length >= SHORTEST_STEM)]);
  const { documents } = countTerms(stores, candidates);
  return [...candidates]
    .filter((term) => documents.get(term))
    .sort((a, b) => documents.get(b)! - documents.get(a)! || (a < b ? -1 : 1))
    .slice(0, MOST_COMPLETIONS);
}
