import { UserError } from '../errors.ts';
import { brief, jsonBytes, PAGE_BYTES, type Pagination, page } from '../util/page.ts';
import { chunkTokens, sum } from './content.ts';
import { breadcrumb, type Crumb, idOf, type Node, nameOf, parentOf } from './nodes.ts';
import type { Shelf } from './shelf.ts';

/** A folder or document in a listing. */
export interface Item {
  readonly path_part_id: string;
  readonly kind: 'FOLDER' | 'DOCUMENT';
  readonly name: string;
  /** Relative path; listings of one folder leave it out. */
  readonly path?: string;
  readonly title?: string;
  /** Folders: documents inside, at any depth. */
  readonly documents?: number;
  /** Documents: sections, not counting the document itself. */
  readonly sections?: number;
}

type Folder = Extract<Node, { kind: 'FOLDER' }>;
type Document = Extract<Node, { kind: 'DOCUMENT' }>;

/** Folders directly inside a folder, then documents, each by name. */
export function children(folder: Folder): (Folder | Document)[] {
  const { shelf, path } = folder;
  const here = shelf.catalog.folders.get(path);
  const inside = (name: string) => (path ? `${path}/${name}` : name);
  const byName = (a: string, b: string) => a.localeCompare(b, 'en');
  return [
    ...[...(here?.folders ?? [])].sort(byName).map((name): Folder => ({ kind: 'FOLDER', shelf, path: inside(name) })),
    ...[...(here?.files ?? [])]
      .sort(byName)
      .map((name): Document => ({ kind: 'DOCUMENT', shelf, record: shelf.catalog.files.get(inside(name))! })),
  ];
}

function item(node: Folder | Document, withPath: boolean): Item {
  const name = brief(nameOf(node), 300);
  const head = { path_part_id: idOf(node), kind: node.kind, name };
  if (node.kind === 'FOLDER') {
    return { ...head, ...(withPath && node.path && { path: brief(node.path, 600) }), documents: documentsBelow(node) };
  }
  const { title, sections } = node.record.document;
  return {
    ...head,
    ...(withPath && { path: brief(node.record.path, 600) }),
    ...(title && title !== name && { title: brief(title, 200) }),
    sections: sections.length - 1,
  };
}

/** Documents inside a folder, at any depth. */
export function documentsBelow({ shelf, path }: Folder): number {
  const folder = shelf.catalog.folders.get(path);
  let count = folder?.files.size ?? 0;
  for (const name of folder?.folders ?? [])
    count += documentsBelow({ kind: 'FOLDER', shelf, path: path ? `${path}/${name}` : name });
  return count;
}

export interface Listing {
  readonly path_part_id: string | null;
  readonly path: string;
  readonly items: Item[];
  readonly pagination: Pagination;
}

/**
 * Children of a folder; without one, the knowledge bases, or the top level of the only one.
 * @throws UserError `not_a_folder` for another node.
 */
export function listContents(
  shelves: readonly Shelf[],
  node: Node | null,
  window: { limit: number; offset: number },
): Listing {
  if (node && node.kind !== 'FOLDER') {
    throw new UserError(
      'not_a_folder',
      `"${nameOf(node)}" is a ${node.kind.toLowerCase()}, not a folder.`,
      `Call read with path_part_id ${idOf(node)}.`,
    );
  }
  const roots = shelves.map((shelf): Folder => ({ kind: 'FOLDER', shelf, path: '' }));
  const folder = node ?? (roots.length === 1 ? roots[0]! : null);
  const entries = folder ? children(folder) : roots;
  const { items, pagination } = page(entries, window, (entry) => item(entry, false));
  return {
    path_part_id: folder ? idOf(folder) : null,
    path: folder ? pathOf(breadcrumb(folder)) : '',
    items,
    pagination,
  };
}

