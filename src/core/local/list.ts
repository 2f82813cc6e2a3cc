import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfAborted } from '../util/abort.ts';
import { page } from '../util/page.ts';
import { placeOf, type Surroundings } from './place.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { kindOf, sorted } from './walk.ts';

export interface ListInput {
  readonly path: string;
  readonly include_hidden: boolean;
  /** Entries to skip. */
  readonly offset: number;
}

/** Most entries a page looks at; its bytes end it earlier. */
const MOST_ENTRIES = 200;

/** What is in a folder, in the order of names. */
export async function listFolder(input: ListInput, around: Surroundings, signal?: AbortSignal) {
  const { path, exists } = await placeOf(input.path, around);
  if (!exists) throw new Refusal('not_found', `${path} does not exist.`, 'List the folder above it.');
  if (!(await lstat(path)).isDirectory()) throw new Refusal('refused', `${path} is a file.`, 'Use action read on it.');
  const all = await readdir(path, { withFileTypes: true }).catch((error) => {
    throw refusalOf(error, path);
  });
  throwIfAborted(signal);
  const entries = sorted(all.filter(({ name }) => input.include_hidden || !name.startsWith('.')));
  const looked = await Promise.all(
    entries.slice(input.offset, input.offset + MOST_ENTRIES).map(async (entry) => {
      const stats = await lstat(join(path, entry.name)).catch(() => undefined);
      return {
        name: entry.name.toWellFormed(),
        type: kindOf(entry),
        ...(entry.isFile() && stats && { size: stats.size }),
        ...(stats && { modified: stats.mtime.toISOString().slice(0, 19).concat('Z') }),
        ...(around.closed.reason(join(path, entry.name)) !== undefined && { closed: true }),
      };
    }),
  );
  const { items, pagination } = page(looked, { limit: MOST_ENTRIES, offset: 0 }, (entry) => entry);
  const end = input.offset + items.length;
  const more = end < entries.length;
  return {
    status: 'ok' as const,
    path,
    entries: items,
    total: entries.length,
    returned: pagination.returned,
    hidden_left_out: all.length - entries.length,
    has_more: more,
    next_offset: more ? end : null,
    own_folder: around.ownFolder,
  };
}
