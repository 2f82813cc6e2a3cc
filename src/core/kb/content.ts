import { estimateTokens } from '../search/cut.ts';
import { cutText, jsonBytes } from '../util/page.ts';
import { tokenCounter } from '../util/tokens.ts';
import type { FileRecord } from './catalog.ts';
import { headingPath, idOf } from './nodes.ts';
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

/** Longer documents, in UTF-16 units, are estimated: counting fifteen megabytes takes seconds. */
const MOST_COUNTED = 1_000_000;

/** Tokens (o200k) of each chunk of a document, counted once and kept while the document stays as it is. */
export async function chunkTokens(shelf: Shelf, record: FileRecord): Promise<readonly number[]> {
  const known = tokensByRecord.get(record);
  if (known) return known;
  const long = (record.document.chunks.at(-1)?.end ?? 0) > MOST_COUNTED;
  const count = long ? estimateTokens : await tokenCounter();
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

/** Renders a chunk in at most `maxBytes` of JSON: whole, or its text from `offset` on as far as there is room. */
export function chunkView(
  shelf: Shelf,
  record: FileRecord,
  chunk: number,
  { maxBytes, offset = 0 }: { maxBytes: number; offset?: number },
): ChunkView {
  const meta = record.document.chunks[chunk]!;
  const section = headingPath(record, chunk);
  const frame = {
    path_part_id: idOf({ kind: 'CHUNK', shelf, record, chunk }),
    chunk_type: chunkType(meta.kind),
    ...(section && { section }),
    ...(meta.images && { images: meta.images.length }),
    ...(meta.page && { page: meta.page }),
  };
  const text = (shelf.store.text(record.path, chunk) ?? '').slice(offset);
  const content = cutText(text, maxBytes - jsonBytes(frame) - TRUNCATION_BYTES);
  const more = content.length < text.length;
  return { ...frame, content, ...(more && { content_truncated: true, next_offset: offset + content.length }) };
}

/** What the fields of a chunk that is cut take. */
const TRUNCATION_BYTES = 80;
