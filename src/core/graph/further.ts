import { type Contribution, contribution, RANK } from './link/draft.ts';
import { pathName, qualifiedName } from './names.ts';
import { given } from './scan/text.ts';
import type { GraphState } from './state.ts';

/** The saved additions and the connections' schemas as a part of the graph. */
export function furtherAssets({ assets, edges, harvests }: GraphState): Contribution {
  const result = contribution();
  for (const { added_at, ...asset } of assets) {
    result.assets.push({ ...asset, origin: 'added', last_scanned_at: added_at });
  }
  for (const { from, to, basis } of edges) {
    result.edges.push({ from: { kind: 'name', name: from }, to: { kind: 'name', name: to }, basis, file: '' });
  }
  for (const [id, { type, scanned_at, tables }] of Object.entries(harvests)) {
    const base = { origin: 'harvested' as const, last_scanned_at: scanned_at, connection_id: id };
    result.assets.push({
      ...base,
      qualified_name: connectionNode(type, id),
      node_type: 'database',
      name: id,
      facts: { tables: tables.length },
    });
    for (const { path, name, kind, columns, comment, definition } of tables) {
      result.assets.push({
        ...base,
        qualified_name: pathName(type, id, ...path, name),
        node_type: kind,
        name,
        columns: columns.map(({ comment: said, references, ...column }) => ({
          ...column,
          ...given('description', said),
          ...(references && {
            references: {
              asset: pathName(
                type,
                id,
                ...path.slice(0, -1),
                ...((references.schema ?? path.at(-1)) ? [references.schema ?? path.at(-1)!] : []),
                references.table,
              ),
              ...given('column', references.column),
            },
          }),
        })),
        ...given('description', comment),
        ...given('definition', definition),
        freshness: { basis: 'not_measured' },
        relations: [{ table: name, schema: path.at(-1), database: id, rank: RANK.connection }],
      });
    }
  }
  return result;
}

/** The node of a registered connection itself. */
export function connectionNode(type: string, id: string): string {
  return qualifiedName('loci', type, 'connection', id);
}
