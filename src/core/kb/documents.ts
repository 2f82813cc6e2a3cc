import { UserError } from '../errors.ts';
import type { SearchRequest } from '../search/engine.ts';
import { excerpt } from '../search/excerpt.ts';
import type { SearchResult } from '../search/query.ts';
import type { SearchedStore } from '../search/searched-store.ts';
import { brief, jsonBytes, PAGE_BYTES } from '../util/page.ts';
import { type TextWindow, windowOf } from '../util/window.ts';
import type { FileRecord } from './catalog.ts';
import { isUuid } from './ids.ts';
import { headingPath, idOf, resolveNode } from './nodes.ts';
import { checkedQuery } from './query.ts';
import type { Shelf } from './shelf.ts';

export interface SearchDocumentsInput {
  readonly query: string;
  /** Name or id of the one base to search; null for all. */
  readonly knowledge_base_id: string | null;
  readonly top_k: number;
}

/** A passage as search_knowledge_bases shows it. */
export interface DocumentHit {
  readonly knowledge_base_id: string;
  readonly index_name: string;
  /** Relative path of the document in its base. */
  readonly doc_path: string;
  readonly file_name: string;
  /** Id of the document. */
  readonly file_id: string;
  readonly title?: string;
  readonly section?: string;
  readonly line?: number;
  readonly score: number;
  readonly preview: string;
}

export interface ReadDocumentInput extends TextWindow {
  /** Name or id of the base; null for the only one. */
  readonly index_name: string | null;
  readonly doc_path: string;
  readonly file_name: string;
  readonly file_id: string;
  readonly knowledge_base_id: string | null;
}

