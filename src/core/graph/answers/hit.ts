import { sha256 } from '../../util/hash.ts';
import { brief, jsonBytes } from '../../util/page.ts';
import type { ConnectionInfo, ConnectionStatus } from '../connections.ts';
import type { Asset } from '../model.ts';
import type { Candidate } from './candidates.ts';

/** Groups of results. */
export type Section =
  | 'tables'
  | 'models'
  | 'files'
  | 'notebooks'
  | 'pipelines'
  | 'dashboards'
  | 'interfaces'
  | 'connections'
  | 'wiki_learnings'
  | 'other';

const SECTIONS: Readonly<Record<string, Section>> = {
  table: 'tables',
  view: 'tables',
  source: 'tables',
  database: 'tables',
  model: 'models',
  seed: 'models',
  snapshot: 'models',
  test: 'models',
  project: 'models',
  file: 'files',
  query: 'files',
  script: 'files',
  notebook: 'notebooks',
  pipeline: 'pipelines',
  job: 'pipelines',
  dashboard: 'dashboards',
  exposure: 'dashboards',
  endpoint: 'interfaces',
  type: 'interfaces',
  connection: 'connections',
};

export function sectionOf(nodeType: string): Section {
  return SECTIONS[nodeType] ?? 'other';
}

/** How much a result shows. */
export interface Detail {
  /** JSON bytes of the summary, and of the column names together. */
  readonly summary: number;
  readonly columns: number;
}

/** JSON bytes of indexed text shown with a hit that the index did not rank. */
const TEXT_BYTES = 120;
/** Most names that a row lists of a node that has no indexed text. */
const MOST_NODE_NAMES = 50;

/** Stable between calls, sessions and machines. */
export function resultId(name: string): string {
  return `r${sha256(name).slice(0, 10)}`;
}

export interface HitContext {
  readonly hasDocument: (name: string) => boolean;
  readonly textOf: (name: string) => string | undefined;
  /** Undefined when the registry could not be read. */
  readonly connections: readonly ConnectionInfo[] | undefined;
  readonly semantic: boolean;
}

/** One result of a search for assets, as the agent gets it. */
export function hitOf(
  { asset, exact, score, match }: Candidate,
  detail: Detail,
  context: HitContext,
): Record<string, unknown> {
  const { qualified_name: name, place, origin } = asset;
  const hasDocument = context.hasDocument(name);
  const indexed = score !== undefined;
  return {
    result_id: resultId(name),
    qualified_name: name,
    source_system: asset.source_system,
    node_type: asset.node_type,
    name: brief(asset.name, 200),
    search_source: indexed ? 'indexed' : 'graph_only',
    ...(indexed ? { score: Number(score.toFixed(3)) } : { score_basis: 'not_measured' }),
    ...(indexed && !context.semantic && { score_basis: 'words_only' }),
    ...(exact && { name_match: 'exact' }),
    ...(match && {
      graph_lexical_match: match.tier,
      graph_lexical_score: match.score,
      ...(match.words && { graph_lexical_matched_words: match.words }),
    }),
    ...(!indexed &&
      hasDocument && { has_indexed_document: true, text_preview: brief(context.textOf(name) ?? '', TEXT_BYTES) }),
    ...(origin === 'external' && { external: true }),
    ...summaryOf(asset, detail.summary),
    ...(place && { file: place.file, ...(place.line !== undefined && { line: place.line }) }),
    ...columnPreview(asset, detail.columns, hasDocument),
    ...(isData(asset) && {
      ddl_available: hasDocument && (asset.definition !== undefined || (asset.columns?.length ?? 0) > 0),
    }),
    ...(origin !== 'external' && { last_scanned_at: asset.last_scanned_at }),
    ...bindingOf(asset, context.connections),
  };
}

/** Prose about the asset, never its DDL. */
function summaryOf({ description }: Asset, bytes: number): object {
  return description && bytes > 0 ? { summary: brief(description.replace(/\s+/g, ' '), bytes) } : {};
}

function isData({ node_type }: Asset): boolean {
  return [
    'table',
    'view',
    'model',
    'source',
    'seed',
    'snapshot',
    'file',
    'query',
    'external',
    'database',
    'type',
  ].includes(node_type);
}

/** Whole column names, as many as fit, and how many there are. */
function columnPreview(asset: Asset, bytes: number, hasDocument: boolean): object {
  const { columns = [], column_count = columns.length } = asset;
  if (columns.length === 0) return isData(asset) ? { column_count_basis: 'not_measured' } : {};
  const names: string[] = [];
  let room = bytes;
  for (const { name } of columns.slice(0, MOST_NODE_NAMES)) {
    room -= jsonBytes(name) + 1;
    if (room < 0) break;
    names.push(name);
  }
  return {
    column_names: names,
    column_names_listed: names.length,
    column_count,
    ...(names.length < column_count && { column_names_partial: true }),
    ...(!hasDocument && { column_names_source: 'context_graph' }),
  };
}

/** How the asset's connection stands, by the live registry where it could be read. */
function bindingOf({ connection_id: id }: Asset, connections: readonly ConnectionInfo[] | undefined): object {
  // Where no connection is registered at all, that an asset has none says nothing.
  if (id === undefined) {
    return connections?.length ? { connection_binding_status: 'unbound' satisfies ConnectionStatus } : {};
  }
  if (!connections) return { connection_id: id };
  const connection = connections.find((each) => each.connection_id === id);
  const status: ConnectionStatus = connection?.status ?? 'bound_removed';
  const reachable = { bound: true, bound_unreachable: false, bound_inaccessible: false, bound_removed: false }[
    status as string
  ];
  return {
    connection_id: id,
    ...(connection && { connection_name: connection.name }),
    connection_bound: status !== 'bound_inaccessible' && status !== 'bound_removed',
    connection_binding_status: status,
    connection_status: status,
    ...(reachable !== undefined && { connection_reachable: reachable }),
  };
}
