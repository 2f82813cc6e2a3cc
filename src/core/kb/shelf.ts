import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText, UserError } from '../errors.ts';
import type { Chunk, ChunkedDocument } from '../search/document.ts';
import type { SearchStore } from '../search/engine.ts';
import { openGeneration, publishGeneration } from '../search/generations.ts';
import { breathe, isAbort, throwIfAborted } from '../util/abort.ts';
import { sha256 } from '../util/hash.ts';
import { type FoundFile, membership, scan, tooLarge } from '../util/scan.ts';
import type { KnowledgeBase, SkippedFile, SkipReason } from './base.ts';
import { type Catalog, createCatalog } from './catalog.ts';

/** What a shelf needs of the search engine and the readers; the library hands it in. */
export interface ShelfTools {
  createStore(): SearchStore;
  openStore(folder: string): Promise<SearchStore>;
  /** True for the formats that count as documents without being named in a setting. */
  isDocument(path: string): boolean;
  /** True for formats whose text is the file's own, so that lines can be named. */
  keepsLines(path: string): boolean;
  /** Reads, cuts and names a file. Throws UserError for a file that cannot be read. */
  read(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<ChunkedDocument>;
  /** Changes whenever indexes saved by older code must be built anew; of another model, the store drops the vectors. */
  readonly fingerprint: string;
  log(level: 'info' | 'warn', message: string): void;
}

export interface ShelfProgress {
  readonly done: number;
  readonly total: number;
}

/** One knowledge base, indexed: its catalog, its search store, and the work that keeps both as its files are. */
export interface Shelf {
  readonly base: KnowledgeBase;
  /** Folder that relative paths start from. */
  readonly root: string;
  readonly catalog: Catalog;
  readonly store: SearchStore;
  /** Null when nothing is pending. */
  readonly progress: ShelfProgress | null;
  /** Why the base cannot be read at all, if so. */
  readonly failure: string | null;
  /** Compares with the disk and reads what differs. Calls during a run share one more, which starts when it ends. */
  sync(signal?: AbortSignal): Promise<void>;
  /** Looks at these documents (relative paths) again now; paths that are no documents of the base are left to `sync`. */
  refresh(paths: readonly string[], signal?: AbortSignal): Promise<void>;
  /** True when a change of this path may bring, take or move documents: it is worth listing the folder. */
  concerns(path: string): boolean;
  /** Makes the vectors that are missing. */
  embed(signal?: AbortSignal): Promise<void>;
  /** Forgets every document, so that the next sync reads all files again. */
  clear(): void;
  /** Writes the index if it changed since the last save. */
  save(): Promise<void>;
}

/** Files read ahead of the one being cut, and the bytes after which no more are. */
const BATCH_FILES = 16;
const BATCH_BYTES = 32_000_000;
/** Longest stretch of work between two looks at the message queue. */
const SLICE_MS = 25;

export async function openShelf(
  base: KnowledgeBase,
  home: string,
  tools: ShelfTools,
  onProgress: () => void,
): Promise<Shelf> {
  const opened = await openGeneration(home, tools.fingerprint, async (folder) => ({
    catalog: createCatalog(await readFile(join(folder, 'catalog.json'), 'utf8')),
    store: await tools.openStore(folder),
  }));
  if (opened.problem) tools.log('warn', `The saved index of ${base.name} is built anew: ${opened.problem}.`);
  const { catalog, store } = opened.value ?? { catalog: createCatalog(), store: tools.createStore() };
  const isFile = await stat(base.root).then(
    (info) => info.isFile(),
    () => false,
  );
  const root = isFile ? join(base.root, '..') : base.root;
  const belongs = membership(base, tools.isDocument);
  let unsaved = false;
  let progress: ShelfProgress | null = null;
  let failure: string | null = null;
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;

  const skip = (file: SkippedFile) => {
    catalog.skipped.set(file.path, file);
  };

  const drop = (path: string) => {
    if (!catalog.files.has(path)) return;
    catalog.remove(path);
    store.removeFile(path);
    unsaved = true;
  };

  const takeIn = async (file: FoundFile, bytes: Uint8Array, signal?: AbortSignal): Promise<void> => {
    const hash = sha256(bytes);
    const known = catalog.files.get(file.path);
    unsaved = true;
    if (known?.hash === hash) {
      catalog.put({ ...known, size: file.size, mtimeMs: file.mtimeMs });
      return;
    }
    try {
      const { text, ...document } = await tools.read(file.path, bytes, signal);
      store.replaceFile(file.path, { text, ...document });
      const lines = tools.keepsLines(file.path) && { lines: firstLines(text, document.chunks) };
      catalog.put({ ...file, hash, document, ...lines });
      catalog.skipped.delete(file.path);
    } catch (error) {
      if (isAbort(error)) throw error;
      drop(file.path);
      const refused = error instanceof UserError;
      if (!refused) tools.log('warn', `${file.path}: ${errorText(error)}`);
      skip({
        path: file.path,
        reason: refused ? skipReason(error.code) : 'unreadable',
        detail: refused ? `${error.message} ${error.next}` : 'The reader failed on this file; the log says how.',
        mtimeMs: file.mtimeMs,
      });
    }
  };

  const readAll = async (files: readonly FoundFile[], signal?: AbortSignal): Promise<void> => {
    let sliceStart = performance.now();
    for (let start = 0, end = 0; start < files.length; start = end) {
      for (let bytes = 0; end < files.length && end - start < BATCH_FILES && bytes < BATCH_BYTES; end++)
        bytes += files[end]!.size;
      const batch = files.slice(start, end);
      const contents = await Promise.all(
        batch.map((file) => readFile(join(root, file.path)).catch((error: Error) => error)),
      );
      for (const [i, file] of batch.entries()) {
        throwIfAborted(signal);
        const bytes = contents[i]!;
        if (!(bytes instanceof Error)) await takeIn(file, bytes, signal);
        else {
          drop(file.path);
          if ((bytes as NodeJS.ErrnoException).code !== 'ENOENT')
            skip({ path: file.path, reason: 'unreadable', detail: bytes.message });
        }
        if (performance.now() - sliceStart > SLICE_MS) {
          progress = { done: start + i + 1, total: files.length };
          onProgress();
          await breathe();
          sliceStart = performance.now();
        }
      }
    }
  };

  const changed = (file: FoundFile): boolean => {
    const known = catalog.files.get(file.path);
    return !known || known.size !== file.size || known.mtimeMs !== file.mtimeMs;
  };

  const compare = async (signal?: AbortSignal): Promise<void> => {
    progress = { done: 0, total: 0 };
    onProgress();
    try {
      const found = await scan(base, tools.isDocument, signal);
      failure = null;
      const present = new Set(found.files.map((file) => file.path));
      for (const path of [...catalog.files.keys()]) if (!present.has(path)) drop(path);
      // A file that its reader refused would be refused again until it changes.
      const before = new Map(catalog.skipped);
      const refused = ({ path, mtimeMs }: FoundFile) => before.get(path)?.mtimeMs === mtimeMs;
      const todo = found.files.filter((file) => !refused(file) && changed(file));
      catalog.skipped.clear();
      for (const file of found.skipped) skip(file);
      for (const file of found.files) if (refused(file)) skip(before.get(file.path)!);
      await readAll(todo, signal);
    } catch (error) {
      if (isAbort(error)) throw error;
      failure = `${base.root} cannot be read: ${(error as Error).message}`;
    } finally {
      progress = null;
      onProgress();
    }
  };

  const sync = (signal?: AbortSignal): Promise<void> => {
    if (!running) {
      running = compare(signal).finally(() => {
        running = undefined;
      });
      return running;
    }
    // The run may have listed the folder before the change that this call is about.
    const again = () => {
      queued = undefined;
      return sync(signal);
    };
    queued ??= running.then(again, again);
    return queued;
  };

  return {
    base,
    root,
    catalog,
    store,
    get progress() {
      return progress;
    },
    get failure() {
      return failure;
    },
    sync,
    async refresh(paths, signal) {
      const files: FoundFile[] = [];
      for (const path of paths) {
        if (!catalog.files.has(path)) continue;
        const info = await stat(join(root, path)).catch(() => undefined);
        if (info?.isFile() && info.size <= base.maxBytes) {
          files.push({ path, size: info.size, mtimeMs: info.mtimeMs });
          continue;
        }
        drop(path);
        if (info?.isFile()) skip(tooLarge(path, info.size, base));
      }
      await readAll(files.filter(changed), signal);
      if (!running) progress = null;
    },
    concerns(path) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return name === '.gitignore' || !name.includes('.') || belongs.file(path);
    },
    async embed(signal) {
      await store.embedPending(signal, () => {
        unsaved = true;
        onProgress();
      });
    },
    clear() {
      for (const path of [...catalog.files.keys()]) drop(path);
      catalog.skipped.clear();
    },
    async save() {
      if (!unsaved) return;
      unsaved = false;
      try {
        await publishGeneration(home, tools.fingerprint, async (folder) => {
          // Both are taken in one turn, so that a change made meanwhile is in neither.
          const list = catalog.toJson();
          await Promise.all([store.save(folder), writeFile(join(folder, 'catalog.json'), list)]);
        });
      } catch (error) {
        unsaved = true;
        tools.log(
          'warn',
          `The index of ${base.name} could not be saved and stays in memory: ${(error as Error).message}`,
        );
      }
    },
  };
}

function skipReason(code: string): SkipReason {
  return code === 'binary' || code === 'encrypted' || code === 'damaged' ? code : 'unreadable';
}

function firstLines(text: string, chunks: readonly Chunk[]): number[] {
  const lines: number[] = [];
  let line = 1;
  let at = 0;
  for (const { start } of chunks) {
    for (let next = text.indexOf('\n', at); next >= 0 && next < start; next = text.indexOf('\n', at)) {
      line++;
      at = next + 1;
    }
    lines.push(line);
  }
  return lines;
}
