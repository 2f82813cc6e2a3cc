import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { ChatStores } from '../host.ts';
import type { Embedder } from '../search/engine.ts';
import { searchStores } from '../search/query.ts';
import { isAbort, throwIfAborted } from '../util/abort.ts';
import { sha256 } from '../util/hash.ts';
import { createAgentLookup } from './agent-of.ts';
import { type FindInput, findThreads } from './find.ts';
import { openThreadIndex } from './index-store.ts';
import { createLibrary, type Found, type Library } from './library.ts';
import { type ListInput, listThreads } from './list.ts';
import { createLoader } from './loader.ts';
import { recoverableBlocks } from './memory/blocks.ts';
import { compressRequest } from './memory/compress.ts';
import { hiddenMessages } from './memory/hidden.ts';
import type { MemoryInput } from './memory/input.ts';
import { paramArchive, recover, toolResult } from './memory/recover.ts';
import { type RankMessages, searchMessages } from './memory/search-messages.ts';
import { memoryStatus } from './memory/status.ts';
import { type Timeline, timelineOf } from './memory/timeline.ts';
import type { SourceKind } from './model.ts';
import { relevant } from './rank.ts';
import { type ReadInput, readThread } from './read.ts';
import { type SearchInput, searchThreads } from './search.ts';
import { listThreadFiles } from './stores.ts';
import { candidatesOf } from './view.ts';

export interface ThreadsConfig {
  readonly stores: ChatStores;
  /** Absolute paths of the open folders. */
  readonly folders: readonly string[];
  /** True when threads of other workspaces may be read. */
  readonly others: boolean;
  readonly storage: string;
  readonly embedder: Embedder | null;
  /** How long a call waits for threads that are still to be read, in milliseconds. */
  readonly waitMs: number;
}

export interface ThreadsOptions {
  log(level: 'info' | 'warn', message: string): void;
  /** Only where `stores.editor`: the chat should be compacted when its turn ends. */
  onCompact(request: CompactRequest): void;
}

/** A chat that should be compacted, by the editor or by @loci, whose thread it is. */
export interface CompactRequest {
  readonly thread: string;
  readonly source: SourceKind;
  readonly target_percentage: number;
  readonly compression_version: 'V3' | 'V6';
}

/** A call about one thread: the one it names, else the one it comes from. */
type OfThread<T> = T & { readonly thread_id: string | undefined; readonly caller_thread: string | undefined };

