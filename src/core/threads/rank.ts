import type { SemanticStatus } from '../search/engine.ts';
import { type SearchResult, type StoreHit, searchStores } from '../search/query.ts';
import { isAbort } from '../util/abort.ts';
import type { Entry, Library } from './library.ts';

/** A message that matches. */
export interface MessageHit {
  readonly number: number;
  readonly score: number;
  /** The passage, without secrets. */
  readonly text: string;
}

export interface RankedThread {
  readonly entry: Entry;
  /** Of its best message, 0 to 1. */
  readonly score: number;
  /** Best first. */
  readonly hits: readonly MessageHit[];
}

export interface Ranking {
  readonly threads: readonly RankedThread[];
  readonly corrections: SearchResult['corrections'];
  readonly semantic_index: SemanticStatus;
}

/** Matches of one thread that are kept. */
const HITS = 3;
/** Up to this many threads the index is told where to look; for more, looking everywhere and choosing is faster. */
const FEW = 24;
const MOST_MATCHES = 1600;
/** Cosine below which the built-in model's texts have nothing to do with each other, and share of the best one's. */
const LEAST_COSINE = 0.2;
const LEAST_SHARE = 0.5;

/** The threads among `entries` whose messages match a query best, by words and by meaning. */
export async function rankThreads(
  library: Library,
  entries: readonly Entry[],
  query: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Ranking> {
  const { index } = library;
  const byPath = new Map(entries.map((entry) => [entry.file.path, entry]));
  const scopes = entries.length <= FEW ? { scopes: entries.map(({ file }) => index.scopeOf(file.path)) } : {};
  let failure: string | undefined;
  const search = async (matches: number): Promise<SearchResult> => {
    const request = { query, limit: matches, explain: true };
    const searched = [{ store: index.store, ...scopes }];
    try {
      return await searchStores(searched, { ...request, mode: 'knowledge' }, signal);
    } catch (error) {
      if (isAbort(error)) throw error;
      failure = error instanceof Error ? error.message : String(error);
      return searchStores(searched, { ...request, mode: 'keyword' }, signal);
    }
  };
  for (let matches = Math.max(60, limit * 6); ; matches *= 4) {
    const { hits, corrections } = entries.length === 0 ? { hits: [], corrections: [] } : await search(matches);
    const found = new Map<string, { entry: Entry; score: number; hits: MessageHit[] }>();
    for (const hit of relevant(hits)) {
      const text = index.store.text(hit.file, hit.chunk) ?? '';
      for (const { file, chunk } of [hit, ...(hit.duplicates ?? [])]) {
        const place = index.placeOf(file, chunk);
        const entry = place && byPath.get(place.path);
        if (!entry) continue;
        const thread = found.get(place.path) ?? { entry, score: hit.score, hits: [] };
        found.set(place.path, thread);
        if (thread.hits.length < HITS && thread.hits.every(({ number }) => number !== place.number))
          thread.hits.push({ number: place.number, score: hit.score, text });
      }
    }
    if (found.size >= limit || hits.length < matches || matches >= MOST_MATCHES) {
      const threads = [...found.values()].slice(0, limit);
      return { threads, corrections, semantic_index: semanticStatus(index.store.semantic(), failure) };
    }
  }
}

/** Hits that hold a word of the query or are near to it in meaning: the nearest of all is not always near. */
export function relevant(hits: readonly StoreHit[]): StoreHit[] {
  const cosine = ({ explanation }: StoreHit) => explanation?.semantic ?? 0;
  const best = hits.reduce((most, hit) => Math.max(most, cosine(hit)), 0);
  const least = Math.max(LEAST_COSINE, best * LEAST_SHARE);
  return hits.filter((hit) => (hit.explanation?.terms.length ?? 0) > 0 || cosine(hit) >= least);
}

function semanticStatus(status: SemanticStatus, failure: string | undefined): SemanticStatus {
  if (failure === undefined) return status;
  return {
    status: 'unavailable',
    reason: `Searched by words alone: ${failure}`,
    enable_with: 'Try again, or check the loci.embedding settings.',
  };
}
