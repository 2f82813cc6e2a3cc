import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closed } from './closed.ts';
import { closedRefusal } from './place.ts';
import { Refusal, refusalOf } from './refusal.ts';

/** Files of a credential store that are compared with a file that has several names. */
const MOST_COMPARED = 2000;

export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly size: number;
  readonly modifiedMs: number;
}

/**
 * Opens a regular file by its real path for reading. Refuses folders, devices and pipes, a link put in the file's place
 * since its path was resolved, and a hard link to a file of a closed store.
 */
export async function openFile(path: string, closed: Closed): Promise<OpenFile> {
  // Non-blocking: opening a pipe waits for its other end otherwise.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error) => {
    throw refusalOf(error, path);
  });
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      throw new Refusal('refused', `${path} is a folder.`, 'Use action list, search or find on it.');
    }
    if (!stats.isFile()) {
      throw new Refusal('refused', `${path} is no regular file but a device, pipe or socket.`, 'Pass a regular file.');
    }
    if ((await realpath(path)) !== path || (stats.nlink > 1 && (await isNameOfClosed(stats, closed)))) {
      throw closedRefusal(path, 'another name of a closed file');
    }
    return {
      handle,
      size: stats.size,
      modifiedMs: stats.mtimeMs,
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Whether a file with several names (hard links) is a closed one under another name. */
export async function isNameOfClosed({ dev, ino }: { dev: number; ino: number }, closed: Closed): Promise<boolean> {
  let left = MOST_COMPARED;
  for (const root of closed.existing) {
    const entries = await readdir(root, { recursive: true }).catch(() => []);
    for (const path of [root, ...entries.slice(0, left).map((entry) => join(root, entry))]) {
      const other = await stat(path).catch(() => undefined);
      if (other && other.ino === ino && other.dev === dev) return true;
    }
    left -= entries.length;
    if (left <= 0) return false;
  }
  return false;
}
