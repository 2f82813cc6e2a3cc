import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redact } from '../redact/redact.ts';
import type { Embedder, SearchScope, SearchStore } from '../search/engine.ts';
import { openGeneration, publishGeneration } from '../search/generations.ts';
import { createStore, openStore } from '../search/store.ts';
import { breathe, throwIfAborted } from '../util/abort.ts';
import { sha256 } from '../util/hash.ts';
import { type BrokenFile, catalogJson, createCatalog, type IndexedFile } from './catalog.ts';
import { digestOf } from './digest.ts';
import type { LoadedFile } from './load.ts';
import { segmentsOf } from './segments.ts';

/** Raise it when readers, segments or the catalog change: saved indexes are then built anew. */
const FORMAT = 'loci-threads-1';
/** Longest stretch of work between two looks at the message queue. */
const SLICE_MS = 25;

/** A message that an index entry is of. */
export interface Place {
  readonly path: string;
  readonly number: number;
}

/** The search index over threads, without secrets, and what it was made from. */
export interface ThreadIndex {
  readonly store: SearchStore;
  readonly indexed: ReadonlyMap<string, IndexedFile>;
  readonly broken: ReadonlyMap<string, BrokenFile>;
  /** Indexes a file's thread: only the segments that differ from what is there. */
  put(path: string, loaded: LoadedFile, signal?: AbortSignal): Promise<void>;
  refuse(file: BrokenFile): void;
  remove(path: string): void;
  scopeOf(path: string): SearchScope;
  placeOf(file: string, chunk: number): Place | undefined;
  /** Writes the index if it has changed. */
  save(): Promise<void>;
}

export async function openThreadIndex(
  home: string,
  embedder: Embedder | null,
  log: (message: string) => void,
): Promise<ThreadIndex> {
  const opened = await openGeneration(home, FORMAT, async (folder) => ({
    catalog: createCatalog(await readFile(join(folder, 'catalog.json'), 'utf8')),
    store: await openStore(folder, embedder),
  }));
  if (opened.problem) log(`The saved index of threads is built anew: ${opened.problem}.`);
  const { catalog, store } = opened.value ?? { catalog: createCatalog(), store: createStore(embedder) };
  const { indexed, broken } = catalog;
  const paths = new Map([...indexed.keys()].map((path) => [keyOf(path), path]));
  /** Message of each chunk, by the store's file: set with its text, so that no search sees the one without the other. */
  const numbersOf = new Map<string, readonly number[]>();
  for (const { path, segments } of indexed.values()) {
    for (const [i, { numbers }] of segments.entries()) numbersOf.set(partOf(path, i), numbers);
  }
  let unsaved = false;
  let putting: Promise<void> = Promise.resolve();

  const removeSegments = (path: string, from: number) => {
    const count = indexed.get(path)?.segments.length ?? 0;
    for (let i = from; i < count; i++) {
      store.removeFile(partOf(path, i));
      numbersOf.delete(partOf(path, i));
    }
  };

  const remove = (path: string) => {
    removeSegments(path, 0);
    unsaved = indexed.delete(path) || broken.delete(path) || unsaved;
    paths.delete(keyOf(path));
  };

  const put = async (path: string, { thread, size, mtimeMs }: LoadedFile, signal?: AbortSignal): Promise<void> => {
    const segments = segmentsOf(thread);
    const before = indexed.get(path)?.segments ?? [];
    const after: IndexedFile['segments'] = [];
    let sliceStart = performance.now();
    for (const [i, { hash, cut }] of segments.entries()) {
      if (before[i]?.hash === hash) {
        after.push(before[i]);
        continue;
      }
      const { document, numbers } = cut((text) => redact(text).text);
      store.replaceFile(partOf(path, i), document);
      numbersOf.set(partOf(path, i), numbers);
      paths.set(keyOf(path), path);
      after.push({ hash, numbers });
      if (performance.now() - sliceStart > SLICE_MS) {
        await breathe();
        throwIfAborted(signal);
        sliceStart = performance.now();
      }
    }
    removeSegments(path, segments.length);
    indexed.set(path, { path, size, mtimeMs, digest: digestOf(thread), segments: after });
    broken.delete(path);
    unsaved = true;
  };

  return {
    store,
    indexed,
    broken,
    put(path, loaded, signal) {
      // One after the other, or an older reading could end up over a newer one.
      putting = putting.catch(() => undefined).then(() => put(path, loaded, signal));
      return putting;
    },
    refuse(file) {
      remove(file.path);
      broken.set(file.path, file);
      unsaved = true;
    },
    remove,
    scopeOf: (path) => ({ prefix: `${keyOf(path)}/` }),
    placeOf(file, chunk) {
      const path = paths.get(file.slice(0, file.indexOf('/')));
      const number = numbersOf.get(file)?.[chunk];
      return path === undefined || number === undefined ? undefined : { path, number };
    },
    async save() {
      if (!unsaved) return;
      unsaved = false;
      try {
        await publishGeneration(home, FORMAT, async (folder) => {
          // Both are taken in one turn, so that a change made meanwhile is in neither.
          const list = catalogJson(catalog);
          await Promise.all([store.save(folder), writeFile(join(folder, 'catalog.json'), list)]);
        });
      } catch (error) {
        unsaved = true;
        log(`The index of threads could not be saved and stays in memory: ${(error as Error).message}`);
      }
    },
  };
}

/** Name of a segment in the store. */
function partOf(path: string, segment: number): string {
  return `${keyOf(path)}/${segment}`;
}

function keyOf(path: string): string {
  return sha256(path).slice(0, 16);
}
