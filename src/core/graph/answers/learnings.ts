import { brief } from '../../util/page.ts';
import { type Graph, SAME_DATA } from '../model.ts';
import { resultId } from './hit.ts';

interface Learning {
  readonly statement_id: string;
  readonly anchor_qn: string;
  readonly headline: string;
  readonly text: string;
  readonly category: string;
}

/** What the team wiki knows of assets, for the graph's answers. */
export interface LearningPort {
  overlays(input: {
    readonly qualified_names: readonly string[];
    readonly query: string;
    readonly limit: number;
    readonly categories: readonly ['final'];
  }): Promise<{
    readonly on: Readonly<Record<string, { readonly total: number; readonly learnings: readonly Learning[] }>>;
    readonly hits: readonly (Learning & { readonly score: number })[];
    readonly hits_total: number;
  }>;
}

/** Learnings shown with an answer. */
export interface FoundLearnings {
  /** Fields for the hit on an asset. */
  of(name: string): object;
  /** Results of their own. */
  readonly rows: readonly Record<string, unknown>[];
  readonly total: number;
  readonly isLowerBound: boolean;
}

const MOST_ROWS = 3;
const MOST_TEASERS = 3;
const TEXT_BYTES = 300;

const NONE: FoundLearnings = { of: () => ({}), rows: [], total: 0, isLowerBound: false };

/** Asks the wiki about the assets of a page and, on the first page, by the query's words. */
export async function learningsFor(
  port: LearningPort | undefined,
  graph: Graph,
  names: readonly string[],
  query: string,
  withRows: boolean,
): Promise<FoundLearnings> {
  if (!port) return NONE;
  const related = new Map(names.map((name) => [name, relatedNames(graph, name)]));
  const asked = [...new Set([...names, ...[...related.values()].flat()])];
  const { on, hits, hits_total } = await port.overlays({
    qualified_names: asked,
    query,
    limit: MOST_ROWS,
    categories: ['final'],
  });
  return {
    of(name) {
      const own = on[name];
      const other = own ? undefined : related.get(name)!.find((each) => on[each]);
      const found = own ?? (other === undefined ? undefined : on[other]);
      if (!found) return {};
      const teasers = found.learnings.slice(0, MOST_TEASERS);
      return {
        learnings_count: found.total,
        learnings_preview: brief(teasers.map(({ headline }) => headline).join(' | '), 200),
        top_learnings: teasers.map(({ statement_id, headline, category }) => ({
          statement_id,
          headline: brief(headline, 120),
          category,
        })),
        learnings_ref: other ?? name,
        ...(other && { match_source: 'related_asset', matched_qn: other }),
      };
    },
    rows: withRows ? hits.map(rowOf) : [],
    total: hits_total,
    isLowerBound: false,
  };
}

function rowOf({
  statement_id,
  anchor_qn,
  text,
  score,
  category,
}: Learning & { score: number }): Record<string, unknown> {
  return {
    result_id: resultId(statement_id),
    kind: 'wiki_learning',
    statement_id,
    ...(anchor_qn && { anchor_qn }),
    learning_text: brief(text, TEXT_BYTES),
    category,
    score: Number(score.toFixed(3)),
    match_source: 'text',
    ...(anchor_qn && {
      available_actions: ['wiki_read'],
      recommended_next_action: 'wiki_read',
      recommended_next_action_basis: 'wiki_read on anchor_qn gives this learning with the others on that asset.',
    }),
  };
}

/** Other names of the same data: a dbt source and the table it names, a Prisma model and its table. */
function relatedNames(graph: Graph, name: string): string[] {
  const up = (graph.upstream.get(name) ?? []).filter(({ basis }) => SAME_DATA.has(basis)).map(({ from }) => from);
  const down = (graph.downstream.get(name) ?? []).filter(({ basis }) => SAME_DATA.has(basis)).map(({ to }) => to);
  return [...up, ...down];
}
