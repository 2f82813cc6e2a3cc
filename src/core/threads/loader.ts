import { stat } from 'node:fs/promises';
import { type LoadedFile, loadThread } from './load.ts';
import type { ThreadFile } from './stores.ts';

/** Threads kept in memory with what it takes to read on; the bytes of their files bound it. */
const MOST_KEPT = 4;
const MOST_KEPT_BYTES = 64_000_000;

/** Reads a thread's file as it is now. */
export type LoadThread = (file: ThreadFile, signal?: AbortSignal) => Promise<LoadedFile>;

/** Reads threads' files, of the last few only what has been appended since. */
export function createLoader(): LoadThread {
  const kept = new Map<string, LoadedFile>();
  const loading = new Map<string, Promise<LoadedFile>>();

  /** Lets the longest unused go until there is room for so many bytes more. */
  const makeRoom = (size: number) => {
    const bytes = () => [...kept.values()].reduce((sum, loaded) => sum + loaded.size, size);
    while (kept.size >= MOST_KEPT || (kept.size > 0 && bytes() > MOST_KEPT_BYTES)) kept.delete([...kept.keys()][0]!);
  };

  return (file, signal) => {
    // One at a time for a file: reading on changes what was read before.
    const before = loading.get(file.path) ?? Promise.resolve();
    const now = before
      .catch(() => undefined)
      .then(async () => {
        const known = kept.get(file.path);
        // Reading on changes what was known: what fails half-way is read anew.
        kept.delete(file.path);
        makeRoom((await stat(file.path).catch(() => undefined))?.size ?? 0);
        const loaded = await loadThread(file, known, signal);
        kept.set(file.path, loaded);
        return loaded;
      });
    loading.set(file.path, now);
    const done = () => {
      if (loading.get(file.path) === now) loading.delete(file.path);
    };
    now.then(done, done);
    return now;
  };
}
