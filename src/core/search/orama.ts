import {
  type AnyDocumentStore,
  type AnyIndexStore,
  type AnyOrama,
  type BM25Params,
  create,
  type IDocumentsStore,
  type IIndex,
  type ISorter,
  insert,
  remove,
  search,
} from '@orama/orama';
import type { ChunkKind } from './document.ts';
import { type ChunkFilter, maskOf } from './filter.ts';
import type { LexicalIndex } from './lexical.ts';
import { parseQuery, planQuery, type QueryPlan } from './plan.ts';
import { rank } from './rank.ts';
import type { ChunkTable } from './table.ts';
import { tokenize } from './tokenize.ts';
import type { Scored } from './top.ts';

/** One chunk as Orama sees it. Its id is its slot + 1 in decimal, which is also Orama's internal number for it. */
export interface ChunkRecord {
  readonly id: string;
  readonly file: string;
  /** Folders above the file, each ending in `/`. */
  readonly folders: readonly string[];
  readonly chunk: number;
  readonly kind: ChunkKind;
  readonly title: string;
  readonly headings: string;
  readonly text: string;
  readonly path: string;
}

/** Orama's relevance settings, with what several stores searched together have to agree on. */
interface PlannedRelevance extends BM25Params {
  readonly plan?: QueryPlan;
  readonly top?: number;
}

const SEARCHED = ['title', 'headings', 'text', 'path'] as const;

const SCHEMA = {
  file: 'enum',
  folders: 'enum[]',
  chunk: 'number',
  kind: 'enum',
  title: 'string',
  headings: 'string',
  text: 'string',
  path: 'string',
} as const;

/**
 * An Orama database over a chunk table and a lexical index of ours: Orama keeps its schema, filters, hooks and search
 * call; matching, scoring and storage are the components below. Orama's own index expands every term by prefix, counts
 * collection instead of document frequency, keys its tables by plain objects (`constructor`), and loads slowly.
 */
export function createDatabase(table: ChunkTable, lexical: LexicalIndex): AnyOrama {
  const database: AnyOrama = create({
    schema: SCHEMA,
    components: {
      index: indexComponent(table, lexical),
      documentsStore: documentsComponent(table),
      sorter: NO_SORTER,
      tokenizer: {
        language: 'english',
        normalizationCache: new Map(),
        tokenize: (text: string) => {
          const { words, identifiers } = tokenize(text);
          return [...words, ...identifiers];
        },
      },
    },
  });
  renumberDocuments(database, table);
  return database;
}

/** Brings Orama's ids in step with the table after its slots were loaded or renumbered. */
export function renumberDocuments(database: AnyOrama, table: ChunkTable): void {
  const internalIdToId = Array.from({ length: table.size }, (_, slot) => String(slot + 1));
  database.internalDocumentIDStore.load(database, { internalIdToId });
}

/** Adds the chunk that the table's next slot is for. */
export function insertChunk(database: AnyOrama, chunk: ChunkRecord): void {
  insert(database, chunk as never);
}

export function removeChunk(database: AnyOrama, slot: number): void {
  remove(database, String(slot + 1));
}

/** The best `top` chunks for a query by BM25F. */
export function searchDatabase(
  database: AnyOrama,
  query: string,
  plan: QueryPlan,
  filter: ChunkFilter | undefined,
  top: number,
): Scored[] {
  // To Orama, no term means every document.
  if (plan.terms.length === 0) return [];
  const relevance: PlannedRelevance = { plan, top };
  const results = search(database, {
    term: query,
    limit: top,
    relevance,
    // Or Orama copies every hit's record, and with it decodes every text.
    includeVectors: true,
    ...(filter === undefined ? {} : { where: filter as never }),
  });
  if (results instanceof Promise) throw new Error('Orama searched asynchronously: an unexpected hook is installed');
  return results.hits.map((hit) => ({ slot: Number(hit.id) - 1, score: hit.score }));
}

