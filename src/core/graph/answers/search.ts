import { UserError } from '../../errors.ts';
import { brief, jsonBytes, page } from '../../util/page.ts';
import type { ConnectionInfo } from '../connections.ts';
import type { AssetIndex } from '../index/asset-index.ts';
import type { Asset, Graph } from '../model.ts';
import type { GraphState } from '../state.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import { coverageOf, isNamed } from './coverage.ts';
import { groupsOf, semanticStatus, statusVocabulary } from './envelope.ts';
import { type Detail, hitOf, type Section, sectionOf } from './hit.ts';
import { type Inventory, inventoryHits, inventoryRow } from './inventory.ts';
import { type LearningPort, learningsFor } from './learnings.ts';

export interface AssetSearchInput {
  readonly query: string;
  readonly top_k: number;
  readonly offset: number;
  readonly source_system: string;
  readonly node_type: string;
  readonly connection_id: string;
  readonly min_score: number;
  readonly include_raw: boolean;
}

export interface AssetSearchContext {
  readonly graph: Graph;
  readonly index: AssetIndex;
  readonly state: GraphState;
  readonly connections: readonly ConnectionInfo[] | undefined;
  readonly learnings: LearningPort | undefined;
  readonly scanning: string | undefined;
  readonly folders: number;
}

/** JSON bytes of a whole answer. */
const ANSWER_BYTES = 7600;
const LEAST_POOL = 40;
const LONGEST_QUERY = 2000;
/** From most to least that a row shows: the first that lets the whole page fit is taken. */
const DETAILS: readonly Detail[] = [
  { summary: 300, columns: 400 },
  { summary: 160, columns: 160 },
  { summary: 100, columns: 100 },
];
const BASIS =
  'Ranked matches, not a list of all there is. score compares with the best hit of this query, 1 being the best; graph_only hits are unscored and follow by name.';

/** Answers search_data_context. @throws UserError `empty_query` or `query_too_long`. */
export async function searchAssets(
  input: AssetSearchInput,
  context: AssetSearchContext,
  signal?: AbortSignal,
): Promise<object> {
  const query = checked(input.query);
  const { graph, index, connections, state } = context;
  const connection = connections?.find((each) => isNamed(each, input.connection_id));
  const filter = {
    ...input,
    source_system: input.source_system.trim().toLowerCase(),
    node_type: input.node_type.trim().toLowerCase(),
    connection_id: connection?.connection_id ?? input.connection_id,
  };
  const pool = Math.max(input.top_k, LEAST_POOL);
  const found = await findCandidates(graph, index, { query, filter, min_score: input.min_score, pool }, signal);
  const semantic = semanticStatus(index.semantic(), found.failure);
  const inventory = inventoryHits(query, filter, connections ?? []);
  const total = found.ranked.length + inventory.length;
  const wanted = found.ranked.slice(input.offset, input.offset + input.top_k);
  const learnings = await learningsFor(
    context.learnings,
    graph,
    wanted.map(({ asset }) => asset.qualified_name),
    query,
    input.offset === 0,
  );
  const warnings = warningsOf(context, found.failure);
  const hitContext = {
    hasDocument: index.has,
    textOf: index.text,
    connections,
    semantic: semantic.status !== 'unavailable',
  };
  const rowAt =
    (detail: Detail) =>
    (entry: Candidate | Inventory): Record<string, unknown> =>
      'connection' in entry
        ? inventoryRow(entry.connection)
        : {
            ...hitOf(entry, detail, hitContext),
            ...learnings.of(entry.asset.qualified_name),
            ...(input.include_raw && { raw: rawOf(entry.asset, index) }),
          };
  const candidates: (Candidate | Inventory)[] = [...found.ranked, ...inventory];
  const head = {
    query: brief(query, 200),
    candidates_by_section: countBy(candidates.map(sectionOfEntry), learnings.total),
    results_basis: BASIS,
    ...(found.suppressed && {
      score_filter: {
        min_score: input.min_score,
        suppressed: found.suppressed.count,
        highest_suppressed_score: Number(found.suppressed.highest.toFixed(3)),
      },
    }),
    ...(learnings.total > 0 && {
      wiki_learnings: {
        candidate_total: learnings.total,
        returned: learnings.rows.length,
        candidate_total_is_lower_bound: learnings.isLowerBound,
      },
    }),
    semantic_index: semantic,
    ...coverageOf({
      query,
      connection_id: input.connection_id,
      graph,
      state,
      connections,
      warnings: warnings.length,
      scanning: context.scanning,
      folders: context.folders,
    }),
  };
  // What the groups and the statuses take per row is not known before the rows are.
  const room = ANSWER_BYTES - jsonBytes(head) - jsonBytes(warnings) - jsonBytes(learnings.rows) - 500;
  const window = { limit: input.top_k, offset: input.offset };
  const pages = DETAILS.map(
    (detail) => () => page(candidates, window, rowAt(detail), Math.max(1000, room - 20 * input.top_k)),
  );
  let shown = pages.at(-1)!();
  for (const make of pages) {
    const made = make();
    if (
      made.items.length === shown.items.length ||
      made.items.length === Math.min(input.top_k, Math.max(0, total - input.offset))
    ) {
      shown = made;
      break;
    }
  }
  const suppressedShort = found.suppressed && shown.items.length < input.top_k;
  const results = [...shown.items.map(({ raw: _, ...row }) => row), ...learnings.rows];
  const sections = [
    ...candidates.slice(input.offset, input.offset + shown.items.length).map(sectionOfEntry),
    ...learnings.rows.map(() => 'wiki_learnings' as const),
  ];
  return {
    ...head,
    results,
    ...(input.include_raw && {
      raw_results: shown.items.flatMap(({ result_id, raw }) => (raw ? [{ result_id, ...raw }] : [])),
    }),
    pagination: {
      offset: input.offset,
      top_k: input.top_k,
      candidate_total: total + learnings.total,
      returned: results.length,
      has_more: shown.pagination.has_more,
      next_offset: shown.pagination.next_offset,
    },
    returned_by_section: countBy(sections, 0),
    result_groups: groupsOf(results, sections),
    ...statusVocabulary(results),
    warnings: [
      ...warnings,
      ...(suppressedShort
        ? [
            `min_score ${input.min_score} left out ${found.suppressed!.count} scored candidates; the best of them has ${found.suppressed!.highest.toFixed(3)}.`,
          ]
        : []),
    ],
    ...(total === 0 && learnings.total === 0 && { note: emptyNote(context, input) }),
  };
}

