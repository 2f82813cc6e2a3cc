import type { Explanation, SearchMode, SearchScope } from '../search/engine.ts';
import { excerpt } from '../search/excerpt.ts';
import type { SearchResult } from '../search/query.ts';
import type { SearchedStore } from '../search/searched-store.ts';
import { brief, jsonBytes, PAGE_BYTES } from '../util/page.ts';
import { type ChunkView, chunkType } from './content.ts';
import { headingPath, idOf, type Node, resolveNode } from './nodes.ts';
import { checkedQuery } from './query.ts';
import type { Shelf } from './shelf.ts';

export interface SearchInput {
  readonly query: string;
  readonly mode: SearchMode;
  readonly top_k: number;
  readonly parent_path_part_ids: readonly string[] | null;
  readonly include_raw: boolean;
}

export interface FoundChunk {
  /** Id of the chunk; read_around and view_chunk_image take it as `chunk_id`. */
  readonly path_part_id: string;
  readonly document_id: string;
  readonly chunk_type: ChunkView['chunk_type'];
  readonly score: number;
  /** Relative path of the document; the base's name comes first where there are several. */
  readonly path: string;
  readonly section?: string;
  readonly line?: number;
  readonly page?: number;
  readonly images?: number;
  readonly content: string;
  /** Set when `content` is only the passage that matches best; read_around with the chunk's id gives all. */
  readonly content_truncated?: true;
  /** Other places with nearly the same text. */
  readonly duplicates?: readonly string[];
  readonly raw?: Explanation;
}

export interface SearchOutput {
  readonly query: string;
  readonly results: FoundChunk[];
  /** Results that found no room in this answer. */
  readonly omitted?: number;
  /** Words that no document holds, with the words searched in their place. */
  readonly corrections?: SearchResult['corrections'];
}

/** Least JSON bytes of text a result shows, and what saying that there is more takes. */
const LEAST_BYTES = 60;
const TRUNCATED_BYTES = 27;

type Search = (
  stores: readonly SearchedStore[],
  request: { query: string; mode: SearchMode; limit: number; explain: boolean },
  signal?: AbortSignal,
) => Promise<SearchResult>;

/**
 * Searches the knowledge bases, or only the given folders, documents and sections.
 * @throws UserError when the query is unfit, or what resolving an id throws.
 */
export async function searchShelves(
  shelves: readonly Shelf[],
  input: SearchInput,
  search: Search,
  signal?: AbortSignal,
): Promise<SearchOutput> {
  const query = checkedQuery(input.query);
  const parents = input.parent_path_part_ids?.length
    ? input.parent_path_part_ids.map((id) => resolveNode(shelves, id))
    : null;
  const searched = shelves.flatMap((shelf) => {
    const scopes = parents?.filter((node) => node.shelf === shelf).map(scopeOf);
    return scopes === undefined
      ? [{ shelf, store: shelf.store }]
      : scopes.length > 0
        ? [{ shelf, store: shelf.store, scopes }]
        : [];
  });
  const request = { query, mode: input.mode, limit: input.top_k, explain: input.include_raw };
  const { hits, corrections } = await search(searched, request, signal);
  const several = shelves.length > 1;
  const found = hits.flatMap((hit) => {
    const { shelf } = searched[hit.store]!;
    const record = shelf.catalog.files.get(hit.file);
    const chunk = record?.document.chunks[hit.chunk];
    if (!record || !chunk) return [];
    const place = (of: Shelf, file: string) => brief(several ? `${of.base.name}/${file}` : file, 600);
    const section = headingPath(record, hit.chunk);
    const line = record.lines?.[hit.chunk];
    const duplicates = hit.duplicates?.slice(0, 3).map((other) => place(searched[other.store]!.shelf, other.file));
    const text = shelf.store.text(hit.file, hit.chunk) ?? '';
    const result: FoundChunk = {
      path_part_id: idOf({ kind: 'CHUNK', shelf, record, chunk: hit.chunk }),
      document_id: idOf({ kind: 'DOCUMENT', shelf, record }),
      chunk_type: chunkType(chunk.kind),
      score: Number(hit.score.toPrecision(4)),
      path: place(shelf, hit.file),
      ...(section && { section }),
      ...(line !== undefined && { line }),
      ...(chunk.page !== undefined && { page: chunk.page }),
      ...(chunk.images && { images: chunk.images.length }),
      ...(duplicates?.length && { duplicates }),
      ...(hit.explanation && { raw: hit.explanation }),
      content: '',
    };
    return [{ result, text }];
  });
  const head = { query: brief(query, 300), ...(corrections.length > 0 && { corrections: corrections.slice(0, 10) }) };
  const results = fill(found, query, PAGE_BYTES - jsonBytes(head));
  const omitted = found.length - results.length;
  return { ...head, results, ...(omitted > 0 && { omitted }) };
}

function scopeOf(node: Node): SearchScope {
  if (node.kind === 'FOLDER') return { prefix: node.path && `${node.path}/` };
  if (node.kind === 'DOCUMENT') return { file: node.record.path };
  if (node.kind === 'CHUNK') return { file: node.record.path, first: node.chunk, end: node.chunk + 1 };
  const { firstChunk, endChunk } = node.record.document.sections[node.section]!;
  return { file: node.record.path, first: firstChunk, end: endChunk };
}

/**
 * Shares `maxBytes` among the results' texts: short ones whole, and what they leave goes to the longer. The last results
 * are left out when not even a line of each would fit.
 */
function fill(all: readonly { result: FoundChunk; text: string }[], query: string, maxBytes: number): FoundChunk[] {
  let room = maxBytes;
  const found = all.filter(({ result }, place) => {
    room -= jsonBytes(result) + TRUNCATED_BYTES;
    return place === 0 || room >= LEAST_BYTES * (place + 1);
  });
  room = maxBytes - found.reduce((bytes, { result }) => bytes + jsonBytes(result) + TRUNCATED_BYTES, 0);
  const contents = new Map<FoundChunk, string>();
  const bySize = [...found].sort((a, b) => a.text.length - b.text.length);
  for (const [i, { result, text }] of bySize.entries()) {
    const share = Math.max(LEAST_BYTES, Math.floor(room / (bySize.length - i)));
    const content = excerpt(text, query, share);
    contents.set(result, content);
    room -= jsonBytes(content);
  }
  return found.map(({ result, text }) => {
    const content = contents.get(result)!;
    return { ...result, content, ...(content !== text && { content_truncated: true as const }) };
  });
}