/** Every past chat of this machine that may be read, and what compaction took out of each. Never writes to a store. */
export function createThreads({ log, onCompact }: ThreadsOptions) {
  let config: ThreadsConfig | undefined;
  let opened: { key: string; library: Promise<Library> } | undefined;
  const load = createLoader();
  const warn = (message: string) => log('warn', message);

  const agentOf = createAgentLookup(load, () => {
    const { stores, storage, folders } = config!;
    return listThreadFiles(stores, join(storage, 'chats'), folders);
  });

  const library = (): Promise<Library> => {
    if (config === undefined) throw new Error('threads are not configured');
    const { stores, folders, others, storage, embedder } = config;
    const key = JSON.stringify([stores, folders, others, storage, embedder?.provider, embedder?.model]);
    if (opened?.key !== key) {
      const before = opened?.library;
      const home = join(storage, 'threads', sha256(JSON.stringify([folders, others])).slice(0, 16));
      const open = async () => {
        await (await before)?.close();
        const own = join(storage, 'chats');
        return createLibrary({ stores, own, folders, others }, await openThreadIndex(home, embedder, warn), load);
      };
      opened = { key, library: open() };
    }
    return opened.library;
  };

  /** The library once every thread is read, or after the wait that the settings allow. */
  const synced = async (): Promise<Library> => {
    const ready = await library();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, config!.waitMs);
    });
    const work = ready.sync().then(() => void ready.settle());
    await Promise.race([work, limit]).finally(() => clearTimeout(timer));
    work.catch((error: unknown) => {
      if (!isAbort(error)) warn(`Threads could not be read: ${String(error)}`);
    });
    return ready;
  };

  /** The thread with an id; where no file bears it as its name, once every file has been read. */
  const threadWith = async (id: string, caller: string | undefined, signal?: AbortSignal): Promise<Found> => {
    const before = await library();
    try {
      return await before.thread(id, caller, signal);
    } catch (error) {
      if (!(error instanceof UserError && error.code === 'unknown_thread')) throw error;
      return (await synced()).thread(id, caller, signal);
    }
  };

  const found = async (
    { thread_id: named, caller_thread: caller }: OfThread<object>,
    signal?: AbortSignal,
  ): Promise<Found> => {
    const id = named?.trim() || caller;
    if (id !== undefined) return threadWith(id, caller, signal);
    throw new UserError(
      'thread_unknown',
      'Which thread this call comes from cannot be told here.',
      'Pass thread_id: one of the candidates, or one that search_threads returns.',
      { candidates: candidatesOf((await synced()).entries) },
    );
  };

  const ranker =
    ({ file, thread }: Found, signal?: AbortSignal): RankMessages =>
    async (query, limit) => {
      const { index, refresh } = await library();
      await refresh(file, signal);
      const searched = [{ store: index.store, scopes: [index.scopeOf(file.path)] }];
      const request = { query, mode: 'knowledge' as const, limit, explain: true };
      const { hits } = await searchStores(searched, request, signal);
      const best = new Map<number, number>();
      for (const { file: part, chunk, score, duplicates } of relevant(hits)) {
        for (const place of [{ file: part, chunk }, ...(duplicates ?? [])]) {
          const number = index.placeOf(place.file, place.chunk)?.number;
          if (number !== undefined && number <= thread.messages.length && !best.has(number)) best.set(number, score);
        }
      }
      return [...best].map(([number, score]) => ({ number, score }));
    };

  return {
    configure(next: ThreadsConfig) {
      config = next;
    },
    /** The custom agent that a chat of the editor runs with; undefined for another agent, or where it cannot be read. */
    agentOf,
    /** The chats that may be read here, each with a stamp that changes when it does, for what looks through whole chats. */
    async *chats(signal?: AbortSignal) {
      const { stores, storage, folders, others } = config!;
      for (const file of await listThreadFiles(stores, join(storage, 'chats'), folders)) {
        throwIfAborted(signal);
        const now = file.place === 'other' && !others ? undefined : await stat(file.path).catch(() => undefined);
        if (!now) continue;
        const read = () => load(file, signal).then(({ thread }) => thread.messages);
        const stamp = `${now.size} ${now.mtimeMs}`;
        yield { thread_id: file.id, source: file.path, stamp, updated: now.mtimeMs, messages: read };
      }
    },
    async close() {
      await (await opened?.library)?.close();
    },
    methods: {
      search: async (input: SearchInput, signal?: AbortSignal) => searchThreads(await synced(), input, signal),
      find: async (input: FindInput, signal?: AbortSignal) => findThreads(await synced(), input, signal),
      list: async (input: ListInput) => listThreads(await synced(), input),
      async read(input: OfThread<ReadInput>, signal?: AbortSignal) {
        return readThread(await found(input, signal), input);
      },
      /** How full the thread's window was over time, for a picture. */
      async timeline(input: OfThread<object>, signal?: AbortSignal): Promise<Timeline> {
        return timelineOf((await found(input, signal)).thread);
      },
      /** A thread's id and the store that its text comes from. */
      async sourceOf(input: OfThread<object>, signal?: AbortSignal): Promise<{ id: string; source: SourceKind }> {
        const { thread } = await found(input, signal);
        return { id: thread.id, source: thread.source };
      },
      /** manage_thread_memory, but for compressing chats with @loci. */
      async memory(input: OfThread<MemoryInput>, signal?: AbortSignal): Promise<{ readonly action: string }> {
        const of = await found(input, signal);
        const { thread } = of;
        switch (input.action) {
          case 'GET_STATUS':
            return memoryStatus(thread, input);
          case 'COMPRESS': {
            const request = compressRequest(thread, input, config!.stores.editor);
            const { target_percentage, compression_version } = request;
            if (request.status === 'requested')
              onCompact({ thread: thread.id, source: thread.source, target_percentage, compression_version });
            return request;
          }
          case 'RECOVER':
            return recover(thread, input);
          case 'SEARCH_MESSAGES':
            return searchMessages(thread, input, ranker(of, signal));
          case 'LIST_RECOVERABLE_BLOCKS':
            return recoverableBlocks(thread, input);
          case 'GET_HIDDEN_MESSAGES':
            return hiddenMessages(thread, input);
          case 'GET_COMPRESSED_TOOL_RESULT':
            return toolResult(thread, input);
          case 'GET_COMPRESSED_PARAM_ARCHIVE':
            return paramArchive(thread, input);
        }
      },
    },
  };
}
