import { UserError } from '../errors.ts';
import { brief, jsonBytes, PAGE_BYTES, type Pagination, page } from '../util/page.ts';
import type { FileRecord } from './catalog.ts';
import { type ChunkView, chunkTokens, chunkView, sum } from './content.ts';
import { idOf, type Node, sectionPath } from './nodes.ts';
import type { Shelf } from './shelf.ts';

export interface ReadOptions {
  readonly limit: number;
  readonly offset: number;
  /** Content up to this many tokens is returned inline. */
  readonly tokenBudget: number;
}

interface Head {
  readonly path_part_id: string;
  readonly kind: Node['kind'];
  /** Relative path of the document. */
  readonly path: string;
  readonly section?: string;
  readonly title?: string;
}

/** One line of a table of contents, with what reading the section would bring. */
export interface TocEntry {
  readonly path_part_id: string;
  readonly heading: string;
  readonly level: number;
  readonly tokens: number;
  readonly chunks: number;
  readonly tables?: number;
  readonly images?: number;
  /** Sections inside this one that the table leaves out; reading the section lists them. */
  readonly subsections_not_listed?: number;
}

export type ReadResult = Head &
  (
    | {
        mode: 'inline' | 'paged';
        total_tokens: number;
        chunks: ChunkView[];
        pagination: Pagination;
        subsections?: TocEntry[];
      }
    | {
        mode: 'table_of_contents';
        total_tokens: number;
        introduction?: Introduction;
        sections: TocEntry[];
        pagination: Pagination;
        next_step: string;
      }
    | { mode: 'chunk'; total_tokens: number; chunk: ChunkView; previous_id: string | null; next_id: string | null }
  );

/** The text before a document's first heading. */
interface Introduction {
  readonly path_part_id: string;
  readonly tokens: number;
  readonly chunks: number;
  /** Present when it is short. */
  readonly content?: string;
}

/**
 * Reads a node as its size allows: inline within the token budget; a larger document as a table of contents, a larger
 * section in pages of chunks; a chunk alone.
 * @throws UserError `is_folder` for a folder.
 */
export async function readNode(node: Node, options: ReadOptions): Promise<ReadResult> {
  if (node.kind === 'FOLDER') {
    throw new UserError(
      'is_folder',
      `"${node.path || node.shelf.base.name}" is a folder, which has no content of its own.`,
      `Call list_contents with path_part_id ${idOf(node)}.`,
    );
  }
  const { shelf, record } = node;
  const tokens = await chunkTokens(shelf, record);
  const title = brief(record.document.title, 200);
  const head = { path_part_id: idOf(node), kind: node.kind, path: brief(record.path, 600) };
  if (node.kind === 'CHUNK')
    return { ...head, ...readChunk(shelf, record, node.chunk, tokens[node.chunk]!, options.offset, roomBeside(head)) };
  const section = node.kind === 'SECTION' ? node.section : 0;
  const { firstChunk, endChunk } = record.document.sections[section]!;
  const total_tokens = sum(tokens, firstChunk, endChunk);
  const named = { ...head, ...(section > 0 ? { section: sectionPath(record, section) } : title && { title }) };
  const small = total_tokens <= options.tokenBudget;
  if (!small && node.kind === 'DOCUMENT' && record.document.sections.length > 1) {
    return { ...named, ...tableOfContents(shelf, record, tokens, total_tokens, options.offset, roomBeside(named)) };
  }
  const indices = Array.from({ length: endChunk - firstChunk }, (_, i) => firstChunk + i);
  const below = small || options.offset > 0 ? [] : subsections(shelf, record, tokens, section);
  const listed = below.length > 0 && jsonBytes(below) <= PAGE_BYTES / 3 ? below : undefined;
  const room = roomBeside(named) - (listed ? jsonBytes(listed) : 0);
  const { items, pagination } = page(
    indices,
    { limit: small ? indices.length || 1 : options.limit, offset: options.offset },
    (chunk) => chunkView(shelf, record, chunk, { maxBytes: room }),
    room,
  );
  const whole = small && !pagination.has_more && options.offset === 0;
  return {
    ...named,
    mode: whole ? 'inline' : 'paged',
    total_tokens,
    chunks: items,
    pagination,
    ...(listed && { subsections: listed }),
  };
}

