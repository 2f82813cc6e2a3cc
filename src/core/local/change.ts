import { constants } from 'node:fs';
import { chmod, copyFile, link, lstat, mkdir, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { isInside } from '../util/paths.ts';
import { entryOf, type Place, placeOf, type Surroundings } from './place.ts';
import { Refusal, refusalOf } from './refusal.ts';

export type Change =
  | { readonly action: 'write'; readonly path: string; readonly content: string | null; readonly overwrite: boolean }
  | { readonly action: 'delete'; readonly path: string }
  | { readonly action: 'move'; readonly path: string; readonly destination: string };

/** A change that has been looked at and can be made. */
export interface PlannedChange {
  readonly change: Change;
  /** Real paths that it touches: what a person agrees to. */
  readonly targets: readonly string[];
  /** True when it stays inside the folder that agents may change without asking. */
  readonly isOwn: boolean;
  /** What is there now. */
  readonly replaces: 'nothing' | 'file' | 'folder' | 'link';
}

const MOST_CONTENT = 1_000_000;

/** Looks at what a change would touch. Throws `Refusal` when it cannot or must not be made. */
export async function planChange(change: Change, around: Surroundings): Promise<PlannedChange> {
  if (change.path.trim() === '') throw new Refusal('refused', 'path is empty.', 'Name the file.');
  if (change.action === 'write') return planWrite(change, await placeOf(change.path, around));
  const source = await entryOf(change.path, around);
  const kind = await kindAt(source);
  if (kind === 'nothing') throw new Refusal('not_found', `${source.path} does not exist.`, 'List the folder above it.');
  refuseFoundations(source.path, around);
  if (change.action === 'delete') {
    if (kind === 'folder' && (await entriesOf(source.path)).length > 0) {
      throw new Refusal('refused', `${source.path} is not empty.`, 'Delete what is in it first, one by one.');
    }
    return { change, targets: [source.path], isOwn: source.isOwn, replaces: kind };
  }
  return planMove(change, source, kind, around);
}

function planWrite(change: Change & { action: 'write' }, place: Place): Promise<PlannedChange> | PlannedChange {
  const { content, overwrite } = change;
  if (content === null) throw new Refusal('refused', 'content is missing.', 'Pass the full text of the file.');
  if (Buffer.byteLength(content) > MOST_CONTENT) {
    throw new Refusal('refused', 'content is larger than 1 MB.', 'Write it in several files.');
  }
  const plan = { change, targets: [place.path], isOwn: place.isOwn };
  if (!place.exists) return { ...plan, replaces: 'nothing' };
  return stat(place.path).then((stats) => {
    if (!stats.isFile()) throw new Refusal('refused', `${place.path} is no file.`, 'Name a file.');
    if (!overwrite) throw new Refusal('refused', `${place.path} exists.`, 'Set overwrite to true to replace it.');
    return { ...plan, replaces: 'file' };
  });
}

async function planMove(
  change: Change & { action: 'move' },
  source: Place,
  replaces: PlannedChange['replaces'],
  around: Surroundings,
): Promise<PlannedChange> {
  if (change.destination.trim() === '') throw new Refusal('refused', 'destination is empty.', 'Name the new path.');
  const target = await entryOf(change.destination, around);
  if (target.exists) throw new Refusal('refused', `${target.path} exists.`, 'Name a path that does not exist yet.');
  if (isInside(source.path, target.path)) {
    throw new Refusal('refused', `${target.path} lies inside what is moved.`, 'Name a path elsewhere.');
  }
  const hidden = around.closed.within(source.path);
  if (hidden !== undefined) {
    throw new Refusal('refused', `${source.path} holds closed files.`, 'Move what you need of it, file by file.');
  }
  return { change, targets: [source.path, target.path], isOwn: source.isOwn && target.isOwn, replaces };
}

/** Home, a folder above it, or Loci's own: never deleted nor moved. */
function refuseFoundations(path: string, { home, ownFolder }: Surroundings): void {
  if (isInside(path, home) || isInside(path, ownFolder)) {
    throw new Refusal('refused', `${path} is a folder that others rest on.`, 'Name something inside it.');
  }
}

/** Makes a planned change. What appeared at a new path since is never overwritten. */
export async function makeChange({ change, targets }: PlannedChange) {
  const [path, destination] = targets as [string, string?];
  try {
    if (change.action === 'write') await write(path, change.content!, change.overwrite);
    else if (change.action === 'delete') await remove(path);
    else await move(path, destination!);
  } catch (error) {
    throw refusalOf(error, path);
  }
  return {
    status: 'ok' as const,
    path,
    ...(destination !== undefined && { destination }),
    ...(change.action === 'write' && { bytes: Buffer.byteLength(change.content!) }),
  };
}

async function write(path: string, content: string, overwrite: boolean): Promise<void> {
  if (overwrite) {
    const mode = await stat(path).then(
      (stats) => stats.mode & 0o7777,
      () => undefined,
    );
    await writeFileAtomic(path, content);
    if (mode !== undefined) await chmod(path, mode);
    return;
  }
  // Written aside, then given its name by a link, which fails where a file has appeared.
  const aside = `${path}.${process.pid}.${Date.now()}.tmp`;
  await writeFileAtomic(aside, content);
  try {
    await giveName(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

async function giveName(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // File systems without hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

async function remove(path: string): Promise<void> {
  if ((await lstat(path)).isDirectory()) await rmdir(path);
  else await unlink(path);
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if ((await lstat(from)).isFile()) {
    await giveName(from, to);
    await unlink(from);
    return;
  }
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    throw new Refusal('refused', `${to} is on another disk.`, 'Move the files in it one by one.');
  }
}

async function kindAt(place: Place): Promise<PlannedChange['replaces']> {
  if (!place.exists) return 'nothing';
  const stats = await lstat(place.path);
  return stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file';
}

async function entriesOf(path: string): Promise<string[]> {
  return readdir(path).catch((error) => {
    throw refusalOf(error, path);
  });
}
