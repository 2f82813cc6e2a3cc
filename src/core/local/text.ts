import { Refusal } from './refusal.ts';

/** Bytes by which a file is judged to be text. */
const SNIFFED = 8192;

/** The encoding of a text file by its beginning. Throws `Refusal` for binary data. */
export function encodingOf(head: Uint8Array, path: string): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (isBinary(head)) {
    throw new Refusal('refused', `${path} holds binary data, not text.`, 'Use a tool that reads its format.');
  }
  return 'utf-8';
}

/** True for data with a NUL near its beginning that is not UTF-16. */
export function isBinary(head: Uint8Array): boolean {
  const marked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return !marked && head.subarray(0, SNIFFED).includes(0);
}
