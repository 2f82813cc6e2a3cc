/** Fields of a chunk, in the order of their bits in a posting. */
export const FIELDS = ['text', 'identifiers', 'title', 'headings', 'path'] as const;
export type Field = (typeof FIELDS)[number];
export const FIELD_COUNT = FIELDS.length;

/** Bits of each field's term frequency in a posting's 32-bit word; a frequency beyond them stays at the most they hold. */
export const FIELD_BITS: readonly number[] = [12, 8, 4, 4, 4];
const FIELD_SHIFT: readonly number[] = FIELD_BITS.map((_, field) =>
  FIELD_BITS.slice(0, field).reduce((sum, bits) => sum + bits, 0),
);
export const FIELD_MOST: readonly number[] = FIELD_BITS.map((bits) => 2 ** bits - 1);

/** Frequency of one field in a packed posting. */
export function frequency(packed: number, field: number): number {
  return (packed >>> FIELD_SHIFT[field]!) & FIELD_MOST[field]!;
}

/** A packed posting with one more occurrence in `field`. */
export function increment(packed: number, field: number): number {
  return frequency(packed, field) === FIELD_MOST[field] ? packed : (packed + 2 ** FIELD_SHIFT[field]!) >>> 0;
}

/**
 * BM25F (Robertson, Zaragoza & Taylor, CIKM 2004): a term's frequencies in the fields, each divided by that field's
 * length norm `1 - b + b * length / average`, are summed with `weight` before the one saturation by `k1`.
 */
export interface Bm25f {
  readonly k1: number;
  readonly fields: Readonly<Record<Field, { readonly weight: number; readonly b: number }>>;
}

/** From a sweep over four judged collections (test/bench), at a point around which results hardly change. */
export const DEFAULT_BM25F: Bm25f = {
  k1: 1.6,
  fields: {
    text: { weight: 1, b: 0.9 },
    identifiers: { weight: 0.4, b: 0.5 },
    title: { weight: 3, b: 0.5 },
    headings: { weight: 1.5, b: 0.5 },
    path: { weight: 1, b: 0.5 },
  },
};
