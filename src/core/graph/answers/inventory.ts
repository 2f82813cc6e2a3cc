import { brief } from '../../util/page.ts';
import type { ConnectionInfo } from '../connections.ts';
import { connectionNode } from '../further.ts';
import { resultId } from './hit.ts';
import { nameQuery } from './match.ts';

const MOST_CONNECTIONS = 10;

/** A registered connection that a query names. */
export interface Inventory {
  readonly connection: ConnectionInfo;
}

/** Registered connections whose name or description has a word of the query. */
export function inventoryHits(
  query: string,
  filter: { source_system: string; node_type: string; connection_id: string },
  connections: readonly ConnectionInfo[],
): Inventory[] {
  if (filter.node_type && filter.node_type !== 'connection') return [];
  const { text, words } = nameQuery(query);
  return connections
    .filter((connection) => {
      if (filter.source_system && filter.source_system !== connection.type) return false;
      if (filter.connection_id && filter.connection_id !== connection.connection_id) return false;
      const said = `${connection.name} ${connection.connection_id} ${connection.description ?? ''}`.toLowerCase();
      return said.includes(text) || words.some((word) => said.includes(word));
    })
    .slice(0, MOST_CONNECTIONS)
    .map((connection) => ({ connection }));
}

export function inventoryRow({
  connection_id,
  canonical_connection_id,
  type,
  name,
  description,
  status,
}: ConnectionInfo): Record<string, unknown> {
  const qualified = connectionNode(type, connection_id);
  return {
    result_id: resultId(qualified),
    qualified_name: qualified,
    source_system: type,
    node_type: 'connection',
    name,
    search_source: 'connection_inventory',
    score_basis: 'not_measured',
    connection_id,
    canonical_connection_id,
    connection_name: name,
    connection_binding_status: status,
    connection_status: status,
    ...(description && { summary: brief(description, 200) }),
  };
}
