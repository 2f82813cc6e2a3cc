import { brief, cutText, jsonBytes, page } from '../../util/page.ts';
import type { ConnectionInfo } from '../connections.ts';
import { columnLine } from '../index/document.ts';
import type { Asset, Edge, Graph } from '../model.ts';
import { resolveAsset } from './resolve-asset.ts';

export interface DescribeInput {
  readonly qualified_name: string;
  /** First column shown. */
  readonly offset: number;
}

/** Rows of an asset's data, where the setting allows them. */
export interface Sample {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

const ANSWER_BYTES = 7300;
const DEFINITION_BYTES = 2500;
const MOST_NEIGHBOURS = 10;

/** Answers describe_asset: every column, the definition, how fresh it is, where it lies, what is next to it. */
export function describeAsset(
  graph: Graph,
  input: DescribeInput,
  connections: readonly ConnectionInfo[] | undefined,
  sample?: Sample | string,
): object {
  const asset = resolveAsset(graph, input.qualified_name);
  const head = {
    qualified_name: asset.qualified_name,
    name: brief(asset.name, 200),
    source_system: asset.source_system,
    node_type: asset.node_type,
    ...(asset.origin === 'external' && { external: true }),
    ...(asset.description && { description: brief(asset.description, 900) }),
    ...(asset.place && { file: asset.place.file, ...(asset.place.line !== undefined && { line: asset.place.line }) }),
    ...(asset.tags?.length && { tags: asset.tags.slice(0, 20) }),
    ...(asset.facts && Object.keys(asset.facts).length > 0 && { facts: asset.facts }),
    ...(asset.freshness && { freshness: asset.freshness }),
    last_scanned_at: asset.last_scanned_at,
    ...connectionOf(asset, connections),
    upstream: neighbours(graph.upstream.get(asset.qualified_name), ({ from }) => from),
    downstream: neighbours(graph.downstream.get(asset.qualified_name), ({ to }) => to),
    ...(typeof sample === 'string' ? { sample_note: sample } : sample && { sample }),
  };
  const columns = asset.columns ?? [];
  const more = input.offset === 0 && asset.definition ? definitionOf(asset.definition) : {};
  const room = ANSWER_BYTES - jsonBytes(head) - jsonBytes(more);
  const { items, pagination } = page(
    columns,
    { limit: columns.length || 1, offset: input.offset },
    columnView,
    Math.max(1500, room),
  );
  return {
    ...head,
    columns: items,
    column_count: asset.column_count ?? columns.length,
    ...(columns.length === 0 && { column_count_basis: 'not_measured' }),
    ...(pagination.has_more && { columns_partial: true, next_offset: pagination.next_offset }),
    ...more,
  };
}

type ColumnOf = NonNullable<Asset['columns']>[number];

function columnView(column: ColumnOf): object {
  const { references, description, ...rest } = column;
  return {
    ...rest,
    ...(references && { references: `${references.asset}${references.column ? `#${references.column}` : ''}` }),
    ...(description && { description: brief(description, 300) }),
  };
}

function definitionOf(definition: string): object {
  const shown = cutText(definition, DEFINITION_BYTES);
  return {
    ddl: shown,
    ...(shown !== definition && {
      ddl_truncated: `${definition.length - shown.length} more characters: GET_INDEX_DOCUMENT pages through the text.`,
    }),
  };
}

function connectionOf({ connection_id: id }: Asset, connections: readonly ConnectionInfo[] | undefined): object {
  if (id === undefined) return {};
  const connection = connections?.find((each) => each.connection_id === id);
  return {
    connection_id: id,
    ...(connection && {
      canonical_connection_id: connection.canonical_connection_id,
      connection_status: connection.status,
    }),
  };
}

function neighbours(edges: readonly Edge[] = [], end: (edge: Edge) => string): { count: number; names: string[] } {
  const names = [...new Set(edges.map(end))];
  return { count: names.length, names: names.slice(0, MOST_NEIGHBOURS).map((name) => brief(name, 150)) };
}

export interface IndexDocumentInput {
  readonly qualified_name: string;
  /** First character shown. */
  readonly offset: number;
}

/** Answers GET_INDEX_DOCUMENT: the text an asset is found by and its whole definition, in pages. */
export function indexDocumentOf(
  graph: Graph,
  { qualified_name, offset }: IndexDocumentInput,
  textOf: (name: string) => string | undefined,
): object {
  const asset = resolveAsset(graph, qualified_name);
  const indexed = textOf(asset.qualified_name);
  if (indexed === undefined) {
    return {
      success: false,
      action: 'GET_INDEX_DOCUMENT',
      qualified_name: asset.qualified_name,
      index_document: 'absent',
      error: 'The index has no document for this asset; the graph knows it.',
      graph_node: summaryOf(graph, asset),
    };
  }
  const full = asset.definition && !indexed.includes(asset.definition) ? `${indexed}\n\n${asset.definition}` : indexed;
  const rest = full.slice(offset);
  const shown = cutText(rest, 6500);
  const end = offset + shown.length;
  return {
    action: 'GET_INDEX_DOCUMENT',
    qualified_name: asset.qualified_name,
    index_document: 'present',
    text: shown,
    offset,
    total_chars: full.length,
    ...(end < full.length && { next_offset: end }),
  };
}

/** Answers GET_NODE: a node in short, with its neighbours. */
export function summaryOf(graph: Graph, asset: Asset): object {
  const columns = asset.columns ?? [];
  const lines: string[] = [];
  let room = 2500;
  for (const column of columns) {
    const line = brief(columnLine(column), 200);
    room -= jsonBytes(line) + 1;
    if (room < 0) break;
    lines.push(line);
  }
  return {
    qualified_name: asset.qualified_name,
    name: brief(asset.name, 200),
    node_type: asset.node_type,
    source_system: asset.source_system,
    ...(asset.origin === 'external' && { external: true }),
    ...(asset.description && { description: brief(asset.description, 600) }),
    ...(asset.place && { file: asset.place.file, ...(asset.place.line !== undefined && { line: asset.place.line }) }),
    ...(asset.facts && { facts: asset.facts }),
    last_scanned_at: asset.last_scanned_at,
    columns: lines,
    column_count: asset.column_count ?? columns.length,
    ...(lines.length < columns.length && { columns_partial: true }),
    upstream: neighbours(graph.upstream.get(asset.qualified_name), ({ from }) => from),
    downstream: neighbours(graph.downstream.get(asset.qualified_name), ({ to }) => to),
  };
}