/** Folders and documents whose name, title or relative path holds the words, best match first. */
export function findByName(
  shelves: readonly Shelf[],
  name: string,
  kind: 'FOLDER' | 'DOCUMENT' | null,
  window: { limit: number; offset: number },
): { items: Item[]; pagination: Pagination } {
  const wanted = name.toLowerCase();
  const found: { node: Folder | Document; rank: number; path: string }[] = [];
  for (const shelf of shelves) {
    if (kind !== 'DOCUMENT') {
      for (const path of shelf.catalog.folders.keys()) {
        const node: Folder = { kind: 'FOLDER', shelf, path };
        const rank = nameRank(wanted, nameOf(node), '', path);
        if (rank !== undefined) found.push({ node, rank, path });
      }
    }
    if (kind !== 'FOLDER') {
      for (const record of shelf.catalog.files.values()) {
        const node: Document = { kind: 'DOCUMENT', shelf, record };
        const rank = nameRank(wanted, nameOf(node), record.document.title, record.path);
        if (rank !== undefined) found.push({ node, rank, path: record.path });
      }
    }
  }
  found.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return page(found, window, ({ node }) => item(node, true));
}

/** 0 for the name itself, then its beginning, any part of it, the title, the path; undefined for no match. */
function nameRank(wanted: string, name: string, title: string, path: string): number | undefined {
  const lower = name.toLowerCase();
  if (lower === wanted || lower.replace(/\.[^.]+$/, '') === wanted) return 0;
  if (lower.startsWith(wanted)) return 1;
  if (lower.includes(wanted)) return 2;
  if (title.toLowerCase().includes(wanted)) return 3;
  return path.toLowerCase().includes(wanted) ? 4 : undefined;
}

export interface Info {
  readonly path_part_id: string;
  readonly kind: Node['kind'];
  readonly name: string;
  readonly path: string;
  readonly breadcrumb: readonly Crumb[];
  /** Steps left out of the middle of a very deep breadcrumb; those kept lead on by their parents. */
  readonly breadcrumb_omitted?: number;
  readonly parent_id: string | null;
  readonly knowledge_base: string;
  readonly [detail: string]: unknown;
}

/** Kind, name, path, breadcrumb and statistics of any node. */
export async function nodeInfo(node: Node): Promise<Info> {
  const parent = parentOf(node);
  const crumbs = breadcrumb(node);
  const shown = fewCrumbs(crumbs);
  return {
    path_part_id: idOf(node),
    kind: node.kind,
    name: brief(nameOf(node), 300),
    path: pathOf(crumbs),
    breadcrumb: shown,
    ...(shown.length < crumbs.length && { breadcrumb_omitted: crumbs.length - shown.length }),
    parent_id: parent ? idOf(parent) : null,
    knowledge_base: node.shelf.base.name,
    ...(await details(node)),
  };
}

function pathOf(crumbs: readonly Crumb[]): string {
  return brief(crumbs.map(({ name }) => name).join(' > '), 1000);
}

/** The root and as many of the last steps as leave room for the rest of the answer. */
function fewCrumbs(crumbs: readonly Crumb[]): Crumb[] {
  const [root, ...below] = crumbs.map((crumb) => ({ ...crumb, name: brief(crumb.name, 300) }));
  let room = PAGE_BYTES / 2;
  const last = below.findLastIndex((crumb) => {
    room -= jsonBytes(crumb) + 1;
    return room < 0;
  });
  return [root!, ...below.slice(last + 1)];
}

async function details(node: Node): Promise<Record<string, unknown>> {
  if (node.kind === 'FOLDER') {
    return { file: brief(node.path, 600), documents: documentsBelow(node), children: children(node).length };
  }
  const { shelf, record } = node;
  const tokens = await chunkTokens(shelf, record);
  const { sections, chunks, title, warnings } = record.document;
  if (node.kind === 'CHUNK') {
    const { kind, start, end, page: pageNumber } = chunks[node.chunk]!;
    return {
      file: brief(record.path, 600),
      chunk_type: kind.toUpperCase(),
      tokens: tokens[node.chunk],
      start,
      end,
      ...(pageNumber && { page: pageNumber }),
    };
  }
  const { firstChunk, endChunk, start, end } = sections[node.kind === 'SECTION' ? node.section : 0]!;
  return {
    file: brief(record.path, 600),
    ...(node.kind === 'DOCUMENT' && {
      ...(title && { title: brief(title, 200) }),
      bytes: record.size,
      modified: new Date(record.mtimeMs).toISOString(),
      sections: sections.length - 1,
      ...(warnings.length > 0 && { warnings: warnings.slice(0, 3).map((warning) => brief(warning, 200)) }),
    }),
    tokens: sum(tokens, firstChunk, endChunk),
    chunks: endChunk - firstChunk,
    start,
    end,
  };
}
