import { sameTable, tableOf } from './anchors.ts';
import type { PastQuery } from './entry.ts';
import { namesIn, overlap, wordsOf } from './topic.ts';

export type Category = 'final' | 'exploratory' | 'rejected_approach' | 'superseded' | 'open_question';

/** From the worst to the best. */
const BY_BADNESS: readonly Category[] = ['rejected_approach', 'superseded', 'open_question', 'exploratory', 'final'];

/** A learning of the team wiki. */
export interface Learning {
  readonly statement_id: string;
  readonly anchor_qn: string;
  readonly text: string;
  readonly category: Category;
}

/** Reads the team wiki. */
export interface LearningPort {
  overlays(input: {
    qualified_names: readonly string[];
    query: string;
    limit: number;
    categories: readonly Category[];
  }): Promise<{
    readonly on: Readonly<Record<string, { readonly learnings: readonly Learning[] }>>;
    readonly hits: readonly Learning[];
  }>;
}

export type ResolutionMethod = 'explicit' | 'topic_explicit_qn' | 'query_text' | 'wiki_text' | 'none';

export interface Resolution {
  readonly method: ResolutionMethod;
  readonly anchors: readonly string[];
}

/** Most anchors that words resolve to, and most learnings that are looked up for one. */
const MOST_ANCHORS = 20;
const MOST_LEARNINGS = 20;

/** Which tables a topic speaks of: those named, else those of past queries that its words name, else those of the wiki. */
export async function resolveTopic(
  { topic, anchor_qns }: { readonly topic: string; readonly anchor_qns: readonly string[] | null },
  queries: readonly PastQuery[],
  wiki: LearningPort | undefined,
): Promise<Resolution> {
  if (anchor_qns && anchor_qns.length > 0) return { method: 'explicit', anchors: anchor_qns };
  const written = namesIn(topic);
  if (written.length > 0) return { method: 'topic_explicit_qn', anchors: written };
  const words = wordsOf(topic);
  const scored = [...new Set(queries.flatMap(({ anchors }) => anchors))]
    .map((anchor) => ({ anchor, score: overlap(words, tableOf(anchor)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  // A table that is named whole makes those that share a word with it mere noise.
  const close = scored.filter(({ score }) => score >= scored[0]!.score / 2).slice(0, MOST_ANCHORS);
  if (close.length > 0) return { method: 'query_text', anchors: close.map(({ anchor }) => anchor) };
  const hits =
    (await wiki?.overlays({ qualified_names: [], query: topic, limit: MOST_ANCHORS, categories: BY_BADNESS }))?.hits ??
    [];
  const anchors = [...new Set(hits.map(({ anchor_qn }) => anchor_qn))];
  return anchors.length > 0 ? { method: 'wiki_text', anchors } : { method: 'none', anchors: [] };
}

export interface Match {
  readonly query: PastQuery;
  readonly matched: readonly string[];
  /** How often the same SQL was met. */
  readonly runs: number;
}

/** The queries on the resolved tables: the more of them and of the topic's words, the better; then the newest. */
export function matchQueries(queries: readonly PastQuery[], { anchors }: Resolution, topic: string): Match[] {
  const words = wordsOf(topic);
  const matches = new Map<string, Match & { score: number }>();
  for (const query of queries) {
    const matched = query.anchors.filter((own) => anchors.some((anchor) => sameTable(own, anchor)));
    if (matched.length === 0) continue;
    const hits = anchors.filter((anchor) => matched.some((own) => sameTable(own, anchor))).length;
    const spoken = [...wordsOf(query.sql)].filter((word) => words.has(word)).length;
    const score = hits + spoken / (words.size + 1) - (query.error === undefined ? 0 : 1);
    const key = `${query.connection_id ?? ''} ${query.sql.replace(/\s+/g, ' ').trim().toLowerCase()}`;
    const known = matches.get(key);
    const newer = !known || query.created_at > known.query.created_at;
    matches.set(key, {
      query: newer ? query : known.query,
      matched,
      runs: (known?.runs ?? 0) + 1,
      score: Math.max(score, known?.score ?? score),
    });
  }
  return [...matches.values()].sort((a, b) => b.score - a.score || (a.query.created_at < b.query.created_at ? 1 : -1));
}

/** Learnings on each anchor, the older name of a SQLite table's included. */
export async function learningsOn(
  anchors: readonly string[],
  wiki: LearningPort | undefined,
): Promise<Map<string, readonly Learning[]>> {
  if (!wiki || anchors.length === 0) return new Map();
  const names = new Set(
    anchors.flatMap((anchor) =>
      anchor.startsWith('sqlite://') ? [anchor, `sqlite://main/${tableOf(anchor)}`] : [anchor],
    ),
  );
  const { on } = await wiki.overlays({
    qualified_names: [...names],
    query: '',
    limit: MOST_LEARNINGS,
    categories: BY_BADNESS,
  });
  return new Map(
    anchors.map((anchor) => {
      const named = Object.entries(on).filter(([name]) => sameTable(name, anchor));
      const all = named.flatMap(([, { learnings }]) => learnings);
      return [anchor, [...new Map(all.map((learning) => [learning.statement_id, learning])).values()]];
    }),
  );
}

/** What the learnings on a query's tables say of it. */
export function validate(
  learnings: readonly Learning[],
  included: readonly Category[],
): { validation_status: 'validated' | 'rejected' | 'unvalidated'; category: Category | null } {
  const worst = BY_BADNESS.find((category) => learnings.some((learning) => learning.category === category)) ?? null;
  const qualifies = learnings.some(({ category }) => category !== 'rejected_approach' && included.includes(category));
  if (qualifies) return { validation_status: 'validated', category: worst };
  const rejected = learnings.length > 0 && learnings.every(({ category }) => category === 'rejected_approach');
  return rejected
    ? { validation_status: 'rejected', category: worst }
    : { validation_status: 'unvalidated', category: null };
}
