import { UserError } from '../errors.ts';
import type { ChatStores } from '../host.ts';
import { isAbort, throwIfAborted } from '../util/abort.ts';
import type { BrokenFile } from './catalog.ts';
import type { Digest } from './digest.ts';
import type { ThreadIndex } from './index-store.ts';
import type { LoadThread } from './loader.ts';
import type { Thread } from './model.ts';
import { bareId, bySession, isLoci, lastAgent, type Stamped, sessionKey, stamp, told } from './sessions.ts';
import { listThreadFiles, type ThreadFile } from './stores.ts';
import { inFolders, withReal } from './workspaces.ts';

export interface LibraryConfig {
  readonly stores: ChatStores;
  /** Folder of the chats with @loci. */
  readonly own: string;
  readonly folders: readonly string[];
  /** True when threads of other workspaces may be read. */
  readonly others: boolean;
}

/** A thread that lists and searches know. */
export interface Entry {
  readonly file: ThreadFile;
  readonly digest: Digest;
}

/** How complete an answer over all threads is. */
export interface Coverage {
  readonly threads: number;
  /** Files still to be read. */
  readonly pending: number;
  readonly broken: readonly { readonly path: string; readonly reason: string }[];
  /** Threads of other workspaces that the setting keeps out. */
  readonly otherWorkspaces: number;
}

/** All threads that may be read, each once, whatever stores hold it. */
export interface Library {
  readonly entries: readonly Entry[];
  readonly index: ThreadIndex;
  /** Compares with the disk and reads what differs, newest first; calls during a run share it. */
  sync(): Promise<void>;
  coverage(): Coverage;
  /**
   * The thread as its file now is; `caller` is the thread that asks.
   * @throws UserError `unknown_thread`, `other_workspace`, or why none of its files can be read.
   */
  thread(id: string, caller: string | undefined, signal?: AbortSignal): Promise<Found>;
  /** The thread of one file. */
  read(file: ThreadFile, signal?: AbortSignal): Promise<Thread>;
  /** Brings the index of one thread to where its file now is. */
  refresh(file: ThreadFile, signal?: AbortSignal): Promise<void>;
  /** Makes the vectors that are missing and saves the index, in the background. */
  settle(): void;
  close(): Promise<void>;
}

export interface Found {
  readonly file: ThreadFile;
  readonly thread: Thread;
}

/** Between two saves of the index; what is lost with an unsaved one is read again. */
const SAVE_EVERY_MS = 60_000;

