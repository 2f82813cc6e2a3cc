import { grown } from './grow.ts';

/** Differs from run to run, so that no file can be made of words that all fall into one place. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/**
 * Numbers words of ASCII letters and digits, read where they stand in a text and without regard to case: no word needs
 * a string of its own, as the keys of a Map do. Open addressing over FNV-1a hashes.
 */
export function createWordTable() {
  /** Number + 1 of the word in each place; 0 for none. */
  let places = new Uint32Array(1024);
  let bytes = new Uint8Array(0);
  /** Word n is `bytes[ends[n]..ends[n + 1]]`. */
  let ends = new Uint32Array(1);
  let size = 0;

  function isWord(number: number, text: string, start: number, end: number): boolean {
    const from = ends[number]!;
    if (ends[number + 1]! - from !== end - start) return false;
    for (let i = start; i < end; i++) if (bytes[from + i - start] !== lowered(text, i)) return false;
    return true;
  }

  function add(text: string, start: number, end: number): void {
    const from = ends[size]!;
    bytes = grown(bytes, from + end - start);
    for (let i = start; i < end; i++) bytes[from + i - start] = lowered(text, i);
    ends = grown(ends, size + 2);
    ends[++size] = from + end - start;
  }

  function spread(): void {
    places = new Uint32Array(places.length * 2);
    for (let number = 0; number < size; number++) {
      let hash = SEED;
      for (let i = ends[number]!; i < ends[number + 1]!; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
      let place = hash & (places.length - 1);
      while (places[place] !== 0) place = (place + 1) & (places.length - 1);
      places[place] = number + 1;
    }
  }

  return {
    /** Letters of all the words numbered so far. */
    get letters() {
      return ends[size]!;
    },
    /** Number of the word `text.slice(start, end)`; one not met before is given the next. */
    numberOf(text: string, start: number, end: number): number {
      let hash = SEED;
      for (let i = start; i < end; i++) hash = Math.imul(hash ^ lowered(text, i), 0x01000193);
      let place = hash & (places.length - 1);
      for (; places[place] !== 0; place = (place + 1) & (places.length - 1)) {
        if (isWord(places[place]! - 1, text, start, end)) return places[place]! - 1;
      }
      add(text, start, end);
      places[place] = size;
      if (size * 2 > places.length) spread();
      return size - 1;
    },
  };
}

/** The letter or digit at a place, letters in lower case: this bit is set in every ASCII digit and small letter. */
function lowered(text: string, at: number): number {
  return text.charCodeAt(at) | 0x20;
}