function readChunk(shelf: Shelf, record: FileRecord, chunk: number, tokens: number, offset: number, maxBytes: number) {
  const neighbour = (index: number) =>
    index >= 0 && index < record.document.chunks.length ? idOf({ kind: 'CHUNK', shelf, record, chunk: index }) : null;
  return {
    mode: 'chunk' as const,
    total_tokens: tokens,
    chunk: chunkView(shelf, record, chunk, { maxBytes: maxBytes - NEIGHBOURS_BYTES, offset }),
    previous_id: neighbour(chunk - 1),
    next_id: neighbour(chunk + 1),
  };
}

/** What the ids of a chunk's neighbours take. */
const NEIGHBOURS_BYTES = 120;

/** Bytes left for content in a result that opens with `head`. */
function roomBeside(head: object): number {
  return PAGE_BYTES - jsonBytes(head);
}

function entry(shelf: Shelf, record: FileRecord, tokens: readonly number[], index: number): TocEntry {
  const section = record.document.sections[index]!;
  const chunks = record.document.chunks.slice(section.firstChunk, section.endChunk);
  const tables = chunks.filter((chunk) => chunk.kind === 'table').length;
  const images = chunks.reduce((count, chunk) => count + (chunk.images?.length ?? 0), 0);
  return {
    path_part_id: idOf({ kind: 'SECTION', shelf, record, section: index }),
    heading: brief(section.path.at(-1)!, 200),
    level: section.path.length,
    tokens: sum(tokens, section.firstChunk, section.endChunk),
    chunks: chunks.length,
    ...(tables > 0 && { tables }),
    ...(images > 0 && { images }),
  };
}

function subsections(shelf: Shelf, record: FileRecord, tokens: readonly number[], parent: number): TocEntry[] {
  return record.document.sections.flatMap((section, index) =>
    section.parent === parent ? [entry(shelf, record, tokens, index)] : [],
  );
}

/** Shows the sections to the greatest depth at which they fit one page; past that, the outermost ones page by page. */
function tableOfContents(
  shelf: Shelf,
  record: FileRecord,
  tokens: readonly number[],
  total_tokens: number,
  offset: number,
  maxBytes: number,
) {
  const introduction = introductionOf(shelf, record, tokens);
  const room = maxBytes - (introduction ? jsonBytes(introduction) : 0);
  const depths = record.document.sections.map((section) => section.path.length);
  const shownAt = (depth: number) => depths.flatMap((level, index) => (level > 0 && level <= depth ? [index] : []));
  const deepest = Math.max(...new Set(depths));
  let depth = 1;
  let shown = shownAt(1);
  // One document may open with a single outermost heading: two levels are the least that helps.
  for (let next = 2; next <= deepest; next++) {
    const indices = shownAt(next);
    if (shown.length > 1 && jsonBytes(indices.map((index) => entry(shelf, record, tokens, index))) > room) break;
    shown = indices;
    depth = next;
  }
  const { items, pagination } = page(
    shown,
    { limit: shown.length, offset },
    (index) => {
      const hidden = countBelow(record, index, depth);
      return { ...entry(shelf, record, tokens, index), ...(hidden > 0 && { subsections_not_listed: hidden }) };
    },
    room,
  );
  return {
    mode: 'table_of_contents' as const,
    total_tokens,
    ...(introduction && offset === 0 && { introduction }),
    sections: items,
    pagination,
    next_step: 'Call read with the path_part_id of the section you need.',
  };
}

function countBelow(record: FileRecord, index: number, depth: number): number {
  const { sections } = record.document;
  if (sections[index]!.path.length < depth) return 0;
  let count = 0;
  for (let i = index + 1; i < sections.length && sections[i]!.path.length > sections[index]!.path.length; i++) count++;
  return count;
}

function introductionOf(shelf: Shelf, record: FileRecord, tokens: readonly number[]): Introduction | undefined {
  let end = 0;
  while (end < record.document.chunks.length && record.document.chunks[end]!.section === 0) end++;
  if (end === 0) return undefined;
  const total = sum(tokens, 0, end);
  const text = Array.from({ length: end }, (_, chunk) => shelf.store.text(record.path, chunk) ?? '').join('');
  if (text.trim() === '') return undefined;
  return {
    path_part_id: idOf({ kind: 'CHUNK', shelf, record, chunk: 0 }),
    tokens: total,
    chunks: end,
    ...(total <= 200 && { content: text }),
  };
}
