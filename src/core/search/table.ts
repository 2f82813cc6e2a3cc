import type { ChunkKind } from './document.ts';
import { grown } from './grow.ts';

const KINDS: readonly ChunkKind[] = ['text', 'table', 'code', 'image'];

/** A file of the store; its chunks lie in slots `first` to `first + count - 1`. */
export interface FileEntry {
  readonly path: string;
  readonly title: string;
  readonly first: number;
  readonly count: number;
  /** Differs between two versions of one file, and stays the same when slots are renumbered. */
  readonly version: number;
}

export interface TableShards {
  readonly files: readonly Omit<FileEntry, 'version'>[];
  /** UTF-8 of each chunk's headings, then its text. */
  readonly bytes: Uint8Array;
  /** Two a chunk, where its headings and its text start, and one past the end. */
  readonly offsets: Uint32Array;
  /** Index into `KINDS` of each chunk. */
  readonly kinds: Uint8Array;
}

export type ChunkTable = ReturnType<typeof createChunkTable>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The chunks themselves, by slot: which file they belong to, and their text as UTF-8, decoded only when asked for. */
export function createChunkTable(saved?: TableShards) {
  let bytes = saved?.bytes ?? new Uint8Array(0);
  let offsets = saved?.offsets ?? new Uint32Array(1);
  let kinds = saved?.kinds ?? new Uint8Array(0);
  let size = kinds.length;
  let live = size;
  let alive = new Uint8Array(size).fill(1);
  const files = new Map<string, FileEntry>();
  let entries: FileEntry[] = [];
  let versions = 0;
  for (const entry of saved?.files ?? []) admit({ ...entry, version: ++versions });

  function admit(entry: FileEntry): void {
    files.set(entry.path, entry);
    for (let i = 0; i < entry.count; i++) entries[entry.first + i] = entry;
  }

  /** Appends one of a chunk's two strings. */
  function append(piece: number, text: string): void {
    const start = offsets[piece]!;
    bytes = grown(bytes, start + text.length * 3);
    const { written } = encoder.encodeInto(text, bytes.subarray(start));
    offsets = grown(offsets, piece + 2);
    offsets[piece + 1] = start + written;
  }

  return {
    files: files as ReadonlyMap<string, FileEntry>,
    /** Slots given out, those of removed chunks included. */
    get size() {
      return size;
    },
    get live() {
      return live;
    },
    /** 1 for each slot whose chunk is in use. */
    get alive() {
      return alive;
    },
    entryOf: (slot: number): FileEntry => entries[slot]!,
    headings: (slot: number): string => decoder.decode(bytes.subarray(offsets[slot * 2]!, offsets[slot * 2 + 1]!)),
    text: (slot: number): string => decoder.decode(bytes.subarray(offsets[slot * 2 + 1]!, offsets[slot * 2 + 2]!)),
    kind: (slot: number): ChunkKind => KINDS[kinds[slot]!]!,
    /** Order of equal scores: by path, then by place in the file. */
    before(a: number, b: number): boolean {
      const left = entries[a]!;
      const right = entries[b]!;
      return left === right ? a < b : left.path < right.path;
    },
    /** Opens a file whose `count` chunks `add` then appends. */
    addFile(path: string, title: string, count: number): FileEntry {
      const entry = { path, title, first: size, count, version: ++versions };
      admit(entry);
      return entry;
    },
    add(kind: ChunkKind, headings: string, text: string): void {
      append(size * 2, headings);
      append(size * 2 + 1, text);
      const slot = size++;
      live++;
      kinds = grown(kinds, size);
      alive = grown(alive, size);
      kinds[slot] = KINDS.indexOf(kind);
      alive[slot] = 1;
    },
    remove(slot: number): void {
      if (alive[slot] === 0) return;
      alive[slot] = 0;
      live--;
    },
    removeFile(path: string): void {
      files.delete(path);
    },
    /** New number of each slot once the dead ones are gone; -1 for those. */
    renumbering(): Int32Array {
      const renumber = new Int32Array(size);
      let next = 0;
      for (let slot = 0; slot < size; slot++) renumber[slot] = alive[slot] === 1 ? next++ : -1;
      return renumber;
    },
    compact(renumber: Int32Array): void {
      const oldOffsets = offsets;
      const newBytes = new Uint8Array(bytes.length);
      const newKinds = new Uint8Array(live);
      offsets = new Uint32Array(live * 2 + 1);
      let filled = 0;
      for (let slot = 0; slot < size; slot++) {
        const to = renumber[slot]!;
        if (to < 0) continue;
        newKinds[to] = kinds[slot]!;
        const start = oldOffsets[slot * 2]!;
        newBytes.set(bytes.subarray(start, oldOffsets[slot * 2 + 2]!), filled);
        offsets[to * 2] = filled;
        offsets[to * 2 + 1] = filled + oldOffsets[slot * 2 + 1]! - start;
        filled += oldOffsets[slot * 2 + 2]! - start;
        offsets[to * 2 + 2] = filled;
      }
      bytes = newBytes.slice(0, filled);
      kinds = newKinds;
      size = live;
      alive = new Uint8Array(size).fill(1);
      entries = [];
      for (const entry of [...files.values()]) admit({ ...entry, first: renumber[entry.first]! });
    },
    /** The arrays to save, right after `compact`. */
    shards: (): TableShards => ({ files: [...files.values()], bytes, offsets, kinds }),
  };
}
