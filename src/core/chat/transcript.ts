import { randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from '../errors.ts';
import { createHistory, type History } from './history.ts';
import { type ChatMessage, TranscriptRecord } from './records.ts';

type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };
/** A message as it is said; id and time are given to it. */
export type NewMessage = Pick<ChatMessage, 'role' | 'text'> &
  Partial<Loose<Omit<ChatMessage, 'kind' | 'id' | 'time' | 'role' | 'text'>>>;

/**
 * A thread's file: one JSON record a line, only ever appended to. The file is the truth and `history` what has been read
 * of it, so that two windows on one thread see each other's messages in the same order.
 */
export interface Transcript {
  readonly id: string;
  readonly path: string;
  readonly history: History;
  /** Reads what has been appended since, by whomever. */
  refresh(): Promise<void>;
  /** Appends a message and returns it as stored. */
  say(message: NewMessage): Promise<ChatMessage>;
  append(record: TranscriptRecord): Promise<void>;
}

export interface TranscriptOptions {
  readonly path: string;
  readonly id: string;
  readonly folder: string | undefined;
  now(): number;
}

const NEWLINE = 10;

/**
 * Opens a thread's transcript; the file is made when the first record is appended.
 * @throws UserError `newer_version` for a file that a later version of Loci has begun, `not_saved` when appending fails.
 */
export async function openTranscript({ path, id, folder, now }: TranscriptOptions): Promise<Transcript> {
  let history = createHistory();
  let begun = false;
  let read = 0;

  const take = (line: string) => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // A process was killed while it wrote this line; the record was never acknowledged.
      return;
    }
    const { kind, version } = (value ?? {}) as { kind?: unknown; version?: unknown };
    if (kind === 'thread') begun = true;
    if (kind === 'thread' && typeof version === 'number' && version > 1) {
      throw new UserError(
        'newer_version',
        `The transcript ${path} was written by a newer version of Loci.`,
        'Update Loci, or start a new chat.',
      );
    }
    const record = TranscriptRecord.safeParse(value);
    if (record.success) history.add(record.data);
  };

  const refresh = async () => {
    let bytes = await readFrom(path, read);
    if (bytes === undefined) {
      // Somebody deleted the thread meanwhile.
      [history, begun, read] = [createHistory(), false, 0];
      bytes = (await readFrom(path, 0)) ?? Buffer.alloc(0);
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) if (line !== '') take(line);
    read += end;
  };

  const append = async (record: TranscriptRecord) => {
    const records: TranscriptRecord[] = begun
      ? [record]
      : [{ kind: 'thread', version: 1, id, created: now(), ...(folder !== undefined && { folder }) }, record];
    // A line of its own, whatever a killed process has left before it.
    const lines = records.map((one) => `\n${JSON.stringify(one)}\n`).join('');
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a');
      try {
        // In one piece, so that what two windows write at the same time does not mix.
        const bytes = Buffer.from(lines);
        const { bytesWritten } = await file.write(bytes);
        if (bytesWritten < bytes.length) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
        await file.datasync();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw new UserError(
        'not_saved',
        `The conversation could not be saved to ${path} (${(error as NodeJS.ErrnoException).code ?? error}).`,
        'Free some space or make the folder writable, then send the message again.',
      );
    }
    await refresh();
  };

  await refresh();
  return {
    id,
    path,
    get history() {
      return history;
    },
    refresh,
    append,
    async say(message) {
      const given = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));
      const record = { kind: 'message', id: randomUUID(), time: now(), ...given } as ChatMessage;
      await append(record);
      return record;
    },
  };
}

/** The bytes of a file from an offset on; undefined when it does not reach so far. A missing file has none. */
async function readFrom(path: string, offset: number): Promise<Buffer | undefined> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size < offset) return undefined;
      const buffer = Buffer.allocUnsafe(size - offset);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return offset === 0 ? Buffer.alloc(0) : undefined;
  }
}
