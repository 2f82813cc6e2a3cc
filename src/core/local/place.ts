import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside } from '../util/paths.ts';
import type { Closed } from './closed.ts';
import { Refusal } from './refusal.ts';

/** Where a path leads, links resolved. */
export interface Place {
  /** As it really lies; of a path that does not exist yet, below its deepest folder that does. */
  readonly path: string;
  readonly exists: boolean;
  /** True inside the folder that agents may change without asking. */
  readonly isOwn: boolean;
}

export interface Surroundings {
  readonly home: string;
  /** Loci's folder for agents' files, links resolved. */
  readonly ownFolder: string;
  readonly closed: Closed;
}

/** Where a file is read or written through its links. Throws `Refusal` when that is closed. */
export async function placeOf(given: string, around: Surroundings): Promise<Place> {
  const path = absolute(given, around.home);
  refuseClosed(given, path, around);
  return check(given, await real(path), around);
}

/** The entry itself, to be moved or deleted: a link stays a link, the folders above it are resolved. */
export async function entryOf(given: string, around: Surroundings): Promise<Place> {
  const path = absolute(given, around.home);
  refuseClosed(given, path, around);
  if (dirname(path) === path) return check(given, { path, exists: true }, around);
  const { path: folder } = await real(dirname(path));
  const entry = join(folder, basename(path));
  const exists = await lstat(entry).then(
    () => true,
    () => false,
  );
  return check(given, { path: entry, exists }, around);
}

function absolute(given: string, home: string): string {
  if (given.includes('\0')) throw new Refusal('refused', 'The path holds a NUL character.', 'Pass a plain path.');
  if (/^~[^/\\]/.test(given)) {
    throw new Refusal(
      'refused',
      `"${given}": other people's home folders are not looked up.`,
      'Pass an absolute path.',
    );
  }
  const path = given === '~' || /^~[/\\]/.test(given) ? join(home, given.slice(1)) : given;
  if (process.platform === 'win32' && /^[\\/]{2}/.test(path)) {
    throw new Refusal('refused', `"${given}" lies on another machine.`, 'Pass a path on this computer.');
  }
  return resolve(home, path);
}

async function real(path: string): Promise<{ path: string; exists: boolean }> {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return { path: join(await realpath(at), ...rest), exists: rest.length === 0 };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const dangling = code === 'ENOENT' && (await isLink(at));
      if (dangling || (code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(at) === at) {
        const why = dangling
          ? 'a link that leads nowhere'
          : code === 'ELOOP'
            ? 'a link that leads in a circle'
            : 'not accessible';
        throw new Refusal('refused', `${at} is ${why}.`, 'Pass another path.');
      }
      rest.unshift(basename(at));
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

function check(given: string, { path, exists }: { path: string; exists: boolean }, around: Surroundings): Place {
  refuseClosed(given, path, around);
  return { path, exists, isOwn: isInside(around.ownFolder, path) };
}

function refuseClosed(given: string, path: string, { closed }: Surroundings): void {
  const reason = closed.reason(path);
  if (reason !== undefined) throw closedRefusal(given, reason);
}

/** Says that a path is closed, and who can open it. */
export function closedRefusal(given: string, reason: string): Refusal {
  return new Refusal(
    'refused',
    `${given || '~'} is ${reason}: closed to agents.`,
    'Do without it, or ask the person for what you need of it. A person can open credential stores by the setting loci.local.blockCredentials.',
  );
}
