import type { ColumnPair, Graph } from '../model.ts';
import { resolveAsset } from './resolve-asset.ts';
import { trace } from './trace.ts';

/** A lineage picture's data, upstream and downstream of one asset. */
export interface Picture {
  readonly start: string;
  readonly nodes: readonly {
    readonly qualified_name: string;
    readonly name: string;
    readonly node_type: string;
    readonly external: boolean;
    /** Steps from the start: negative upstream, positive downstream. */
    readonly distance: number;
    readonly columns: readonly { readonly name: string; readonly type?: string }[];
    /** Absolute, to open. */
    readonly path?: string;
    readonly line?: number;
    /** Assets next to it that are not in the picture. */
    readonly more: { readonly upstream: number; readonly downstream: number };
  }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly basis: string;
    readonly path?: string;
    readonly line?: number;
    readonly columns: readonly ColumnPair[];
  }[];
}

const MOST_COLUMNS = 200;

export function pictureOf(
  graph: Graph,
  { qualified_name, depth, max_nodes }: { qualified_name: string; depth: number; max_nodes: number },
  absolute: (path: string) => string | undefined,
): Picture {
  const start = resolveAsset(graph, qualified_name).qualified_name;
  const up = trace(graph, { start, direction: 'upstream', depth, max_nodes });
  const down = trace(graph, { start, direction: 'downstream', depth, max_nodes });
  const distances = new Map([
    ...down.nodes.map(({ name, distance }) => [name, distance] as const),
    ...up.nodes.map(({ name, distance }) => [name, -distance] as const),
  ]);
  const shown = (name: string) => distances.has(name);
  const opens = (file: string | undefined, line: number | undefined) => {
    const path = file ? absolute(file) : undefined;
    return { ...(path !== undefined && { path, ...(line !== undefined && { line }) }) };
  };
  return {
    start,
    nodes: [...distances].map(([name, distance]) => {
      const asset = graph.assets.get(name)!;
      const outside = (ends: readonly string[] = []) => new Set(ends.filter((end) => !shown(end))).size;
      return {
        qualified_name: name,
        name: asset.name,
        node_type: asset.node_type,
        external: asset.origin === 'external',
        distance,
        columns: (asset.columns ?? [])
          .slice(0, MOST_COLUMNS)
          .map(({ name: column, type }) => ({ name: column, ...(type && { type }) })),
        ...opens(asset.place?.file, asset.place?.line),
        more: {
          upstream: outside(graph.upstream.get(name)?.map(({ from }) => from)),
          downstream: outside(graph.downstream.get(name)?.map(({ to }) => to)),
        },
      };
    }),
    edges: [...new Set([...up.edges, ...down.edges])].map(({ from, to, basis, place, columns = [] }) => ({
      from,
      to,
      basis,
      ...opens(place?.file, place?.line),
      columns,
    })),
  };
}
