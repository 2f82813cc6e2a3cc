import { type FileHandle, open, stat } from 'node:fs/promises';
import { UserError } from '../errors.ts';
import { readLines } from './lines.ts';
import type { Thread } from './model.ts';
import { createOpLog } from './op-log.ts';
import { createClaudeReader } from './readers/claude-code.ts';
import { createEventsReader } from './readers/copilot-events.ts';
import { createLociReader } from './readers/loci.ts';
import type { RecordReader } from './readers/reader.ts';
import { readVscodeChat } from './readers/vscode.ts';
import type { FileFormat, ThreadFile } from './stores.ts';
import { object } from './values.ts';

/** Larger files are reported, not read: V8 holds no string above half a gigabyte, and the state several times that. */
const LARGEST = 400_000_000;
/** Bytes before the place to go on from that must be unchanged for a file to count as grown. */
const SEAM = 256;

/** A file as it was read, and what it takes to read on from there. */
export interface LoadedFile {
  readonly thread: Thread;
  readonly size: number;
  readonly mtimeMs: number;
  readonly resume?: Resume;
}

interface Resume {
  readonly reader: RecordReader;
  readonly at: number;
  readonly seam: Buffer;
  readonly faults: Faults;
}

interface Faults {
  damaged: number;
  tooLong: number;
}

/**
 * Reads one thread's file; with what was read before, only what has been appended since.
 * @throws UserError `unreadable`, `too_large` or `damaged`.
 */
export async function loadThread(file: ThreadFile, before?: LoadedFile, signal?: AbortSignal): Promise<LoadedFile> {
  const handle = await openFile(file.path).catch((error: Error) => {
    throw new UserError('unreadable', `${file.path} cannot be opened: ${error.message}`, 'Check that it still exists.');
  });
  try {
    const { size, mtimeMs } = await handle.stat();
    if (before?.size === size && before.mtimeMs === mtimeMs) return before;
    if (size > LARGEST) {
      const megabytes = Math.round(size / 1_000_000);
      throw new UserError('too_large', `${file.path} has ${megabytes} MB, more than can be read.`, 'Leave it out.');
    }
    if (file.format === 'vscode-json') return { thread: await loadJson(file, handle), size, mtimeMs };
    return { ...(await loadLines(file, handle, before?.resume, signal)), size, mtimeMs };
  } finally {
    await handle.close();
  }
}

/** Opens what is a file: a pipe would keep the call waiting for its writer. */
async function openFile(path: string): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new Error('it is not a file');
  return open(path);
}

async function loadJson(file: ThreadFile, handle: FileHandle): Promise<Thread> {
  let state: unknown;
  try {
    state = JSON.parse(withoutMark(await handle.readFile('utf8')));
  } catch (error) {
    throw damaged(file, `it is not whole JSON (${(error as Error).message})`);
  }
  const thread = readVscodeChat(state, file.id);
  if (thread === undefined) throw damaged(file, 'it holds no chat');
  return thread;
}

async function loadLines(
  file: ThreadFile,
  handle: FileHandle,
  before: Resume | undefined,
  signal?: AbortSignal,
): Promise<Pick<LoadedFile, 'thread' | 'resume'>> {
  const goOn = before !== undefined && (await isSeam(handle, before)) ? before : undefined;
  const reader = goOn?.reader ?? readerOf(file.format);
  const faults = { ...(goOn?.faults ?? { damaged: 0, tooLong: 0 }) };
  const take = (line: string) => {
    if (line.trim() === '') return;
    try {
      reader.take(object(JSON.parse(withoutMark(line))));
    } catch {
      faults.damaged++;
    }
  };
  const { end, rest, tooLong } = await readLines(handle, goOn?.at ?? 0, take, signal);
  faults.tooLong += tooLong;
  // A whole last line without its break counts; a part of one is still being written.
  const whole = isJson(rest);
  if (whole) take(rest);
  const thread = reader.thread(file.id);
  if (thread === undefined) throw damaged(file, rest && !whole ? 'its only line is not whole' : 'it holds no chat');
  const resume = whole ? {} : { resume: { reader, at: end, seam: await readSeam(handle, end), faults } };
  return { thread: withFaults(thread, faults), ...resume };
}

function readerOf(format: FileFormat): RecordReader {
  if (format === 'copilot-cli') return createEventsReader('copilot-cli', 'copilot-cli');
  if (format === 'copilot-transcript') return createEventsReader('copilot-transcript', 'agent');
  if (format === 'claude-code') return createClaudeReader();
  if (format === 'loci') return createLociReader();
  const log = createOpLog();
  return {
    take: (record) => log.apply(record),
    thread(fallbackId) {
      const thread = readVscodeChat(log.state, fallbackId);
      if (thread === undefined || log.rejected === 0) return thread;
      return { ...thread, warnings: [...thread.warnings, `${log.rejected} changes of the log did not fit its state.`] };
    },
  };
}

function withFaults(thread: Thread, { damaged, tooLong }: Faults): Thread {
  const warnings = [...thread.warnings];
  if (damaged > 0) warnings.push(`${damaged} damaged lines were left out.`);
  if (tooLong > 0) warnings.push(`${tooLong} lines are too long to be read.`);
  return warnings.length === thread.warnings.length ? thread : { ...thread, warnings };
}

async function isSeam(handle: FileHandle, { at, seam }: Resume): Promise<boolean> {
  return (await readSeam(handle, at)).equals(seam);
}

async function readSeam(handle: FileHandle, at: number): Promise<Buffer> {
  const start = Math.max(0, at - SEAM);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(at - start), 0, at - start, start);
  return buffer.subarray(0, bytesRead);
}

function isJson(text: string): boolean {
  if (text.trim() === '') return false;
  try {
    JSON.parse(withoutMark(text));
    return true;
  } catch {
    return false;
  }
}

/** Without the byte order mark that some programs write first. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function damaged({ path }: ThreadFile, why: string): UserError {
  return new UserError('damaged', `${path} cannot be read: ${why}.`, 'Other threads are not affected.');
}
