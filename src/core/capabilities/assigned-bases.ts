import { UserError } from '../errors.ts';
import { brief } from '../util/page.ts';
import type { Asker, World } from './world.ts';

/** A knowledge base as a policy names it. */
export interface NamedBase {
  readonly id: string;
  readonly name: string;
}

/** In place of names: every knowledge base, those to come as well. */
const EVERY = '*';

/**
 * Ids of the knowledge bases that a caller may use; null for all. Without thread and agent it is a person at the command
 * line, whom no policy is for.
 */
export async function basesOf(world: World, { thread, agent }: Asker): Promise<readonly string[] | null> {
  if (thread === undefined && agent === undefined) return null;
  const record = await world.records.agent(await world.agentNamed({ thread, agent }));
  return record.knowledge_bases;
}

/**
 * What a policy keeps for names or ids that a person gives: ids, so that another base that takes an old name is not let in.
 * An id goes before a name that reads the same.
 * @throws UserError `unknown_knowledge_base`, with nothing changed.
 */
export function assignedIds(wanted: readonly string[], bases: readonly NamedBase[]): string[] | null {
  if (wanted.includes(EVERY)) return null;
  const idsOf = (one: string): string[] => {
    const text = one.trim();
    if (bases.some(({ id }) => id === text)) return [text];
    return bases.flatMap(({ id, name }) => (name.toLowerCase() === text.toLowerCase() ? [id] : []));
  };
  const unknown = wanted.filter((one) => idsOf(one).length === 0);
  if (unknown.length === 0) return [...new Set(wanted.flatMap(idsOf))];
  throw new UserError(
    'unknown_knowledge_base',
    `Nothing was changed. There is no knowledge base ${brief(unknown.join(', '), 300)}.`,
    'Pass names as list_contents without an id, or list_document_indexes, shows them.',
    { unknown_knowledge_bases: unknown.slice(0, 20) },
  );
}