function indexComponent(table: ChunkTable, lexical: LexicalIndex): IIndex<AnyIndexStore> {
  const types = Object.fromEntries(SEARCHED.map((property) => [property, 'string' as const]));
  const unused = () => {};
  return {
    create: () => ({ vectorIndexes: {} }),
    insert(_implementation, _index, property, _id, internalId, value) {
      lexical.add(internalId - 1, property as (typeof SEARCHED)[number], value as string);
    },
    remove(_implementation, _index, property, _id, internalId) {
      if (property === SEARCHED[0]) lexical.remove(internalId - 1);
      return true;
    },
    search(_index, term, _tokenizer, _language, _properties, _exact, _tolerance, _boost, relevance, _count, filtered) {
      const { plan, top } = relevance as PlannedRelevance;
      const parsed = parseQuery(term);
      const planned = plan ?? planQuery(parsed, lexical.counts(parsed.terms.keys(), table.live));
      const allowed = (filtered as unknown as SlotSet | undefined)?.mask ?? table.alive;
      return rank(table, lexical, planned, allowed, top ?? table.live).map(({ slot, score }) => [slot + 1, score]);
    },
    searchByWhereClause: (_index, _tokenizer, filters) =>
      slotSet(maskOf(table, filters as ChunkFilter)) as unknown as Set<number>,
    getSearchableProperties: () => [...SEARCHED],
    getSearchablePropertiesWithTypes: () => types,
    load: () => ({ vectorIndexes: {} }),
    save: () => ({}) as never,
    // Parts of Orama's own index, which only that index calls.
    insertDocumentScoreParameters: unused,
    insertTokenScoreParameters: unused,
    removeDocumentScoreParameters: unused,
    removeTokenScoreParameters: unused,
    calculateResultScores: unused,
  };
}

/** What Orama hands from the filter to the search: a set of internal ids, kept as the mask it was made from. */
interface SlotSet {
  readonly mask: Uint8Array;
  has(id: number): boolean;
  [Symbol.iterator](): Iterator<number>;
}

function slotSet(mask: Uint8Array): SlotSet {
  return {
    mask,
    has: (id) => mask[id - 1] === 1,
    *[Symbol.iterator]() {
      for (let slot = 0; slot < mask.length; slot++) if (mask[slot] === 1) yield slot + 1;
    },
  };
}

function documentsComponent(table: ChunkTable): IDocumentsStore<AnyDocumentStore> {
  const get = (id: string | number): ChunkRecord | undefined => {
    const slot = Number(id) - 1;
    return table.alive[slot] === 1 ? lazyRecord(table, slot) : undefined;
  };
  return {
    create: () => ({ docs: {} }),
    get: (_store, id) => get(id),
    getMultiple: (_store, ids) => ids.map(get),
    getAll: () =>
      Object.fromEntries([...slotSet(table.alive)].map((id) => [id, get(id)!])) as Record<number, ChunkRecord>,
    store(_store, _id, internalId, document) {
      const { kind, headings, text } = document as ChunkRecord;
      if (internalId !== table.size + 1) return false;
      table.add(kind, headings, text);
      return true;
    },
    remove(_store, _id, internalId) {
      table.remove(internalId - 1);
      return true;
    },
    count: () => table.live,
    load: () => ({ docs: {} }),
    save: () => ({}) as never,
  };
}

/** A record whose strings are decoded when they are read. */
function lazyRecord(table: ChunkTable, slot: number): ChunkRecord {
  const { path, title, first } = table.entryOf(slot);
  return {
    id: String(slot + 1),
    file: path,
    get folders() {
      return foldersOf(path);
    },
    chunk: slot - first,
    kind: table.kind(slot),
    title,
    get headings() {
      return table.headings(slot);
    },
    get text() {
      return table.text(slot);
    },
    path,
  };
}

/** `docs/guide/a.md` lies in `docs/` and `docs/guide/`. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`);
}

/** Hits come ranked; nothing is sorted by property, so nothing is kept for it. */
const NO_SORTER: ISorter<Record<string, never>> = {
  create: () => ({}),
  insert: () => {},
  remove: () => {},
  load: () => ({}),
  save: () => ({}) as never,
  sortBy: (_sorter, ids) => ids,
  getSortableProperties: () => [],
  getSortablePropertiesWithTypes: () => ({}),
};
