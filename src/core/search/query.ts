import { collapse } from './collapse.ts';
import { type Correction, correctTerms } from './correct.ts';
import type { Embedder, Explanation, Hit, SearchRequest, SearchStore } from './engine.ts';
import { blend, byScore, type Candidate } from './fuse.ts';
import { type ParsedQuery, parseQuery, planQuery, type QueryPlan } from './plan.ts';
import { countTerms, type SearchedStore } from './searched-store.ts';

export interface SearchResult {
  /** Best first; `store` is the index of the store the hit is from. */
  readonly hits: readonly StoreHit[];
  /** Words of the query that no chunk holds, and the index terms that were searched in their place. */
  readonly corrections: readonly Correction[];
}

export type StoreHit = Omit<Hit, 'duplicates'> & {
  readonly store: number;
  readonly duplicates?: readonly { readonly store: number; readonly file: string; readonly chunk: number }[];
};

/** Candidates that each side gives to the blend; more change nothing on the judged collections. */
const DEPTH = 100;
/** A best hit this many times above the second is clear: the bench shows no loss in leaving the semantic side out. */
const CLEAR = 1.5;

/** Searches several stores as if they were one index: counts are shared, so that scores compare. */
export async function searchStores(
  stores: readonly SearchedStore[],
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchResult> {
  signal?.throwIfAborted();
  const vectors = await queryVectors(stores, request, signal);
  const { terms, corrections } = correctTerms(stores, parseQuery(request.query));
  return { hits: searchPlanned(stores, request, planFor(stores, terms), vectors), corrections };
}

/** The plan of a query by the counts of all the stores together. */
export function planFor(stores: readonly SearchedStore[], parsed: ParsedQuery): QueryPlan {
  return planQuery(parsed, countTerms(stores, parsed.terms.keys()));
}

/** The hits of a plan; without query vectors, by words alone. */
export function searchPlanned(
  stores: readonly SearchedStore[],
  request: SearchRequest,
  plan: QueryPlan,
  vectors: ReadonlyMap<Embedder, Float32Array>,
): StoreHit[] {
  const depth = Math.max(request.limit, DEPTH);
  const lexical = merge(stores, depth, ({ store, scopes }) =>
    store.ranking.lexical(request.query, plan, scopes ?? request.scopes, depth),
  );
  const weight = needsMeaning(lexical, request.limit, plan) ? semanticWeight(vectors) : 0;
  const ranked = weight === 0 ? lexical : blendMeaning(stores, request, lexical, vectors, depth, weight);
  const kept = request.copies
    ? ranked.slice(0, request.limit).map((candidate) => ({ candidate, duplicates: [] }))
    : collapse(ranked, request.limit, ({ store, slot }) => stores[store]!.store.ranking.text(slot));
  return kept.map(({ candidate, duplicates }) => {
    const { store, file, chunk, score } = candidate;
    return {
      store,
      file,
      chunk,
      score: weight === 0 && request.mode === 'knowledge' ? score / (lexical[0]?.score ?? 1) : score,
      ...(duplicates.length > 0 ? { duplicates } : {}),
      ...(request.explain ? { explanation: explain(plan, stores[store]!.store, candidate, weight) } : {}),
    };
  });
}

/** Not for a phrase, which must be there word by word, nor when words alone give a clear best hit and enough others. */
function needsMeaning(lexical: readonly Candidate[], limit: number, plan: QueryPlan): boolean {
  if (plan.phrases.length > 0) return false;
  const [first, second] = lexical;
  return lexical.length < limit || second === undefined || first!.score < CLEAR * second.score;
}

function semanticWeight(vectors: ReadonlyMap<Embedder, Float32Array>): number {
  return Math.max(0, ...[...vectors.keys()].map((embedder) => embedder.weight));
}

function blendMeaning(
  stores: readonly SearchedStore[],
  request: SearchRequest,
  lexical: readonly Candidate[],
  vectors: ReadonlyMap<Embedder, Float32Array>,
  depth: number,
  weight: number,
): Candidate[] {
  const vectorFor = (store: SearchStore) => store.embedder && vectors.get(store.embedder);
  const semantic = merge(stores, depth, ({ store, scopes }) => {
    const vector = vectorFor(store);
    return vector ? store.ranking.nearest(vector, scopes ?? request.scopes, depth) : [];
  });
  return blend(lexical, semantic, weight, ({ store, slot }) => {
    const searched = stores[store]!.store;
    const vector = vectorFor(searched);
    return vector ? searched.ranking.similarity(vector, slot) : undefined;
  });
}

async function queryVectors(
  stores: readonly SearchedStore[],
  { query, mode }: SearchRequest,
  signal?: AbortSignal,
): Promise<Map<Embedder, Float32Array>> {
  const vectors = new Map<Embedder, Float32Array>();
  if (mode === 'keyword' || query.trim() === '') return vectors;
  for (const { store } of stores) {
    const { embedder } = store;
    if (embedder === null || vectors.has(embedder)) continue;
    const [vector] = await embedder.embed([query], 'query', signal);
    // All zero when the model knows nothing of the query: every chunk would be as near.
    if (vector!.some((value) => value !== 0)) vectors.set(embedder, vector!);
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

function explain(plan: QueryPlan, store: SearchStore, { slot, semantic }: Candidate, weight: number): Explanation {
  const terms = store.ranking.explain(plan, slot);
  return {
    terms,
    lexical: terms.reduce((sum, { score }) => sum + score, 0),
    semantic: semantic ?? null,
    weight: { lexical: 1 - weight, semantic: weight },
  };
}
