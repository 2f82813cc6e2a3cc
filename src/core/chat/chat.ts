import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { sha256 } from '../util/hash.ts';
import { brief } from '../util/page.ts';
import { type Compressed, compress } from './compress.ts';
import type { Model } from './model.ts';
import { createTokenCounter } from './token-counter.ts';
import { openTranscript, type Transcript } from './transcript.ts';
import { overheadIn } from './usage.ts';

export interface ChatConfig {
  readonly storage: string;
  /** Absolute path of the first workspace folder; empty without one. */
  readonly workspace: string;
}

export interface ChatOptions {
  now(): number;
  /** Names of the skills whose text compression leaves whole in a thread. */
  neverCompress(thread: string): Promise<readonly string[]>;
}

export interface CompressRequest {
  readonly thread: string;
  readonly target_percentage: number;
  /** V3 or V6; anything else stands for V6. */
  readonly compression_version: string | null;
}

interface Warned {
  readonly warnings?: readonly string[];
}

/** Transcripts kept open; their messages are in memory. */
const MOST_OPEN = 8;
const NEVER = new AbortController().signal;
/** Window taken for a thread whose model is not known. */
const WINDOW = 128_000;

/** Folder of the transcripts of one workspace's chats with @loci. */
function chatFolder({ storage, workspace }: ChatConfig): string {
  return join(storage, 'chats', sha256(workspace).slice(0, 16));
}

/** The chats with @loci: their transcripts on disk, and compressing them. `modelOf` gives the model that writes a thread's summary. */
export function createChat(
  { now, neverCompress }: ChatOptions,
  modelOf: (thread: string) => Promise<Model | undefined> = async () => undefined,
) {
  const open = new Map<string, Promise<Transcript>>();
  let config: ChatConfig | undefined;

  const pathOf = (thread: string): string => {
    if (!config) throw new Error('the chats are not configured');
    const name = /^[\w-]{1,80}$/.test(thread) ? thread : sha256(thread).slice(0, 32);
    return join(chatFolder(config), `${name}.jsonl`);
  };

  const transcript = (thread: string): Promise<Transcript> => {
    const path = pathOf(thread);
    const opened = open.get(path) ?? openTranscript({ path, id: thread, folder: config?.workspace || undefined, now });
    open.delete(path);
    open.set(path, opened);
    opened.catch(() => open.delete(path));
    if (open.size > MOST_OPEN) open.delete(open.keys().next().value!);
    return opened;
  };

  return {
    configure(next: ChatConfig) {
      if (config?.storage !== next.storage || config.workspace !== next.workspace) open.clear();
      config = next;
    },

    /** The thread's transcript; empty for a thread that is not yet, or not ours. */
    transcript,

    /** What the tools ask for. */
    methods: {
      /** True when the thread is a chat with @loci. */
      async holds({ thread }: { readonly thread: string }): Promise<boolean> {
        const opened = await transcript(thread);
        await opened.refresh();
        return opened.history.messages.length > 0;
      },

      /** @throws UserError `unknown_thread` for a thread that is not ours. */
      async compress(request: CompressRequest, signal: AbortSignal = NEVER): Promise<Compressed & Warned> {
        const { thread, target_percentage: targetPercentage, compression_version: wanted } = request;
        const version = wanted?.toUpperCase() === 'V3' ? 'V3' : 'V6';
        const opened = await transcript(thread);
        await opened.refresh();
        const { messages, usage } = opened.history;
        if (messages.length === 0) {
          throw new UserError(
            'unknown_thread',
            `There is no chat ${thread} with @loci in this workspace.`,
            'Pass the thread_id of a chat with @loci; search_threads lists threads.',
          );
        }
        const model = await modelOf(thread);
        const result = await compress(
          {
            transcript: opened,
            model,
            counter: createTokenCounter(model),
            window: usage?.window ?? model?.maxInputTokens ?? WINDOW,
            overhead: overheadIn(opened.history),
            targetPercentage,
            version,
            trigger: 'manual',
            neverCompress: await neverCompress(thread),
            now,
          },
          signal,
        );
        if (wanted === null || wanted.toUpperCase() === version) return result;
        return { ...result, warnings: [`There is no compressor ${brief(wanted, 40)}; V6 stands.`] };
      },

      /** Deletes a thread's transcript for good. */
      async remove({ thread }: { readonly thread: string }): Promise<void> {
        const path = pathOf(thread);
        open.delete(path);
        await rm(path, { force: true });
      },
    },
  };
}

export type Chat = ReturnType<typeof createChat>;
