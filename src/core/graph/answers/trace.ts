import type { Edge, Graph } from '../model.ts';

export interface TraceInput {
  readonly start: string;
  readonly direction: 'upstream' | 'downstream';
  /** Steps from the start, at least 1. */
  readonly depth: number;
  readonly max_nodes: number;
  /** Follow one column of the start only. */
  readonly column?: string | undefined;
}

export interface TracedNode {
  readonly name: string;
  /** Steps from the start; 0 for it. */
  readonly distance: number;
  /** The columns that the traced column is made of, or goes into. */
  readonly columns?: readonly string[];
}

export interface Trace {
  /** Nearest first; the start is the first. */
  readonly nodes: readonly TracedNode[];
  readonly edges: readonly Edge[];
  /** Assets one step further than the depth, and those past max_nodes, by distance then name. */
  readonly beyondDepth: readonly string[];
  readonly beyondLimit: readonly string[];
  /** True when following the edges leads back to an asset met before. */
  readonly cyclic: boolean;
  /** With a column: edges that say which assets, but not which columns. */
  readonly untraced: readonly Edge[];
}

/**
 * Follows data from an asset, breadth first. Everything one step past the limits is named rather than dropped; cycles end
 * where they close.
 */
export function trace(graph: Graph, { start, direction, depth, max_nodes, column }: TraceInput): Trace {
  const edgesOf = (name: string) => (direction === 'upstream' ? graph.upstream : graph.downstream).get(name) ?? [];
  const farEnd = ({ from, to }: Edge) => (direction === 'upstream' ? from : to);
  const distances = new Map<string, number>([[start, 0]]);
  const columns = new Map<string, Set<string>>(column === undefined ? [] : [[start, new Set([column.toLowerCase()])]]);
  const edges = new Map<Edge, Edge>();
  const beyondDepth = new Set<string>();
  const beyondLimit = new Set<string>();
  const untraced: Edge[] = [];
  let level = [start];
  for (let distance = 1; level.length > 0; distance++) {
    const next: string[] = [];
    const reached = new Map<string, Set<string>>();
    for (const name of level) {
      for (const edge of edgesOf(name)) {
        const far = farEnd(edge);
        const narrowed = column === undefined ? edge : narrow(edge, direction, columns.get(name)!);
        if (narrowed === undefined) {
          // Where an edge has columns at all, it says that this one does not come through it.
          if (!edge.columns) untraced.push(edge);
          continue;
        }
        if (distance > depth) {
          if (distances.has(far)) edges.set(edge, narrowed);
          else beyondDepth.add(far);
          continue;
        }
        if (!distances.has(far)) {
          if (distances.size >= max_nodes) {
            beyondLimit.add(far);
            continue;
          }
          distances.set(far, distance);
          next.push(far);
        }
        edges.set(edge, narrowed);
        if (column !== undefined) {
          const side = direction === 'upstream' ? 'from' : 'to';
          const known = reached.get(far) ?? new Set<string>();
          for (const pair of narrowed.columns!) known.add(pair[side].toLowerCase());
          reached.set(far, known);
        }
      }
    }
    for (const [far, names] of reached) {
      const before = columns.get(far);
      if (!before) columns.set(far, names);
      else if ([...names].some((name) => !before.has(name)) && distance < depth) {
        // Other columns of an asset met before: its edges are followed for them too.
        columns.set(far, new Set([...before, ...names]));
        if (!next.includes(far)) next.push(far);
      }
    }
    if (distance > depth) break;
    level = next.sort();
  }
  const kept = [...edges.values()];
  return {
    nodes: [...distances].map(([name, distance]) => ({
      name,
      distance,
      ...(column !== undefined && name !== start && { columns: [...(columns.get(name) ?? [])].sort() }),
    })),
    edges: kept,
    beyondDepth: [...beyondDepth].filter((name) => !distances.has(name)).sort(),
    beyondLimit: [...beyondLimit].sort(),
    cyclic: isCyclic(kept),
    untraced,
  };
}

/** The edge with the pairs that touch these columns of its near end; undefined when there is none. */
function narrow(edge: Edge, direction: 'upstream' | 'downstream', near: ReadonlySet<string>): Edge | undefined {
  const side = direction === 'upstream' ? 'to' : 'from';
  const columns = edge.columns?.filter((pair) => near.has(pair[side].toLowerCase())) ?? [];
  return columns.length > 0 ? { ...edge, columns } : undefined;
}

/** Kahn's algorithm: what cannot be ordered goes round in a circle. */
function isCyclic(edges: readonly Edge[]): boolean {
  const incoming = new Map<string, number>();
  const outgoing = new Map<string, string[]>();
  for (const { from, to } of edges) {
    incoming.set(to, (incoming.get(to) ?? 0) + 1);
    incoming.set(from, incoming.get(from) ?? 0);
    outgoing.set(from, [...(outgoing.get(from) ?? []), to]);
  }
  const free = [...incoming].filter(([, count]) => count === 0).map(([name]) => name);
  let ordered = 0;
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    ordered++;
    for (const to of outgoing.get(name) ?? []) {
      const left = incoming.get(to)! - 1;
      incoming.set(to, left);
      if (left === 0) free.push(to);
    }
  }
  return ordered < incoming.size;
}
