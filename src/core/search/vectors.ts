import { grown } from './grow.ts';
import { createTop, type Scored } from './top.ts';

export interface VectorShards {
  /** Row-major, one row of `dimensions` a slot; a row of a slot without a vector is zero. */
  readonly rows: Float32Array;
  /** 1 for each slot that has its vector. */
  readonly known: Uint8Array;
}

/** Unit vectors of chunks, by slot, in one contiguous array. Similarity is the dot product. */
export function createVectors(dimensions: number, saved?: VectorShards) {
  let rows = saved?.rows ?? new Float32Array(0);
  let known = saved?.known ?? new Uint8Array(0);

  return {
    dimensions,
    has: (slot: number): boolean => known[slot] === 1,
    set(slot: number, vector: Float32Array): void {
      rows = grown(rows, (slot + 1) * dimensions);
      known = grown(known, slot + 1);
      rows.set(vector, slot * dimensions);
      known[slot] = 1;
    },
    /** Cosine of a slot's vector with the query's; undefined when the slot has none. */
    similarity(query: Float32Array, slot: number): number | undefined {
      return known[slot] === 1 ? dot(query, rows, slot * dimensions) : undefined;
    },
    /** The `limit` slots nearest to the query among those whose `mask` is 1. */
    nearest(
      query: Float32Array,
      limit: number,
      mask: Uint8Array,
      size: number,
      before: (a: number, b: number) => boolean,
    ): Scored[] {
      const top = createTop(limit, before);
      for (let slot = 0; slot < Math.min(size, known.length); slot++) {
        if (mask[slot] === 1 && known[slot] === 1) top.add(slot, dot(query, rows, slot * dimensions));
      }
      return top.list();
    },
    compact(renumber: Int32Array, newSize: number): void {
      const newRows = new Float32Array(newSize * dimensions);
      const newKnown = new Uint8Array(newSize);
      for (let slot = 0; slot < Math.min(renumber.length, known.length); slot++) {
        const to = renumber[slot]!;
        if (to < 0 || known[slot] === 0) continue;
        newRows.set(rows.subarray(slot * dimensions, (slot + 1) * dimensions), to * dimensions);
        newKnown[to] = 1;
      }
      rows = newRows;
      known = newKnown;
    },
    /** Copies of the arrays to save, right after `compact`: vectors may arrive while they are written. */
    shards: (): VectorShards => ({ rows: rows.slice(), known: known.slice() }),
  };
}

/** Dot product of a vector and a row. Four sums, so that the processor need not wait for each addition. */
function dot(query: Float32Array, rows: Float32Array, start: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const length = query.length & ~3;
  for (let i = 0; i < length; i += 4) {
    a += query[i]! * rows[start + i]!;
    b += query[i + 1]! * rows[start + i + 1]!;
    c += query[i + 2]! * rows[start + i + 2]!;
    d += query[i + 3]! * rows[start + i + 3]!;
  }
  for (let i = length; i < query.length; i++) a += query[i]! * rows[start + i]!;
  return a + b + c + d;
}
