import type { ChunkedDocument } from './document.ts';
import type { CorpusCounts, QueryPlan } from './plan.ts';
import type { Scored } from './top.ts';

/** Which ranking a search uses: BM25F alone, or BM25F blended with the vectors' similarity. */
export type SearchMode = 'keyword' | 'knowledge';

/** Limits a search to a folder (`prefix` ends with `/`, or is empty for the whole store), a file, or a run of one file's chunks. */
export interface SearchScope {
  readonly prefix?: string;
  readonly file?: string;
  /** With `file`: chunk ordinals `first` to `end - 1` only. */
  readonly first?: number;
  readonly end?: number;
}

export interface SearchRequest {
  readonly query: string;
  readonly mode: SearchMode;
  /** Hits wanted, at least 1. */
  readonly limit: number;
  /** A hit must lie in one of these; absent means anywhere. */
  readonly scopes?: readonly SearchScope[];
  /** Adds `explanation` to each hit. */
  readonly explain?: boolean;
  /** Near copies are hits of their own, not `duplicates` of the best of them. */
  readonly copies?: boolean;
}

/** Where a score came from. */
export interface Explanation {
  /** Query terms the chunk matches, each with the fields it was found in and its share of the lexical score. */
  readonly terms: readonly { term: string; fields: readonly string[]; score: number }[];
  readonly lexical: number;
  /** Cosine similarity; null when the semantic side did not run for this hit. */
  readonly semantic: number | null;
  readonly weight: { lexical: number; semantic: number };
}

export interface Hit {
  /** Path of the file in its store, `/`-separated. */
  readonly file: string;
  /** Ordinal of the chunk in its file. */
  readonly chunk: number;
  /** Higher is better; 0 to 1 in `knowledge` mode, a BM25F sum in `keyword` mode. */
  readonly score: number;
  readonly explanation?: Explanation;
  /** Other places with (nearly) the same text, left out of the hits in favour of this one. */
  readonly duplicates?: readonly { file: string; chunk: number }[];
}

/** What `semantic_index` says in every answer. */
export type SemanticStatus =
  | { readonly status: 'available'; readonly provider: string; readonly model: string }
  | {
      readonly status: 'warming';
      readonly provider: string;
      readonly model: string;
      readonly done: number;
      readonly total: number;
    }
  | { readonly status: 'unavailable'; readonly reason: string; readonly enable_with: string };

/** Turns texts into unit-length vectors. */
export interface Embedder {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  /** Share of the semantic side in the blend, 0 to 1, derived from the bench. */
  readonly weight: number;
  /** True when embedding costs so little that it happens with indexing; false runs it in the background. */
  readonly instant: boolean;
  /** Present when `instant`: the vector of one text, at once. */
  encode?(text: string): Float32Array;
  embed(texts: readonly string[], kind: 'document' | 'query', signal?: AbortSignal): Promise<Float32Array[]>;
}

/** The searchable chunks of one folder. Only the worker holds one. */
export interface SearchStore {
  readonly chunks: number;
  /** Puts a file's chunks in place of whatever the store had for that path. */
  replaceFile(path: string, document: ChunkedDocument): void;
  removeFile(path: string): void;
  /** Text of one chunk; undefined if there is none. */
  text(file: string, chunk: number): string | undefined;
  /** Writes every shard into an existing, empty folder; each is checksummed. */
  save(folder: string): Promise<void>;
  semantic(): SemanticStatus;
  readonly embedder: Embedder | null;
  readonly ranking: StoreRanking;
  /** Embeds what has no vector yet; resolves when all have one. Progress shows in `semantic()`. */
  embedPending(signal?: AbortSignal, onProgress?: (done: number, total: number) => void): Promise<void>;
}

/**
 * What searching several stores as one asks of each. Slots are a store's own numbers for its chunks; they hold until the
 * store is next changed or saved, so a search uses them without awaiting anything in between.
 */
export interface StoreRanking {
  counts(terms: Iterable<string>): CorpusCounts;
  /** Best chunks by BM25F under a plan. */
  lexical(query: string, plan: QueryPlan, scopes: readonly SearchScope[] | undefined, limit: number): Scored[];
  /** Chunks with the nearest vectors. */
  nearest(vector: Float32Array, scopes: readonly SearchScope[] | undefined, limit: number): Scored[];
  /** Cosine of one chunk; undefined while it has no vector. */
  similarity(vector: Float32Array, slot: number): number | undefined;
  explain(plan: QueryPlan, slot: number): Explanation['terms'];
  place(slot: number): { readonly file: string; readonly chunk: number };
  /** Text of a chunk. */
  text(slot: number): string;
  /** Index terms that start with a prefix. */
  completions(prefix: string): string[];
  /** Index terms that a word may be a mistyping of, with their distance, nearest first. */
  corrections(word: string): { readonly term: string; readonly distance: number }[];
}
