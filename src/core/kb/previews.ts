import type { SearchRequest } from '../search/engine.ts';
import { excerpt } from '../search/excerpt.ts';
import type { SearchResult } from '../search/query.ts';
import type { SearchedStore } from '../search/searched-store.ts';
import { headingPath } from './nodes.ts';
import type { Shelf } from './shelf.ts';

/** Where something stands, with a line of it. */
export interface Preview {
  /** Name of the knowledge base. */
  readonly index_name: string;
  /** Path of the document in its base. */
  readonly doc_path: string;
  readonly section?: string;
  readonly preview: string;
  readonly score: number;
}

const PREVIEW_BYTES = 200;
/** However many a caller shows, so that all pages of a query are slices of one ranking. */
const MOST = 100;

type Search = (stores: readonly SearchedStore[], request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>;

/** The best documents for a query, each with a line of its best passage. */
export async function previews(
  shelves: readonly Shelf[],
  { query }: { readonly query: string },
  search: Search,
  signal?: AbortSignal,
): Promise<Preview[]> {
  const stores = shelves.map(({ store }) => ({ store }));
  const { hits } = await search(stores, { query, mode: 'knowledge', limit: MOST }, signal);
  const shown = new Set<string>();
  return hits.flatMap(({ store, file, chunk, score }) => {
    const shelf = shelves[store]!;
    const document = `${store}/${file}`;
    if (shown.has(document)) return [];
    shown.add(document);
    const record = shelf.catalog.files.get(file);
    if (!record) return [];
    const section = headingPath(record, chunk);
    const text = excerpt(shelf.store.text(file, chunk) ?? '', query, PREVIEW_BYTES);
    return [
      {
        index_name: shelf.base.name,
        doc_path: file,
        ...(section && { section }),
        preview: text.replace(/\s+/g, ' ').trim(),
        score: Number(score.toPrecision(4)),
      },
    ];
  });
}
