import { tokenCounter } from '../util/tokens.ts';
import type { FileRecord } from './catalog.ts';
import { headingPath, idOf } from './nodes.ts';
import { cutText, PAGE_BYTES } from './page.ts';
import type { Shelf } from './shelf.ts';

/** A chunk as the reading tools return it. */
export interface ChunkView {
  readonly path_part_id: string;
  readonly chunk_type: 'TEXT' | 'TABLE' | 'CODE' | 'IMAGE';
  /** Headings above the chunk; left out for text before the first heading. */
  readonly section?: string;
  readonly content: string;
  /** Set when `content` is only the beginning; `read` with this chunk's id and `next_offset` goes on. */
  readonly content_truncated?: true;
  readonly next_offset?: number;
  /** Pictures that view_chunk_image shows. */
  readonly images?: number;
  readonly page?: number;
}

const tokensByRecord = new WeakMap<FileRecord, number[]>();

/** Tokens (o200k) of each chunk of a document, counted once and kept while the document stays as it is. */
export async function chunkTokens(shelf: Shelf, record: FileRecord): Promise<readonly number[]> {
  const known = tokensByRecord.get(record);
  if (known) return known;
  const count = await tokenCounter();
  const tokens = record.document.chunks.map((_, chunk) => count(shelf.store.text(record.path, chunk) ?? ''));
  tokensByRecord.set(record, tokens);
  return tokens;
}

export function sum(values: readonly number[], first = 0, end = values.length): number {
  let total = 0;
  for (let i = first; i < end; i++) total += values[i]!;
  return total;
}

export function chunkType(kind: 'text' | 'table' | 'code' | 'image'): ChunkView['chunk_type'] {
  return kind.toUpperCase() as ChunkView['chunk_type'];
}

/** Renders a chunk whole, or its beginning when it alone would overfill a result. */
export function chunkView(shelf: Shelf, record: FileRecord, chunk: number, maxBytes = PAGE_BYTES - 500): ChunkView {
  const meta = record.document.chunks[chunk]!;
  const text = shelf.store.text(record.path, chunk) ?? '';
  const content = cutText(text, maxBytes);
  const section = headingPath(record, chunk);
  return {
    path_part_id: idOf({ kind: 'CHUNK', shelf, record, chunk }),
    chunk_type: chunkType(meta.kind),
    ...(section && { section }),
    content,
    ...(content.length < text.length && { content_truncated: true, next_offset: content.length }),
    ...(meta.images && { images: meta.images.length }),
    ...(meta.page && { page: meta.page }),
  };
}