type Search = (stores: readonly SearchedStore[], request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>;

const LONGEST_PREVIEW = 500;
const SHORTEST_PREVIEW = 100;

/** The best passages of the knowledge bases, as previews. */
export async function searchDocuments(
  shelves: readonly Shelf[],
  { query, knowledge_base_id, top_k }: SearchDocumentsInput,
  search: Search,
  signal?: AbortSignal,
): Promise<{ query: string; results: DocumentHit[]; omitted?: number }> {
  const text = checkedQuery(query);
  const searched = knowledge_base_id === null ? shelves : named(shelves, knowledge_base_id);
  const stores = searched.map(({ store }) => ({ store }));
  const request: SearchRequest = { query: text, mode: 'knowledge', limit: top_k };
  const { hits } = searched.length === 0 ? { hits: [] } : await search(stores, request, signal);
  const found = hits.flatMap((hit) => {
    const shelf = searched[hit.store]!;
    const record = shelf.catalog.files.get(hit.file);
    if (!record?.document.chunks[hit.chunk]) return [];
    return [{ head: headOf(shelf, record, hit.chunk, hit.score), text: shelf.store.text(hit.file, hit.chunk) ?? '' }];
  });
  const heads = found.reduce((bytes, { head }) => bytes + jsonBytes(head), 0);
  const share = Math.floor((PAGE_BYTES - heads) / Math.max(1, found.length));
  const size = Math.min(LONGEST_PREVIEW, Math.max(SHORTEST_PREVIEW, share));
  const results: DocumentHit[] = [];
  let room = PAGE_BYTES - 400;
  for (const { head, text: passage } of found) {
    const hit = { ...head, preview: excerpt(passage, text, size).replaceAll(/\s+/g, ' ').trim() };
    room -= jsonBytes(hit) + 1;
    if (room < 0) break;
    results.push(hit);
  }
  const omitted = found.length - results.length;
  return { query: brief(text, 300), results, ...(omitted > 0 && { omitted }) };
}

function headOf(shelf: Shelf, record: FileRecord, chunk: number, score: number) {
  const section = headingPath(record, chunk);
  const line = record.lines?.[chunk];
  const { title } = record.document;
  return {
    knowledge_base_id: shelf.base.id,
    index_name: shelf.base.name,
    doc_path: record.path,
    file_name: fileNameOf(record.path),
    file_id: idOf({ kind: 'DOCUMENT', shelf, record }),
    ...(title && { title: brief(title, 120) }),
    ...(section && { section: brief(section, 160) }),
    ...(line !== undefined && { line }),
    score: Number(score.toPrecision(4)),
  };
}

/** A window of a document's text. `freshen` brings a record up to date with its file. */
export async function readDocument(
  shelves: readonly Shelf[],
  input: ReadDocumentInput,
  freshen: (shelf: Shelf, record: FileRecord) => Promise<void>,
) {
  const searched = basesToRead(shelves, input);
  const { shelf, record: found } = findDocument(searched, input);
  await freshen(shelf, found);
  const record = shelf.catalog.files.get(found.path) ?? found;
  const { chunks, title } = record.document;
  const text = chunks.map((_, chunk) => shelf.store.text(record.path, chunk) ?? '').join('');
  const head = {
    knowledge_base_id: shelf.base.id,
    index_name: shelf.base.name,
    doc_path: record.path,
    ...(title && { title: brief(title, 200) }),
  };
  const ends = chunks.map(({ end }) => end);
  return { ...head, ...windowOf(text, input, ends, PAGE_BYTES - jsonBytes(head)) };
}

function basesToRead(
  shelves: readonly Shelf[],
  { index_name, knowledge_base_id }: ReadDocumentInput,
): readonly Shelf[] {
  const byIndex = index_name === null ? shelves : named(shelves, index_name);
  if (knowledge_base_id === null) return byIndex;
  const byBase = named(shelves, knowledge_base_id);
  const both = byIndex.filter((shelf) => byBase.includes(shelf));
  if (both.length > 0) return both;
  throw new UserError(
    'not_in_knowledge_base',
    `The index ${index_name} is not part of the knowledge base ${knowledge_base_id}.`,
    'Pass both as one search hit has them, or leave knowledge_base_id out.',
  );
}

function findDocument(shelves: readonly Shelf[], { doc_path, file_name, file_id }: ReadDocumentInput) {
  const handle = doc_path || file_name || file_id;
  if (handle === '') {
    throw new UserError(
      'no_document',
      'No document is named.',
      'Pass doc_path, file_name or file_id from a search hit.',
    );
  }
  if (doc_path === '' && file_name === '' && isUuid(file_id)) {
    const node = resolveNode(shelves, file_id);
    if (node.kind !== 'FOLDER') return { shelf: node.shelf, record: node.record };
  }
  const all = shelves.flatMap((shelf) => [...shelf.catalog.files.values()].map((record) => ({ shelf, record })));
  const bare = handle.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
  const tests: ((place: (typeof all)[number]) => boolean)[] = [
    ({ record }) => record.path === bare,
    ({ shelf, record }) => `${shelf.base.name}/${record.path}` === bare,
    ({ record }) => record.path.toLowerCase() === bare.toLowerCase(),
    ({ record }) => fileNameOf(record.path) === bare,
    ({ record }) => fileNameOf(record.path).toLowerCase() === bare.toLowerCase(),
  ];
  for (const test of tests) {
    const found = all.filter(test);
    if (found.length === 1) return found[0]!;
    if (found.length > 1) {
      throw new UserError(
        'ambiguous_document',
        `${found.length} documents are called ${brief(handle, 200)}.`,
        'Pass index_name and the doc_path of the one you mean.',
        {
          documents: found
            .slice(0, 10)
            .map(({ shelf, record }) => ({ index_name: shelf.base.name, doc_path: record.path })),
        },
      );
    }
  }
  const name = fileNameOf(bare)
    .toLowerCase()
    .replace(/\.[^.]+$/, '');
  const near = all.filter(({ record }) => name !== '' && record.path.toLowerCase().includes(name)).slice(0, 5);
  throw new UserError(
    'document_not_found',
    `There is no document ${brief(handle, 200)} in ${shelves.map(({ base }) => base.name).join(', ') || 'any knowledge base'}.`,
    near.length > 0 ? `Did you mean ${near.map(({ record }) => record.path).join(', ')}?` : 'Search for it first.',
  );
}

/** The bases that a name or id means. */
function named(shelves: readonly Shelf[], wanted: string): readonly Shelf[] {
  const lower = wanted.trim().toLowerCase();
  const meant = shelves.filter(({ base }) => base.id.toLowerCase() === lower || base.name.toLowerCase() === lower);
  if (meant.length > 0) return meant;
  const names = shelves.map(({ base }) => base.name);
  throw new UserError(
    'unknown_knowledge_base',
    `There is no knowledge base ${brief(wanted, 100)}.`,
    names.length > 0
      ? `The knowledge bases here are ${brief(names.join(', '), 600)}.`
      : 'No knowledge base is assigned.',
  );
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
