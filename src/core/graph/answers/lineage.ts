import { brief, jsonBytes } from '../../util/page.ts';
import type { Asset, Edge, Graph } from '../model.ts';
import { splitColumn } from '../names.ts';
import { mermaid } from './mermaid.ts';
import { noSuchColumn, resolveAsset } from './resolve-asset.ts';
import { type Trace, trace } from './trace.ts';

export interface LineageInput {
  /** `asset#column` follows that column. */
  readonly qualified_name: string;
  readonly direction: 'upstream' | 'downstream';
  readonly depth: number;
  readonly max_nodes: number;
  /** Empty for the whole asset. */
  readonly column: string;
}

const ANSWER_BYTES = 7400;
const MOST_NAMED = 15;
const MOST_PAIRS = 8;

/** Answers GET_UPSTREAM and GET_DOWNSTREAM. Throws UserError when the asset or column is not there. */
export function lineageOf(graph: Graph, input: LineageInput): object {
  const split = splitColumn(input.qualified_name);
  const asset = resolveAsset(graph, split.asset);
  const wanted = input.column || split.column;
  const column = wanted === undefined ? undefined : columnOf(asset, wanted);
  const { direction, depth, max_nodes } = input;
  const found = trace(graph, { start: asset.qualified_name, direction, depth, max_nodes, column });
  // Fewer nodes until the answer fits: those nearest stay, the others are counted with what the limits left out.
  for (let shown = found.nodes.length; ; shown = Math.max(1, Math.floor(shown * 0.8))) {
    const answer = render(graph, asset, column, input, found, shown);
    if (shown === 1 || jsonBytes(answer) <= ANSWER_BYTES) return answer;
  }
}

function render(
  graph: Graph,
  asset: Asset,
  column: string | undefined,
  input: LineageInput,
  found: Trace,
  shown: number,
): object {
  const nodes = found.nodes.slice(0, shown);
  const ids = new Map(nodes.map(({ name }, i) => [name, `n${i}`]));
  const edges = found.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const unshown = found.nodes.slice(shown).map(({ name }) => name);
  const left = [
    omission('size of the answer', unshown),
    omission(`max_nodes ${input.max_nodes}`, found.beyondLimit),
    omission(`depth ${input.depth}`, found.beyondDepth),
  ].filter((entry) => entry !== undefined);
  const external = nodes.filter(({ name }) => graph.assets.get(name)?.origin === 'external').length;
  const untraced = found.untraced.map(({ from, to }) => (input.direction === 'upstream' ? from : to));
  return {
    action: input.direction === 'upstream' ? 'GET_UPSTREAM' : 'GET_DOWNSTREAM',
    qualified_name: asset.qualified_name,
    ...(column !== undefined && { column }),
    nodes: nodes.map(({ name, distance, columns }) =>
      nodeOf(graph.assets.get(name), name, ids.get(name)!, distance, columns),
    ),
    edges: edges.map((edge) => edgeOf(edge, ids, column !== undefined)),
    total_nodes: found.nodes.length,
    ...(left.length > 0 && {
      omitted: left,
      next_step: 'Raise depth or max_nodes, or call again with the qualified_name of one of the omitted assets.',
    }),
    ...(found.cyclic && { cyclic: 'The data goes round in a circle; each asset is listed once.' }),
    ...(external > 0 && {
      external_nodes: `${external} of the nodes are named by something but defined nowhere in the workspace.`,
    }),
    ...(untraced.length > 0 && {
      not_traced_by_column: {
        count: untraced.length,
        assets: names(untraced),
        reason: 'These are linked, but nothing says by which columns.',
      },
    }),
    ...(found.nodes.length === 1 && { note: emptyNote(input.direction, column, untraced.length) }),
    mermaid: mermaid({
      nodes: nodes.map(({ name }) => ({
        id: ids.get(name)!,
        label: graph.assets.get(name)?.name ?? name,
        kind: graph.assets.get(name)?.node_type ?? '',
      })),
      edges: edges.map(({ from, to }) => ({ from: ids.get(from)!, to: ids.get(to)! })),
    }),
  };
}

function nodeOf(
  asset: Asset | undefined,
  name: string,
  id: string,
  distance: number,
  columns: readonly string[] | undefined,
): object {
  return {
    id,
    qualified_name: name,
    node_type: asset?.node_type ?? 'external',
    distance,
    ...(columns && { columns }),
  };
}

function edgeOf(
  { from, to, basis, place, columns }: Edge,
  ids: ReadonlyMap<string, string>,
  byColumn: boolean,
): object {
  const pairs = (columns ?? []).slice(0, MOST_PAIRS).map((pair) => `${pair.from} -> ${pair.to}`);
  return {
    from: ids.get(from)!,
    to: ids.get(to)!,
    basis,
    ...(place?.file && { at: `${place.file}${place.line === undefined ? '' : `:${place.line}`}` }),
    ...(columns &&
      (byColumn
        ? { columns: pairs, ...(columns.length > pairs.length && { more_columns: columns.length - pairs.length }) }
        : { column_pairs: columns.length })),
  };
}

function omission(by: string, all: readonly string[]): { by: string; count: number; names: string[] } | undefined {
  return all.length > 0 ? { by, count: all.length, names: names(all) } : undefined;
}

function names(all: readonly string[]): string[] {
  return [...new Set(all)].slice(0, MOST_NAMED).map((name) => brief(name, 120));
}

function columnOf(asset: Asset, wanted: string): string {
  const columns = asset.columns ?? [];
  const found = columns.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  // Of an asset without known columns, the edges may still name one.
  if (!found && columns.length > 0) throw noSuchColumn(asset, wanted);
  return found?.name ?? wanted;
}

function emptyNote(direction: string, column: string | undefined, untraced: number): string {
  if (untraced > 0) return `Linked assets are known, but not by which columns: call again without column.`;
  const what = column === undefined ? 'asset' : 'column';
  return direction === 'upstream'
    ? `Nothing in the workspace says where this ${what} comes from.`
    : `Nothing in the workspace reads this ${what}.`;
}
