/**
 * An immutable set of terms, numbered in order, as flat arrays that load without parsing: the terms' UTF-8 bytes joined,
 * `offsets[i]` to `offsets[i + 1]` being term i, and an open-addressing hash table of `id + 1` (0 is empty).
 */
export interface Dictionary {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  readonly table: Uint32Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function createDictionary(bytes: Uint8Array, offsets: Uint32Array): Dictionary {
  const size = offsets.length - 1;
  let capacity = 16;
  while (capacity < size * 2) capacity *= 2;
  const table = new Uint32Array(capacity);
  for (let id = 0; id < size; id++) {
    let place = hash(bytes, offsets[id]!, offsets[id + 1]!) & (capacity - 1);
    while (table[place] !== 0) place = (place + 1) & (capacity - 1);
    table[place] = id + 1;
  }
  return { bytes, offsets, table };
}

/** Number of a term, or -1. */
export function findTerm({ bytes, offsets, table }: Dictionary, term: string): number {
  const wanted = encoder.encode(term);
  const mask = table.length - 1;
  let place = hash(wanted, 0, wanted.length) & mask;
  while (table[place] !== 0) {
    const id = table[place]! - 1;
    if (equalAt(bytes, offsets[id]!, offsets[id + 1]!, wanted)) return id;
    place = (place + 1) & mask;
  }
  return -1;
}

function termAt({ bytes, offsets }: Dictionary, id: number): string {
  return decoder.decode(bytes.subarray(offsets[id]!, offsets[id + 1]!));
}

export function termCount(dictionary: Dictionary): number {
  return dictionary.offsets.length - 1;
}

/** The terms that start with `prefix`: one pass over the first bytes of each, with nothing decoded in vain. */
export function termsWithPrefix(dictionary: Dictionary, prefix: string): string[] {
  const { bytes, offsets } = dictionary;
  const wanted = encoder.encode(prefix);
  const found: string[] = [];
  for (let id = 0; id + 1 < offsets.length; id++) {
    const start = offsets[id]!;
    const end = start + wanted.length;
    if (end <= offsets[id + 1]! && equalAt(bytes, start, end, wanted)) found.push(termAt(dictionary, id));
  }
  return found;
}

/** The terms that start with the same byte as `word` and whose UTF-8 length is within `slack` of its own. */
export function termsLike(dictionary: Dictionary, word: string, slack: number): string[] {
  const { bytes, offsets } = dictionary;
  const wanted = encoder.encode(word);
  const found: string[] = [];
  for (let id = 0; id + 1 < offsets.length; id++) {
    const start = offsets[id]!;
    if (bytes[start] !== wanted[0]) continue;
    if (Math.abs(offsets[id + 1]! - start - wanted.length) <= slack) found.push(termAt(dictionary, id));
  }
  return found;
}

function equalAt(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

/** FNV-1a, 32 bits. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let i = start; i < end; i++) value = Math.imul(value ^ bytes[i]!, 0x01000193);
  return value >>> 0;
}
