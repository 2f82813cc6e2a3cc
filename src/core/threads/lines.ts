import type { FileHandle } from 'node:fs/promises';
import { breathe, throwIfAborted } from '../util/abort.ts';

const READ_BYTES = 4_000_000;
const NEWLINE = 10;
/** Longest stretch of work between two looks at the message queue. */
const SLICE_MS = 25;
/** A longer line is not a message but a fault; V8 holds no string above half a gigabyte. */
const LONGEST_LINE = 300_000_000;

export interface ReadLines {
  /** Offset after the last line break: the place to go on from when the file has grown. */
  readonly end: number;
  /** What follows the last line break: nothing, a line that lacks its break, or one that is still being written. */
  readonly rest: string;
  /** Lines too long to be read. */
  readonly tooLong: number;
}

/** Hands each line from a byte offset on to `take`, in linear time and without holding the file. */
export async function readLines(
  file: FileHandle,
  from: number,
  take: (line: string) => void,
  signal?: AbortSignal,
): Promise<ReadLines> {
  let pieces: Buffer[] = [];
  let held = 0;
  let tooLong = 0;
  let at = from;
  let end = from;
  let sliceStart = performance.now();
  const line = (last: Buffer): string => {
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    const isTooLong = bytes.length > LONGEST_LINE || held > LONGEST_LINE;
    pieces = [];
    held = 0;
    if (isTooLong) tooLong++;
    return isTooLong ? '' : bytes.toString('utf8');
  };
  for (;;) {
    throwIfAborted(signal);
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, at);
    if (bytesRead === 0) break;
    const block = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let next = block.indexOf(NEWLINE); next >= 0; next = block.indexOf(NEWLINE, start)) {
      take(line(block.subarray(start, next)));
      start = next + 1;
      end = at + start;
      if (performance.now() - sliceStart > SLICE_MS) {
        await breathe();
        throwIfAborted(signal);
        sliceStart = performance.now();
      }
    }
    held += block.length - start;
    if (held <= LONGEST_LINE) pieces.push(block.subarray(start));
    at += bytesRead;
  }
  return { end, rest: line(Buffer.alloc(0)), tooLong };
}
