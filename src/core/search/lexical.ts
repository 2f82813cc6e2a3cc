import { findTerm, termsLike, termsWithPrefix } from './dictionary.ts';
import { type Bm25f, DEFAULT_BM25F, FIELD_COUNT, FIELD_MOST, FIELDS, type Field, frequency } from './fields.ts';
import { grown } from './grow.ts';
import type { CorpusCounts, QueryPlan } from './plan.ts';
import {
  addPosting,
  createDelta,
  EMPTY_SEGMENT,
  mergePostings,
  PACKED,
  PREVIOUS,
  type Segment,
  SLOT,
} from './postings.ts';
import { tokenize } from './tokenize.ts';
import { closeTerms, editsAllowed } from './typo.ts';

const LONGEST_LENGTH = 0xffff;

/** What is saved: the merged posting lists, and each slot's length per field (slot-major, `FIELD_COUNT` a slot). */
export interface LexicalShards {
  readonly segment: Segment;
  readonly lengths: Uint16Array;
}

export type LexicalIndex = ReturnType<typeof createLexicalIndex>;

/**
 * BM25F over posting lists in typed arrays: an immutable segment plus a log of what came since. Postings of removed slots
 * stay until `compact`; `alive` (1 for each slot in use) tells them, so that counts are exact at once.
 */
