import type { Asset, Graph } from '../model.ts';
import { columnName, partsOf, systemOf } from '../names.ts';

/** An entry of the Data view. */
export interface TreeEntry {
  readonly kind: 'system' | 'group' | 'asset' | 'column';
  /** Prefix to list what is inside; an asset's qualified name; `asset#column`. */
  readonly qualified_name: string;
  readonly label: string;
  readonly detail?: string;
  readonly node_type?: string;
  readonly file?: string;
  readonly line?: number;
  readonly has_children: boolean;
}

/**
 * What lies directly below a prefix: systems (`dbt://`) for the empty one, then groups and assets part by part, then an
 * asset's columns. Both an asset and a group are listed where a name is both.
 */
export function childrenOf(graph: Graph, prefix: string): TreeEntry[] {
  const asset = graph.assets.get(prefix);
  if (prefix === '') return systems(graph);
  const base = prefix.endsWith('/') ? prefix : `${prefix}/`;
  const groups = new Map<string, number>();
  const direct: Asset[] = [];
  for (const [name, each] of graph.assets) {
    if (!name.startsWith(base)) continue;
    const rest = name.slice(base.length);
    const slash = rest.indexOf('/');
    if (slash < 0) direct.push(each);
    else groups.set(rest.slice(0, slash), (groups.get(rest.slice(0, slash)) ?? 0) + 1);
  }
  const own = new Set(direct.map(({ qualified_name }) => qualified_name));
  const entries: TreeEntry[] = [...groups]
    .filter(([part]) => !own.has(`${base}${part}`))
    .map(([part, count]) => ({
      kind: 'group',
      qualified_name: `${base}${part}`,
      label: partsOf(`x://${part}`)[0]!,
      detail: `${count}`,
      has_children: true,
    }));
  entries.push(...direct.map((each) => assetEntry(each, groups.has(each.qualified_name.slice(base.length)))));
  entries.sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
  return asset ? [...entries, ...columnsOf(asset)] : entries;
}

function systems(graph: Graph): TreeEntry[] {
  const counts = new Map<string, number>();
  for (const name of graph.assets.keys()) counts.set(systemOf(name), (counts.get(systemOf(name)) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([system, count]) => ({
      kind: 'system',
      qualified_name: `${system}://`,
      label: system,
      detail: `${count}`,
      has_children: true,
    }));
}

function assetEntry(asset: Asset, hasInner: boolean): TreeEntry {
  const { qualified_name, name, node_type, place, origin, columns } = asset;
  return {
    kind: 'asset',
    qualified_name,
    label: name,
    detail: origin === 'external' ? 'external' : node_type,
    node_type,
    ...(place && { file: place.file, ...(place.line !== undefined && { line: place.line }) }),
    has_children: hasInner || (columns?.length ?? 0) > 0,
  };
}

function columnsOf({ qualified_name, columns = [], place }: Asset): TreeEntry[] {
  return columns.map(({ name, type }) => ({
    kind: 'column',
    qualified_name: columnName(qualified_name, name),
    label: name,
    ...(type && { detail: type }),
    ...(place && { file: place.file, ...(place.line !== undefined && { line: place.line }) }),
    has_children: false,
  }));
}
