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

/** Postings added since the segment was built: one log, in which each term's postings are chained backwards. */
export interface Delta {
  /** Number of each term, in order of arrival. */
  readonly terms: Map<string, number>;
  /** Place of each term's latest posting in the log; -1 for none. */
  heads: Int32Array;
  size: number;
  slots: Uint32Array;
  frequencies: Uint32Array;
  previous: Int32Array;
}

export function createDelta(): Delta {
  return {
    terms: new Map(),
    heads: new Int32Array(1024),
    size: 0,
    slots: new Uint32Array(1024),
    frequencies: new Uint32Array(1024),
    previous: new Int32Array(1024),
  };
}

/** Counts one occurrence of a term. Slots arrive in order: a chunk's terms are added together. */
export function addPosting(delta: Delta, term: string, slot: number, field: number): void {
  let id = delta.terms.get(term);
  if (id === undefined) {
    id = delta.terms.size;
    delta.terms.set(term, id);
    delta.heads = grown(delta.heads, id + 1);
    delta.heads[id] = -1;
  }
  const head = delta.heads[id]!;
  if (head >= 0 && delta.slots[head] === slot) {
    delta.frequencies[head] = increment(delta.frequencies[head]!, field);
    return;
  }
  const place = delta.size++;
  if (place >= delta.slots.length) {
    delta.slots = grown(delta.slots, place + 1);
    delta.frequencies = grown(delta.frequencies, place + 1);
    delta.previous = grown(delta.previous, place + 1);
  }
  delta.slots[place] = slot;
  delta.frequencies[place] = increment(0, field);
  delta.previous[place] = head;
  delta.heads[id] = place;
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
  for (let id = 0; id < idOfDelta.length; id++) {
    for (let i = delta.heads[id]!; i >= 0; i = delta.previous[i]!) {
      visit(idOfDelta[id]!, delta.slots[i]!, delta.frequencies[i]!);
    }
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
