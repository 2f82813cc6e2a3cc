import { createDictionary, type Dictionary, findTerm, termCount } from './dictionary.ts';
import { increment } from './fields.ts';
import { grown } from './grow.ts';

/**
 * Immutable posting lists: those of term t are `slots[lists[t]..lists[t + 1]]` with, in step, the packed frequencies of
 * its fields (see fields.ts). Every array is flat, and is what lies on disk.
 */
export interface Segment {
  readonly dictionary: Dictionary;
  readonly lists: Uint32Array;
  readonly slots: Uint32Array;
  readonly frequencies: Uint32Array;
}

export const EMPTY_SEGMENT: Segment = {
  dictionary: createDictionary(new Uint8Array(0), new Uint32Array(1)),
  lists: new Uint32Array(1),
  slots: new Uint32Array(0),
  frequencies: new Uint32Array(0),
};

/**
 * Postings added since the segment was built: one log, in which each term's postings are chained backwards. A posting is
 * four numbers side by side, so that following a chain costs one cache line a posting.
 */
export interface Delta {
  /** Number of each term, in order of arrival. */
  readonly terms: Map<string, number>;
  /** Where each term's latest posting lies in the log; 0 for none. */
  heads: Uint32Array;
  /** Postings of each term. */
  counts: Uint32Array;
  /** Postings in the log. */
  size: number;
  /** From `POSTING` on, of each posting: its term's number, and what `SLOT`, `PACKED` and `PREVIOUS` say. */
  log: Uint32Array;
}

/** Numbers a posting takes in the log. */
const POSTING = 4;
/** From a posting's start: its slot, its packed frequencies, where the term's posting before lies (0 for none). */
export const SLOT = 1;
export const PACKED = 2;
export const PREVIOUS = 3;

export function createDelta(): Delta {
  return {
    terms: new Map(),
    heads: new Uint32Array(1024),
    counts: new Uint32Array(1024),
    size: 0,
    log: new Uint32Array(1024 * POSTING),
  };
}

/** Counts one occurrence of a term. Slots arrive in order: a chunk's terms are added together. */
export function addPosting(delta: Delta, term: string, slot: number, field: number): void {
  let id = delta.terms.get(term);
  if (id === undefined) {
    id = delta.terms.size;
    delta.terms.set(term, id);
    delta.heads = grown(delta.heads, id + 1);
    delta.counts = grown(delta.counts, id + 1);
  }
  const head = delta.heads[id]!;
  if (head > 0 && delta.log[head + SLOT] === slot) {
    delta.log[head + PACKED] = increment(delta.log[head + PACKED]!, field);
    return;
  }
  const place = ++delta.size * POSTING;
  delta.log = grown(delta.log, place + POSTING);
  delta.log[place] = id;
  delta.log[place + SLOT] = slot;
  delta.log[place + PACKED] = increment(0, field);
  delta.log[place + PREVIOUS] = head;
  delta.heads[id] = place;
  delta.counts[id]!++;
}

/** One segment out of a segment and a delta. `renumber[slot]` is a slot's new number, or -1 to leave it out. */
export function mergePostings(base: Segment, delta: Delta, renumber: Int32Array): Segment {
  const { idOfDelta, fresh } = combineTerms(base, delta);
  const counts = new Uint32Array(termCount(base.dictionary) + fresh.length);
  eachPosting(base, delta, idOfDelta, (term, slot) => {
    if (renumber[slot]! >= 0) counts[term]!++;
  });
  const starts = new Uint32Array(counts.length + 1);
  for (let term = 0; term < counts.length; term++) starts[term + 1] = starts[term]! + counts[term]!;
  const slots = new Uint32Array(starts[counts.length]!);
  const frequencies = new Uint32Array(slots.length);
  const places = starts.slice();
  eachPosting(base, delta, idOfDelta, (term, slot, packed) => {
    if (renumber[slot]! < 0) return;
    const place = places[term]!++;
    slots[place] = renumber[slot]!;
    frequencies[place] = packed;
  });
  return { ...termsInUse(base.dictionary, fresh, starts), slots, frequencies };
}

/** Numbers the delta's terms together with the segment's: a term new to both comes after all of the segment's. */
function combineTerms(base: Segment, delta: Delta): { idOfDelta: Int32Array; fresh: string[] } {
  const idOfDelta = new Int32Array(delta.terms.size);
  const fresh: string[] = [];
  for (const [term, id] of delta.terms) {
    const known = findTerm(base.dictionary, term);
    idOfDelta[id] = known >= 0 ? known : termCount(base.dictionary) + fresh.push(term) - 1;
  }
  return { idOfDelta, fresh };
}

/** Slots of a term come in rising order. */
function eachPosting(
  base: Segment,
  delta: Delta,
  idOfDelta: Int32Array,
  visit: (term: number, slot: number, packed: number) => void,
): void {
  for (let term = 0; term + 1 < base.lists.length; term++) {
    const end = base.lists[term + 1]!;
    for (let i = base.lists[term]!; i < end; i++) visit(term, base.slots[i]!, base.frequencies[i]!);
  }
  const { log, size } = delta;
  for (let at = POSTING; at <= size * POSTING; at += POSTING) {
    visit(idOfDelta[log[at]!]!, log[at + SLOT]!, log[at + PACKED]!);
  }
}

/** The dictionary and list bounds of the terms that have postings left. */
function termsInUse(old: Dictionary, fresh: string[], starts: Uint32Array): Pick<Segment, 'dictionary' | 'lists'> {
  const newBytes = fresh.map((term) => Buffer.from(term));
  const bytes = new Uint8Array(old.bytes.length + newBytes.reduce((sum, term) => sum + term.length, 0));
  const offsets = new Uint32Array(starts.length);
  const lists = new Uint32Array(starts.length);
  let used = 0;
  let end = 0;
  for (let term = 0; term + 1 < starts.length; term++) {
    if (starts[term] === starts[term + 1]) continue;
    const text =
      term < termCount(old)
        ? old.bytes.subarray(old.offsets[term]!, old.offsets[term + 1]!)
        : newBytes[term - termCount(old)]!;
    bytes.set(text, end);
    end += text.length;
    used++;
    offsets[used] = end;
    lists[used] = starts[term + 1]!;
  }
  return {
    dictionary: createDictionary(bytes.slice(0, end), offsets.slice(0, used + 1)),
    lists: lists.slice(0, used + 1),
  };
}
