import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { SemanticStatus } from '../search/engine.ts';
import { isAbort } from '../util/abort.ts';
import { sha256 } from '../util/hash.ts';
import { isInside, toPosix } from '../util/paths.ts';
import type { KnowledgeBase, SkippedFile } from './base.ts';
import type { Node } from './nodes.ts';
import { openShelf, type Shelf, type ShelfTools } from './shelf.ts';
import { type Status, statusOf } from './status.ts';

/** All knowledge bases of a window, each on a shelf of its own. Lives in the worker. */
export interface Library {
  readonly shelves: readonly Shelf[];
  /** Opens these bases and closes others; indexing goes on in the background. */
  configure(bases: readonly KnowledgeBase[]): Promise<void>;
  status(): Status;
  /** Resolves when every file is read (and, if asked, every vector made), or after the time; never rejects. */
  settled(ms: number, vectors?: boolean): Promise<void>;
  /** Tells of files that were written, made or deleted (absolute paths). */
  changed(paths: readonly string[]): Promise<void>;
  /** Reads the node's document again if its file changed. Throws UserError `deleted` if it is gone. */
  freshen(node: Node): Promise<void>;
  /** Throws the indexes away and builds them from the files. */
  rebuild(): Promise<void>;
  /** Compares every base with its files. */
  rescan(ids?: readonly string[]): Promise<void>;
  skipped(): (SkippedFile & { base: string })[];
  /** Deletes the saved index of a base that is no longer open, unless another base shares it. */
  forget(base: KnowledgeBase): Promise<void>;
  close(): Promise<void>;
}

/** Quiet time after a change before the index is written, and after new files before the folder is listed. */
const SAVE_AFTER_MS = 5000;
const LIST_AFTER_MS = 250;

export function createLibrary(
  storage: string,
  tools: ShelfTools,
  semantic: (shelves: readonly Shelf[]) => SemanticStatus,
  onStatus: (status: Status) => void,
): Library {
  const life = new AbortController();
  let shelves: Shelf[] = [];
  let work: Promise<unknown> = Promise.resolve();
  let embedding: Promise<unknown> = Promise.resolve();
  let saveTimer: NodeJS.Timeout | undefined;
  const listTimers = new Map<Shelf, NodeJS.Timeout>();

  const status = () => statusOf(shelves, semantic(shelves));
  const announce = () => onStatus(status());

  const saveAll = async () => {
    for (const shelf of shelves) await shelf.save();
  };
  const saveSoon = () => {
    if (life.signal.aborted) return;
    clearTimeout(saveTimer);
    saveTimer = setTimeout(() => void saveAll(), SAVE_AFTER_MS);
  };

  const embed = async (shelf: Shelf): Promise<void> => {
    try {
      await shelf.embed(life.signal);
    } catch (error) {
      if (!isAbort(error))
        tools.log('warn', `Vectors of ${shelf.base.name} could not be made: ${(error as Error).message}`);
    }
    announce();
  };

  const bring = async (shelf: Shelf): Promise<void> => {
    try {
      await shelf.sync(life.signal);
      announce();
      await shelf.save();
    } catch (error) {
      if (!isAbort(error)) throw error;
    }
    const embedded = embed(shelf).then(saveSoon);
    embedding = Promise.all([embedding, embedded]);
  };

  const track = (task: Promise<unknown>): Promise<unknown> => {
    work = Promise.allSettled([work, task]);
    return task;
  };

  return {
    get shelves() {
      return shelves;
    },
    async configure(bases) {
      const key = (base: KnowledgeBase) => JSON.stringify(base);
      const kept = new Map(shelves.map((shelf) => [key(shelf.base), shelf]));
      const opened = await Promise.all(
        bases.map(async (base) => kept.get(key(base)) ?? openShelf(base, homeOf(storage, base), tools, announce)),
      );
      const fresh = opened.filter((shelf) => !shelves.includes(shelf));
      shelves = opened;
      announce();
      void track(Promise.all(fresh.map(bring)));
    },
    status,
    async settled(ms, vectors = false) {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      const done = vectors ? work.then(() => embedding) : work;
      await Promise.race([done, limit]);
      clearTimeout(timer);
    },
    async changed(paths) {
      for (const shelf of shelves) {
        const inside = paths
          .filter((path) => isInside(shelf.root, path))
          .map((path) => toPosix(path.slice(shelf.root.length + 1)));
        if (inside.length === 0) continue;
        const known = inside.filter((path) => shelf.catalog.files.has(path));
        const task = shelf.refresh(known, life.signal).then(() => embed(shelf));
        void track(task.catch(() => undefined));
        await task;
        saveSoon();
        if (inside.some((path) => !shelf.catalog.files.has(path) && shelf.concerns(path))) {
          clearTimeout(listTimers.get(shelf));
          listTimers.set(
            shelf,
            setTimeout(() => void track(bring(shelf)), LIST_AFTER_MS),
          );
        }
      }
    },
    async freshen(node) {
      if (node.kind === 'FOLDER') return;
      const { shelf, record } = node;
      const info = await stat(join(shelf.root, record.path)).catch(() => undefined);
      if (info && info.mtimeMs === record.mtimeMs && info.size === record.size) return;
      await shelf.refresh([record.path], life.signal);
      saveSoon();
      if (!shelf.catalog.files.has(record.path)) {
        throw new UserError(
          'deleted',
          `${record.path} was deleted, or can no longer be read, since it was indexed.`,
          'Search again: the index has been brought up to date.',
        );
      }
    },
    async rescan(ids) {
      await track(Promise.all(shelves.filter(({ base }) => ids?.includes(base.id) ?? true).map(bring)));
    },
    async rebuild() {
      for (const shelf of shelves) shelf.clear();
      await track(Promise.all(shelves.map(bring)));
    },
    skipped: () =>
      shelves.flatMap((shelf) =>
        [...shelf.catalog.skipped.values()].map((file) => ({ ...file, base: shelf.base.name })),
      ),
    async forget(base) {
      const home = homeOf(storage, base);
      if (!shelves.some((shelf) => homeOf(storage, shelf.base) === home))
        await rm(home, { recursive: true, force: true });
    },
    async close() {
      life.abort();
      clearTimeout(saveTimer);
      for (const timer of listTimers.values()) clearTimeout(timer);
      await saveAll();
    },
  };
}

/** The folder of a base's saved index. Ids and names stay out of its key, so that renaming a base costs nothing. */
function homeOf(storage: string, base: KnowledgeBase): string {
  const key = sha256(JSON.stringify([base.root, base.include ?? null])).slice(0, 16);
  return join(storage, 'indexes', key);
}