export function createLibrary(
  { stores, own, folders, others }: LibraryConfig,
  index: ThreadIndex,
  load: LoadThread,
): Library {
  /** By session; shows while the first run goes on, and is replaced by the later ones. */
  let known: ReadonlyMap<string, Entry> = new Map();
  let elsewhere: ReadonlyMap<string, ThreadFile> = new Map();
  /** The open folders, and where they really lie. */
  let open = folders;
  let pending = 0;
  let running: Promise<void> | undefined;
  let settling: Promise<void> | undefined;
  let saving: NodeJS.Timeout | undefined;
  let savedAt = Number.NEGATIVE_INFINITY;
  const life = new AbortController();

  /** The files that may be read, by session id and best first. What is gone leaves the index. */
  const listed = async (): Promise<Map<string, Stamped[]>> => {
    open = await withReal(folders);
    const files = await listThreadFiles(stores, own, open);
    const there = new Set(files.map(({ path }) => path));
    for (const path of [...index.indexed.keys(), ...index.broken.keys()]) if (!there.has(path)) index.remove(path);
    const allowed = files.filter((file) => isAllowed(file, index.indexed.get(file.path)?.digest.folder));
    const ids = new Set(allowed.map(({ id }) => id));
    elsewhere = new Map(files.filter(({ id }) => !ids.has(id)).map((file) => [file.id, file]));
    return bySession(await Promise.all(allowed.map(stamp)));
  };

  const isAllowed = (file: ThreadFile, folder: string | undefined): boolean => {
    if (others || file.place === 'none') return true;
    const told = file.format === 'claude-code' && folder !== undefined;
    return told ? inFolders(open, folder) : file.place === 'current';
  };

  const bring = async (signal: AbortSignal): Promise<void> => {
    const sessions = [...(await listed()).values()].sort((a, b) => b[0]!.mtimeMs - a[0]!.mtimeMs);
    pending = sessions.length;
    const found = new Map<string, Entry>();
    if (known.size === 0) known = found;
    const show = (files: readonly Stamped[], path: string | undefined) => {
      const file = files.find((copy) => copy.file.path === path)?.file;
      const digest = path === undefined ? undefined : index.indexed.get(path)?.digest;
      if (!file || !digest || digest.messages === 0 || !isAllowed(file, digest.folder)) return;
      const key = sessionKey(digest.id, digest.source === 'loci');
      if (!found.has(key)) found.set(key, { file, digest });
    };
    for (const copies of sessions) {
      throwIfAborted(signal);
      show(copies, await bringFirst(copies, signal));
      pending--;
    }
    known = found;
  };

  /** Indexes the first copy that can be read, and returns its path. */
  const bringFirst = async (copies: readonly Stamped[], signal?: AbortSignal): Promise<string | undefined> => {
    for (const [i, { file, size, mtimeMs }] of copies.entries()) {
      const same = (known?: { size: number; mtimeMs: number }) => known?.size === size && known.mtimeMs === mtimeMs;
      if (same(index.broken.get(file.path))) continue;
      if (!same(index.indexed.get(file.path)) && !(await tryRefresh(file, size, mtimeMs, signal))) continue;
      for (const { file: other } of copies.slice(i + 1)) index.remove(other.path);
      return file.path;
    }
    return undefined;
  };

  const tryRefresh = async (file: ThreadFile, size: number, mtimeMs: number, signal?: AbortSignal) => {
    try {
      await refresh(file, signal);
      return true;
    } catch (error) {
      if (isAbort(error)) throw error;
      index.refuse({ path: file.path, size, mtimeMs, reason: reasonOf(error) });
      return false;
    }
  };

  const refresh = async (file: ThreadFile, signal?: AbortSignal): Promise<void> => {
    const loaded = await load(file, signal);
    const known = index.indexed.get(file.path);
    if (known?.size === loaded.size && known.mtimeMs === loaded.mtimeMs) return;
    // Of another workspace's thread only where it ran is kept, so that it need not be read again.
    const { thread } = loaded;
    const kept = isAllowed(file, thread.folder) ? thread : { ...thread, title: '', messages: [], compactions: [] };
    await index.put(file.path, { ...loaded, thread: kept }, signal);
  };

  /** A chat that goes on changes the index all the time, and writing it takes a while. */
  const saveSoon = async (): Promise<void> => {
    const wait = savedAt + SAVE_EVERY_MS - performance.now();
    if (wait > 0) {
      saving ??= setTimeout(() => void saveSoon(), wait);
      saving.unref();
      return;
    }
    saving = undefined;
    savedAt = performance.now();
    await index.save();
  };

  const firstReadable = async (
    copies: readonly Stamped[],
    signal?: AbortSignal,
  ): Promise<{ found?: Found; failure?: unknown }> => {
    let failure: unknown;
    for (const { file } of copies) {
      try {
        const { thread } = await load(file, signal);
        if (isAllowed(file, thread.folder)) return { found: { file, thread } };
      } catch (error) {
        if (isAbort(error)) throw error;
        failure ??= error;
      }
    }
    return { failure };
  };

  return {
    get entries() {
      return told(known);
    },
    index,
    sync() {
      running ??= bring(life.signal).finally(() => {
        running = undefined;
      });
      return running;
    },
    coverage: () => ({
      threads: told(known).length,
      pending,
      broken: [...index.broken.values()].map(({ path, reason }: BrokenFile) => ({ path, reason })),
      otherWorkspaces: elsewhere.size,
    }),
    async thread(id, caller, signal) {
      const sessions = await listed();
      const bare = bareId(id);
      // Whoever calls from within a thread sees it anyway, wherever its file lies.
      const called = caller === bare ? elsewhere.get(bare) : undefined;
      if (called) return { file: called, thread: (await load(called, signal)).thread };
      const renamed = [...index.indexed.values()].find(({ digest }) => digest.id === bare)?.path;
      const copies = (loci: boolean) =>
        sessions.get(sessionKey(bare, loci)) ??
        [...sessions.values()].flat().filter(({ file }) => file.path === renamed && (file.format === 'loci') === loci);
      const ours = await firstReadable(copies(true), signal);
      const theirs = id === bare ? await firstReadable(copies(false), signal) : {};
      const isOurs = ours.found && (!theirs.found || isLoci(lastAgent(theirs.found.thread)));
      const found = isOurs ? ours.found : (theirs.found ?? ours.found);
      if (found) return found;
      const closed = copies(true).length + copies(false).length > 0 || elsewhere.has(bare);
      throw theirs.failure ?? ours.failure ?? (closed ? otherWorkspace(id) : unknownThread(id));
    },
    read: async (file, signal) => (await load(file, signal)).thread,
    refresh,
    settle() {
      settling ??= index.store
        .embedPending(life.signal)
        .catch(() => undefined)
        .then(saveSoon)
        .finally(() => {
          settling = undefined;
        });
    },
    async close() {
      life.abort();
      await running?.catch(() => undefined);
      await settling;
      clearTimeout(saving);
      await index.save();
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return error instanceof Error ? error.message.split('\n')[0]! : String(error);
}

function otherWorkspace(id: string): UserError {
  return new UserError(
    'other_workspace',
    `The thread ${id} belongs to another workspace.`,
    'A person can turn on loci.threads.otherWorkspaces, or open that workspace.',
  );
}

function unknownThread(id: string): UserError {
  return new UserError(
    'unknown_thread',
    `There is no thread ${id} among those that can be read here.`,
    'Find threads with search_threads or find_threads, and pass the thread_id they return.',
  );
}