export function createLexicalIndex(alive: () => Uint8Array, saved?: LexicalShards, settings: Bm25f = DEFAULT_BM25F) {
  const weights = FIELDS.map((field) => settings.fields[field].weight);
  const bs = FIELDS.map((field) => settings.fields[field].b);
  let segment = saved?.segment ?? EMPTY_SEGMENT;
  let delta = createDelta();
  let lengths = saved?.lengths ?? new Uint16Array(0);
  let size = lengths.length / FIELD_COUNT;
  const totals = new Array<number>(FIELD_COUNT).fill(0);
  for (let i = 0; i < lengths.length; i++) totals[i % FIELD_COUNT]! += lengths[i]!;

  let scores = new Float64Array(0);
  let norms = new Float32Array(0);
  let normsOf = '';

  function addTerms(slot: number, field: number, terms: readonly string[]): void {
    for (const term of terms) addPosting(delta, term, slot, field);
    const place = slot * FIELD_COUNT + field;
    const length = Math.min(LONGEST_LENGTH, lengths[place]! + terms.length);
    totals[field]! += length - lengths[place]!;
    lengths[place] = length;
  }

  /** Factors by which term frequencies are multiplied: field weight over length norm, slot-major. */
  function prepareNorms(averages: readonly number[]): void {
    const key = `${size} ${averages.join(' ')}`;
    if (key === normsOf) return;
    normsOf = key;
    norms = grown(norms, size * FIELD_COUNT);
    for (let field = 0; field < FIELD_COUNT; field++) {
      const [weight, b, average] = [weights[field]!, bs[field]!, averages[field]!];
      for (let i = field; i < size * FIELD_COUNT; i += FIELD_COUNT) {
        norms[i] = weight / (1 - b + (b * lengths[i]!) / average);
      }
    }
  }

  /** Sum over fields of frequency x factor, before saturation. */
  function weighted(packed: number, slot: number): number {
    const row = slot * FIELD_COUNT;
    // In the text alone, as most are.
    if (packed <= FIELD_MOST[0]!) return packed * norms[row]!;
    let sum = 0;
    for (let field = 0; field < FIELD_COUNT; field++) sum += frequency(packed, field) * norms[row + field]!;
    return sum;
  }

  /** Visits the postings of a term, those of removed slots included. */
  function eachOfTerm(term: string, visit: (slot: number, packed: number) => void): void {
    const id = findTerm(segment.dictionary, term);
    if (id >= 0) {
      const end = segment.lists[id + 1]!;
      for (let i = segment.lists[id]!; i < end; i++) visit(segment.slots[i]!, segment.frequencies[i]!);
    }
    const { log } = delta;
    for (let at = latest(term); at > 0; at = log[at + PREVIOUS]!) visit(log[at + SLOT]!, log[at + PACKED]!);
  }

  /** Where a term's latest posting lies in the log; 0 for none. */
  function latest(term: string): number {
    const number = delta.terms.get(term);
    return number === undefined ? 0 : delta.heads[number]!;
  }

  function countLive(term: string): number {
    const live = alive();
    let count = 0;
    eachOfTerm(term, (slot) => {
      count += live[slot]!;
    });
    return count;
  }

  /** The same at no cost, while no slot has been removed. */
  function countAll(term: string): number {
    const id = findTerm(segment.dictionary, term);
    const number = delta.terms.get(term);
    const merged = id < 0 ? 0 : segment.lists[id + 1]! - segment.lists[id]!;
    return merged + (number === undefined ? 0 : delta.counts[number]!);
  }

  /** Adds a term's share to the scores of its postings `start` to `end - 1` of the segment. */
  function addSegment(scores: Float64Array, gain: number, start: number, end: number): void {
    // Locals: the loop runs a hundred thousand times a query, and would look each of these up every time.
    const { slots, frequencies } = segment;
    const factors = norms;
    const { k1 } = settings;
    for (let i = start; i < end; i++) {
      const slot = slots[i]!;
      const packed = frequencies[i]!;
      const sum = packed <= FIELD_MOST[0]! ? packed * factors[slot * FIELD_COUNT]! : weighted(packed, slot);
      scores[slot]! += (gain * sum) / (k1 + sum);
    }
  }

  return {
    /** Postings not merged yet, and merged. */
    get pending() {
      return { delta: delta.size, segment: segment.slots.length };
    },
    /** Indexes one property of a chunk. Slots arrive in rising order. */
    add(slot: number, property: Exclude<Field, 'identifiers'>, text: string): void {
      if (slot >= size) {
        size = slot + 1;
        lengths = grown(lengths, size * FIELD_COUNT);
      }
      const { words, identifiers } = tokenize(text);
      const field = FIELDS.indexOf(property);
      addTerms(slot, field, words);
      addTerms(slot, property === 'text' ? FIELDS.indexOf('identifiers') : field, identifiers);
    },
    remove(slot: number): void {
      for (let field = 0; field < FIELD_COUNT; field++) {
        totals[field]! -= lengths[slot * FIELD_COUNT + field]!;
        lengths[slot * FIELD_COUNT + field] = 0;
      }
      normsOf = '';
    },
    counts(terms: Iterable<string>, chunks: number): CorpusCounts {
      const documents = new Map<string, number>();
      for (const term of terms) documents.set(term, chunks === size ? countAll(term) : countLive(term));
      return { chunks, lengths: [...totals], documents };
    },
    /** Scores of a query by slot, removed ones included, valid until the next query; 0 where no term is held. */
    score(plan: QueryPlan): Float64Array {
      prepareNorms(plan.averages);
      if (scores.length < size) scores = new Float64Array(lengths.length / FIELD_COUNT);
      scores.fill(0, 0, size);
      for (const { term, weight, idf } of plan.terms) {
        const gain = weight * idf * (settings.k1 + 1);
        const id = findTerm(segment.dictionary, term);
        if (id >= 0) addSegment(scores, gain, segment.lists[id]!, segment.lists[id + 1]!);
        const { log } = delta;
        for (let at = latest(term); at > 0; at = log[at + PREVIOUS]!) {
          const slot = log[at + SLOT]!;
          const sum = weighted(log[at + PACKED]!, slot);
          scores[slot]! += (gain * sum) / (settings.k1 + sum);
        }
      }
      return scores.subarray(0, size);
    },
    /** Share of one term in the score of one slot, with the fields that hold it. */
    explain(plan: QueryPlan, slot: number): { term: string; fields: Field[]; score: number }[] {
      prepareNorms(plan.averages);
      const found: { term: string; fields: Field[]; score: number }[] = [];
      for (const { term, weight, idf } of plan.terms) {
        eachOfTerm(term, (at, packed) => {
          if (at !== slot) return;
          const frequencies = weighted(packed, slot);
          const score = (weight * idf * (settings.k1 + 1) * frequencies) / (settings.k1 + frequencies);
          found.push({ term, fields: FIELDS.filter((_, field) => frequency(packed, field) > 0), score });
        });
      }
      return found;
    },
    /** 1 for each slot that holds all of the terms. */
    slotsWithAll(terms: ReadonlySet<string>): Uint8Array {
      const held = new Uint16Array(size);
      for (const term of terms) eachOfTerm(term, (slot) => held[slot]!++);
      return Uint8Array.from(held, (count) => (count === terms.size ? 1 : 0));
    },
    /** Terms that start with a prefix; some may have no chunk left. */
    completions(prefix: string): string[] {
      const fresh = [...delta.terms.keys()].filter((term) => term.startsWith(prefix));
      return [...new Set([...termsWithPrefix(segment.dictionary, prefix), ...fresh])];
    },
    /** Terms that a word may be a mistyping of, nearest first; some may have no chunk left. */
    corrections(word: string): { term: string; distance: number }[] {
      const most = editsAllowed(word);
      if (most === 0) return [];
      return closeTerms(word, new Set([...termsLike(segment.dictionary, word, most), ...delta.terms.keys()]), most);
    },
    /** Merges the log into the segment and renumbers slots (-1 drops one). */
    compact(renumber: Int32Array, newSize: number): void {
      segment = mergePostings(segment, delta, renumber);
      delta = createDelta();
      const old = lengths;
      lengths = new Uint16Array(newSize * FIELD_COUNT);
      for (let slot = 0; slot < size; slot++) {
        const to = renumber[slot]!;
        if (to >= 0) lengths.set(old.subarray(slot * FIELD_COUNT, (slot + 1) * FIELD_COUNT), to * FIELD_COUNT);
      }
      size = newSize;
      normsOf = '';
    },
    /** The arrays to save, right after `compact`. */
    shards(): LexicalShards {
      return { segment, lengths: lengths.slice(0, size * FIELD_COUNT) };
    },
  };
}
