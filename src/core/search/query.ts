import type { Embedder, Explanation, Hit, SearchRequest, SearchScope, SearchStore } from './engine.ts';
import { blend, type Candidate } from './fuse.ts';
import { addCounts, parseQuery, planQuery, type QueryPlan } from './plan.ts';

/** A store to search, and where in it; a request's own scopes apply to stores that bring none. */
export interface SearchedStore {
  readonly store: SearchStore;
  readonly scopes?: readonly SearchScope[];
}

export interface SearchResult {
  /** Best first; `store` is the index of the store the hit is from. */
  readonly hits: readonly (Hit & { readonly store: number })[];
}

/** Candidates that each side gives to the blend. */
const DEPTH = 100;

/** Searches several stores as if they were one index: counts are shared, so that scores compare. */
export async function searchStores(
  stores: readonly SearchedStore[],
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchResult> {
  signal?.throwIfAborted();
  const vectors = await queryVectors(stores, request, signal);
  const parsed = parseQuery(request.query);
  const plan = planQuery(parsed, addCounts(stores.map(({ store }) => store.ranking.counts(parsed.terms.keys()))));
  const depth = Math.max(request.limit, DEPTH);
  const lexical = merge(stores, depth, ({ store, scopes }) =>
    store.ranking.lexical(request.query, plan, scopes ?? request.scopes, depth),
  );
  const semantic = merge(stores, depth, ({ store, scopes }) => {
    const vector = store.embedder === null ? undefined : vectors.get(store.embedder);
    return vector === undefined ? [] : store.ranking.nearest(vector, scopes ?? request.scopes, depth);
  });
  const weight = semantic.length === 0 ? 0 : (stores.find(({ store }) => store.embedder)?.store.embedder?.weight ?? 0);
  const ranked =
    weight === 0
      ? lexical
      : blend(lexical, semantic, weight, ({ store, slot }) => {
          const searched = stores[store]!.store;
          return searched.ranking.similarity(vectors.get(searched.embedder!)!, slot);
        }).sort(byScore);
  const hits = ranked.slice(0, request.limit).map((candidate) => toHit(candidate));
  return { hits };

  function toHit(candidate: Candidate): Hit & { store: number } {
    const { store, file, chunk, score, slot } = candidate;
    const hit = { store, file, chunk, score };
    return request.explain
      ? { ...hit, explanation: explain(plan, stores[store]!.store, candidate, slot, weight) }
      : hit;
  }
}

async function queryVectors(
  stores: readonly SearchedStore[],
  { query, mode }: SearchRequest,
  signal?: AbortSignal,
): Promise<Map<Embedder, Float32Array>> {
  const vectors = new Map<Embedder, Float32Array>();
  if (mode === 'keyword') return vectors;
  for (const { store } of stores) {
    const { embedder } = store;
    if (embedder === null || vectors.has(embedder)) continue;
    const [vector] = await embedder.embed([query], 'query', signal);
    vectors.set(embedder, vector!);
  }
  return vectors;
}

function merge(
  stores: readonly SearchedStore[],
  limit: number,
  search: (store: SearchedStore) => readonly { slot: number; score: number }[],
): Candidate[] {
  const all = stores.flatMap((searched, store) =>
    search(searched).map(({ slot, score }) => ({ store, slot, score, ...searched.store.ranking.place(slot) })),
  );
  return all.sort(byScore).slice(0, limit);
}

/** Best first; equal scores by file, place and store, so that the order never hangs on how an index was built. */
function byScore(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.chunk - b.chunk || a.store - b.store;
}

function explain(plan: QueryPlan, store: SearchStore, from: Candidate, slot: number, weight: number): Explanation {
  const terms = store.ranking.explain(plan, slot);
  return {
    terms,
    lexical: terms.reduce((sum, { score }) => sum + score, 0),
    semantic: from.semantic ?? null,
    weight: { lexical: 1 - weight, semantic: weight },
  };
}
