import type { SemanticStatus } from '../../search/engine.ts';
import { brief } from '../../util/page.ts';
import { CONNECTION_STATUSES, type ConnectionStatus } from '../connections.ts';
import { connectionNode } from '../further.ts';
import type { Section } from './hit.ts';

type Row = Readonly<Record<string, unknown>>;

/** The results of a page by section and by connection, as references to them. */
export function groupsOf(results: readonly Row[], sections: readonly Section[]): object {
  const bySection = new Map<Section, unknown[]>();
  for (const [i, { result_id }] of results.entries())
    bySection.set(sections[i]!, [...(bySection.get(sections[i]!) ?? []), result_id]);
  const connections = new Map<string, { type: string; ids: unknown[] }>();
  for (const { connection_id: id, source_system, result_id } of results) {
    if (typeof id !== 'string') continue;
    const entry = connections.get(id) ?? { type: String(source_system), ids: [] };
    entry.ids.push(result_id);
    connections.set(id, entry);
  }
  return {
    sections: [...bySection].map(([section, result_ids]) => ({ section, result_ids })),
    database_connections: [...connections].map(([id, { type, ids }]) => ({
      qualified_name: connectionNode(type, id),
      connection_id: id,
      result_ids: ids,
    })),
  };
}

/** What the connection statuses on a page mean. */
export function statusVocabulary(results: readonly Row[]): object {
  const used = [
    ...new Set(results.flatMap(({ connection_status: status }) => (typeof status === 'string' ? [status] : []))),
  ];
  if (used.length === 0) return {};
  return {
    connection_status_vocabulary: Object.fromEntries(
      used.map((status) => [status, CONNECTION_STATUSES[status as ConnectionStatus]]),
    ),
  };
}

/** Whether meaning took part, in the words of the contract. */
export function semanticStatus(
  status: SemanticStatus,
  failure: string | undefined,
): Record<string, unknown> & { status: string } {
  if (failure)
    return {
      status: 'unavailable',
      missing: 'embedding_client',
      reason: `Searched by words alone: ${brief(failure, 200)}`,
      enable_with: 'Try again, or check the loci.embedding settings.',
    };
  if (status.status === 'unavailable')
    return {
      status: 'unavailable',
      missing: 'embedding_client',
      reason: status.reason,
      enable_with: status.enable_with,
    };
  return {
    status: status.status,
    embedding_provider: status.provider,
    embedding_model: status.model,
    ...(status.status === 'warming' && { done: status.done, total: status.total }),
  };
}
