import type { ParsedQuery } from './plan.ts';
import { countTerms, type SearchedStore } from './searched-store.ts';

export interface Correction {
  readonly term: string;
  readonly instead: readonly string[];
}

/** A query of which more words match is answered well enough by those: a guess would cost time and add noise. */
const MOST_MATCHED = 3;
/** Mistyped words looked up in one query: each costs a pass over every term of the index. */
const MOST_CORRECTED = 4;
const MOST_INSTEAD = 3;
/** Weight of a term that is a guess beside one that was typed. */
const GUESS = 0.5;

/** Adds near terms for those query terms that no chunk of any store holds, unless enough of the others match. */
export function correctTerms(
  stores: readonly SearchedStore[],
  parsed: ParsedQuery,
): { terms: ParsedQuery; corrections: Correction[] } {
  const { documents } = countTerms(stores, parsed.terms.keys());
  const missing = [...parsed.terms.keys()].filter((term) => !documents.get(term));
  if (parsed.terms.size - missing.length > MOST_MATCHED) return { terms: parsed, corrections: [] };
  const corrections = missing.slice(0, MOST_CORRECTED).flatMap((term) => {
    const instead = nearTerms(stores, term);
    return instead.length > 0 ? [{ term, instead }] : [];
  });
  const terms = new Map(parsed.terms);
  for (const { instead } of corrections) {
    for (const term of instead) if (!terms.has(term)) terms.set(term, GUESS);
  }
  return { terms: { ...parsed, terms }, corrections };
}

/** The nearest terms that some chunk holds; of those equally near, the most frequent. */
function nearTerms(stores: readonly SearchedStore[], word: string): string[] {
  const distances = new Map(
    stores.flatMap(({ store }) => store.ranking.corrections(word).map((c) => [c.term, c.distance])),
  );
  const { documents } = countTerms(stores, distances.keys());
  const held = [...distances].filter(([term]) => documents.get(term));
  const nearest = Math.min(...held.map(([, distance]) => distance));
  return held
    .filter(([, distance]) => distance === nearest)
    .map(([term]) => term)
    .sort((a, b) => documents.get(b)! - documents.get(a)! || (a < b ? -1 : 1))
    .slice(0, MOST_INSTEAD);
}
