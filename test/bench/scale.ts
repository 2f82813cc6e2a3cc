import type { Collection, Doc } from './collection.ts';

const HALF = 900;

/**
 * Documents of one chunk's length (about 450 tokens), as many as wanted, out of real text: each is a stretch of one
 * document followed by a stretch of another, both drawn by a fixed sequence of pseudo-random numbers.
 */
export function scaledDocs(collections: readonly Collection[], count: number): Doc[] {
  const sources = collections.flatMap(({ docs }) => docs.filter(({ text }) => text.length > 0));
  const random = mulberry32(20_260_101);
  const stretch = () => {
    const { title, text } = sources[Math.floor(random() * sources.length)]!;
    const start = Math.floor(random() * Math.max(1, text.length - HALF));
    return { title, text: text.slice(start, start + HALF) };
  };
  return Array.from({ length: count }, (_, i) => {
    const [first, second] = [stretch(), stretch()];
    return { id: String(i), title: first.title, text: `${first.text} ${second.text}` };
  });
}

/** Tommy Ettinger's 32-bit generator: the same sequence on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
