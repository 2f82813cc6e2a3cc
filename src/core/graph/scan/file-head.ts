import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { decodeText } from '../../search/formats/decode.ts';
import type { ScannedFile } from '../fragment.ts';

/** Bytes of a data file that its columns are read from. */
const HEAD_BYTES = 1_000_000;
/** Files up to this size are counted record by record; larger ones are estimated from their head. */
const COUNTED_BYTES = 200_000_000;

/** The beginning of a file as text, and whether that is all of it. Throws UserError `binary` when it is no text. */
export async function readHead(
  absolute: string,
  path: string,
): Promise<{ text: string; whole: boolean; bytes: number }> {
  const file = await open(absolute, 'r');
  try {
    const buffer = Buffer.allocUnsafe(HEAD_BYTES);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < HEAD_BYTES; filled += read) {
      ({ bytesRead: read } = await file.read(buffer, filled, HEAD_BYTES - filled, filled));
    }
    const { size } = await file.stat();
    const { text } = decodeText(buffer.subarray(0, filled), path);
    return { text, whole: filled >= size, bytes: filled };
  } finally {
    await file.close();
  }
}

/** Records of a file: lines that are not empty; with a delimiter, line breaks inside quoted fields do not count. */
export async function countRecords(
  file: ScannedFile,
  { signal, delimiter }: { signal: AbortSignal; delimiter?: string },
): Promise<{ count: number; exact: boolean }> {
  const counter = recordCounter(delimiter?.charCodeAt(0));
  const end = file.size > COUNTED_BYTES ? HEAD_BYTES - 1 : Number.POSITIVE_INFINITY;
  let bytes = 0;
  for await (const piece of createReadStream(file.absolute, { end, signal, highWaterMark: 1 << 20 })) {
    counter.add(piece as Buffer);
    bytes += (piece as Buffer).length;
  }
  const counted = counter.count();
  return file.size > COUNTED_BYTES
    ? { count: Math.round((counted * file.size) / bytes), exact: false }
    : { count: counted, exact: true };
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** Counts by bytes, which are the same for line feeds, quotes and delimiters in UTF-8 and, zeros aside, in UTF-16. */
function recordCounter(delimiter: number | undefined) {
  let records = 0;
  let quoted = false;
  let filled = false;
  let previous = LINE_FEED;
  return {
    add(piece: Uint8Array) {
      for (let i = 0; i < piece.length; i++) {
        const byte = piece[i]!;
        if (byte === 0) continue;
        if (byte === LINE_FEED && !quoted) {
          if (filled) records++;
          filled = false;
        } else {
          if (byte > 0x20) filled = true;
          if (byte === QUOTE && delimiter !== undefined) {
            // A quote opens a field at its start, or again after one that seemed to close it.
            quoted = !quoted && (previous === LINE_FEED || previous === delimiter || previous === QUOTE);
          }
        }
        previous = byte;
      }
    },
    count: () => records + (filled ? 1 : 0),
  };
}
