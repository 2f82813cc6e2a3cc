import type { SearchScope, SearchStore } from './engine.ts';
import { addCounts, type CorpusCounts } from './plan.ts';

/** A store to search, and where in it; a request's own scopes apply to stores that bring none. */
export interface SearchedStore {
  readonly store: SearchStore;
  readonly scopes?: readonly SearchScope[];
}

/** Counts over all the stores together. */
export function countTerms(stores: readonly SearchedStore[], terms: Iterable<string>): CorpusCounts {
  const list = [...terms];
  return addCounts(stores.map(({ store }) => store.ranking.counts(list)));
}