/** What the graph holds of an asset, as it holds it. */
function rawOf({ qualified_name, tags = [], facts = {} }: Asset, index: AssetIndex): object {
  return { text: brief(index.text(qualified_name) ?? '', 400), tags, facts };
}

function checked(text: string): string {
  const query = text.trim();
  if (!/[\p{L}\p{N}]/u.test(query)) {
    throw new UserError(
      'empty_query',
      'The query has no word to search for.',
      'Pass a topic, a table or a column as query.',
    );
  }
  if (query.length > LONGEST_QUERY) {
    throw new UserError(
      'query_too_long',
      `The query has ${query.length} characters; at most ${LONGEST_QUERY} are searched for.`,
      'Pass only its telling words.',
    );
  }
  return query;
}

function sectionOfEntry(entry: Candidate | Inventory): Section {
  return 'connection' in entry ? 'connections' : sectionOf(entry.asset.node_type);
}

function countBy(sections: readonly Section[], learnings: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const section of sections) counts[section] = (counts[section] ?? 0) + 1;
  if (learnings > 0) counts.wiki_learnings = learnings;
  return counts;
}

function warningsOf({ graph, connections }: AssetSearchContext, failure: string | undefined): string[] {
  const { problems } = graph;
  const first = problems[0];
  return [
    ...(first
      ? [
          `${problems.length} place${problems.length > 1 ? 's' : ''} of the workspace could not be read into the graph, such as ${brief(`${first.file}${first.line ? `:${first.line}` : ''} (${first.message})`, 250)}. lineage_action SCAN_SOURCE with source_id "workspace" lists them.`,
        ]
      : []),
    ...(connections === undefined ? ['The registered connections could not be listed.'] : []),
    ...(failure ? ['The embedding service did not answer: searched by words alone.'] : []),
  ];
}

function emptyNote(
  { scanning, graph }: AssetSearchContext,
  { source_system, node_type, connection_id }: AssetSearchInput,
): string {
  if (scanning) return 'Nothing found in what is scanned so far. This is not a final answer.';
  const filters = [source_system, node_type, connection_id].filter(Boolean);
  if (filters.length > 0)
    return `Nothing matches under the filters (${filters.join(', ')}). Try without them; node types in use: ${typesIn(graph)}.`;
  return `No asset matches. Try other words, or lineage_action SEARCH_NODES for part of a name. Node types in use: ${typesIn(graph)}.`;
}

function typesIn(graph: Graph): string {
  return [...new Set([...graph.assets.values()].map(({ node_type }) => node_type))].sort().join(', ') || 'none';
}
