import type { SearchMode } from '../search/engine.ts';
import type { SearchResult } from '../search/query.ts';
import type { SearchedStore } from '../search/searched-store.ts';
import { throwIfAborted } from '../util/abort.ts';
import { sha256 } from '../util/hash.ts';
import type { Shelf } from './shelf.ts';

/** A question whose one right answer is known: a heading that stands above a single section. */
interface Question {
  readonly shelf: Shelf;
  readonly file: string;
  readonly heading: string;
  /** Chunks of the section. */
  readonly first: number;
  readonly end: number;
}

export interface Miss {
  readonly question: string;
  /** Absolute path of the document that has the answer. */
  readonly expected: string;
  /** What came first instead; null if nothing did. */
  readonly found: string | null;
}

export interface ModeReport {
  readonly mode: SearchMode;
  /** Mean over the questions, 0 to 1. */
  readonly ndcg10: number;
  readonly mrr10: number;
  /** Share of the questions whose section came first. */
  readonly first: number;
  readonly misses: readonly Miss[];
}

export interface Evaluation {
  readonly questions: number;
  /** Headings that could not be questions: too short, or above several sections. */
  readonly ambiguous: number;
  readonly modes: readonly ModeReport[];
}

type Search = (
  stores: readonly SearchedStore[],
  request: { query: string; mode: SearchMode; limit: number },
  signal?: AbortSignal,
) => Promise<SearchResult>;

/** Questions asked at most: enough for a mean that holds to a few points. */
const MOST = 300;
const DEPTH = 10;

/**
 * Asks the index for known items, made from the documents' own headings, and reports how well each way of searching
 * finds them. The measure is kind, since a heading's words are in its section; what it shows is where search fails.
 */
export async function evaluate(shelves: readonly Shelf[], search: Search, signal?: AbortSignal): Promise<Evaluation> {
  const { questions, ambiguous } = knownItems(shelves);
  const stores = shelves.map(({ store }) => ({ store }));
  const modes: ModeReport[] = [];
  for (const mode of ['keyword', 'knowledge'] as const) {
    const ranks: number[] = [];
    const misses: Miss[] = [];
    for (const question of questions) {
      throwIfAborted(signal);
      const { hits } = await search(stores, { query: question.heading, mode, limit: DEPTH }, signal);
      const rank = hits.findIndex(
        (hit) =>
          shelves[hit.store] === question.shelf &&
          hit.file === question.file &&
          hit.chunk >= question.first &&
          hit.chunk < question.end,
      );
      ranks.push(rank);
      const best = hits[0];
      const expected = `${question.shelf.root}/${question.file}`;
      const found = best ? `${shelves[best.store]!.root}/${best.file}` : null;
      if (rank < 0) misses.push({ question: question.heading, expected, found });
    }
    const mean = (gain: (rank: number) => number) =>
      ranks.length === 0 ? 0 : ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : gain(rank)), 0) / ranks.length;
    modes.push({
      mode,
      ndcg10: mean((rank) => 1 / Math.log2(rank + 2)),
      mrr10: mean((rank) => 1 / (rank + 1)),
      first: mean((rank) => (rank === 0 ? 1 : 0)),
      misses,
    });
  }
  return { questions: questions.length, ambiguous, modes };
}

function knownItems(shelves: readonly Shelf[]): { questions: Question[]; ambiguous: number } {
  const byHeading = new Map<string, Question[]>();
  for (const shelf of shelves) {
    for (const [file, { document }] of shelf.catalog.files) {
      for (const { path, firstChunk, endChunk } of document.sections) {
        const heading = path.at(-1)?.trim();
        if (!heading) continue;
        const key = heading.toLowerCase();
        const same = byHeading.get(key) ?? [];
        same.push({ shelf, file, heading, first: firstChunk, end: endChunk });
        byHeading.set(key, same);
      }
    }
  }
  const groups = [...byHeading.values()];
  const usable = groups.filter((same) => same.length === 1 && /[\p{L}\p{N}]\P{L}+[\p{L}\p{N}]/u.test(same[0]!.heading));
  // By hash, so that the sample is spread over all documents and the same each time.
  const ordered = usable.map(([only]) => ({ only: only!, order: sha256(`${only!.file}\0${only!.heading}`) }));
  ordered.sort((a, b) => (a.order < b.order ? -1 : 1));
  return { questions: ordered.slice(0, MOST).map(({ only }) => only), ambiguous: groups.length - usable.length };
}
