import { FIELD_COUNT } from './fields.ts';
import { phraseForm } from './fold.ts';
import { STOP_STEMS } from './stop-words.ts';
import { tokenize } from './tokenize.ts';

/** What a query asks for, before any index is consulted. */
export interface ParsedQuery {
  /** Index terms with their weights, in order of first occurrence. */
  readonly terms: ReadonlyMap<string, number>;
  readonly phrases: readonly Phrase[];
}

/** A quoted phrase: a hit must contain it. */
export interface Phrase {
  /** As `phraseForm` gives it. */
  readonly form: string;
  /** Its index terms: what narrows down where to look. */
  readonly terms: ReadonlySet<string>;
}

/** Counts that scores rest on; those of several stores are added up, so that their scores compare. */
export interface CorpusCounts {
  readonly chunks: number;
  /** Terms of all chunks, one sum a field. */
  readonly lengths: readonly number[];
  /** Chunks that hold each term. */
  readonly documents: ReadonlyMap<string, number>;
}

export interface PlannedTerm {
  readonly term: string;
  readonly weight: number;
  /** Inverse document frequency. */
  readonly idf: number;
}

/** A query with the statistics to score it by: all that an index needs, the same for every store searched together. */
export interface QueryPlan {
  readonly terms: readonly PlannedTerm[];
  readonly phrases: readonly Phrase[];
  /** Average length of each field, at least 1. */
  readonly averages: readonly number[];
}

const QUOTED = /["“”]([^"“”]+)["“”]/g;

/** Terms of a query beyond these are left out: no person types as many, and each costs time. */
const MOST_TERMS = 256;

/** Reads a query: words to rank by, any of which may match, and `"quoted phrases"` that must. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: Phrase[] = [];
  const unquoted = query.replace(QUOTED, (_, quoted: string) => {
    const form = phraseForm(quoted);
    const { words } = tokenize(quoted);
    if (form.trim() !== '') phrases.push({ form, terms: new Set(words) });
    return ' ';
  });
  const { words, identifiers } = tokenize(unquoted);
  const content = words.filter((word) => !STOP_STEMS.has(word));
  const plain = content.length > 0 || phrases.length > 0 ? content : words;
  const terms = new Map<string, number>();
  for (const term of [...plain, ...identifiers, ...phrases.flatMap((phrase) => [...phrase.terms])]) {
    if (terms.has(term) || terms.size < MOST_TERMS) terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return { terms, phrases };
}

/** Adds up the counts of several stores. */
export function addCounts(all: readonly CorpusCounts[]): CorpusCounts {
  const lengths = new Array<number>(FIELD_COUNT).fill(0);
  const documents = new Map<string, number>();
  let chunks = 0;
  for (const counts of all) {
    chunks += counts.chunks;
    for (let field = 0; field < FIELD_COUNT; field++) lengths[field]! += counts.lengths[field]!;
    for (const [term, count] of counts.documents) documents.set(term, (documents.get(term) ?? 0) + count);
  }
  return { chunks, lengths, documents };
}

export function planQuery({ terms, phrases }: ParsedQuery, counts: CorpusCounts): QueryPlan {
  const planned: PlannedTerm[] = [];
  for (const [term, weight] of terms) {
    const documents = counts.documents.get(term) ?? 0;
    if (documents === 0) continue;
    planned.push({ term, weight, idf: Math.log(1 + (counts.chunks - documents + 0.5) / (documents + 0.5)) });
  }
  const averages = counts.lengths.map((length) => Math.max(1, length / Math.max(1, counts.chunks)));
  return { terms: planned, phrases, averages };
}
