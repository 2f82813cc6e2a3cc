import { UserError } from '../errors.ts';
import { brief } from '../util/page.ts';
import type { FileRecord } from './catalog.ts';
import { split } from './catalog.ts';
import { documentHalf, isUuid, nodeId, places } from './ids.ts';
import type { Shelf } from './shelf.ts';

/** A node of the tree that the tools walk: folders hold folders and documents, documents hold sections, sections chunks. */
export type Node =
  | { readonly kind: 'FOLDER'; readonly shelf: Shelf; readonly path: string }
  | { readonly kind: 'DOCUMENT'; readonly shelf: Shelf; readonly record: FileRecord }
  | { readonly kind: 'SECTION'; readonly shelf: Shelf; readonly record: FileRecord; readonly section: number }
  | { readonly kind: 'CHUNK'; readonly shelf: Shelf; readonly record: FileRecord; readonly chunk: number };

interface DocumentIds {
  readonly sections: readonly string[];
  readonly chunks: readonly string[];
  readonly byId: ReadonlyMap<string, { section: number } | { chunk: number }>;
}

const idsByRecord = new WeakMap<FileRecord, { base: string; ids: DocumentIds }>();

function documentIds(base: string, record: FileRecord): DocumentIds {
  const cached = idsByRecord.get(record);
  if (cached?.base === base) return cached.ids;
  const place = places(record.document);
  const sections = place.sections.map((text) => nodeId(base, record.path, text));
  const chunks = place.chunks.map((text) => nodeId(base, record.path, text));
  const byId = new Map<string, { section: number } | { chunk: number }>();
  for (const [section, id] of sections.entries()) byId.set(id, { section });
  for (const [chunk, id] of chunks.entries()) byId.set(id, { chunk });
  const ids = { sections, chunks, byId };
  idsByRecord.set(record, { base, ids });
  return ids;
}

/** The node's `path_part_id`. Section 0 is the document itself and shares its id. */
export function idOf(node: Node): string {
  const base = node.shelf.base.id;
  switch (node.kind) {
    case 'FOLDER':
      return nodeId(base, node.path);
    case 'DOCUMENT':
      return nodeId(base, node.record.path);
    case 'SECTION':
      return documentIds(base, node.record).sections[node.section]!;
    case 'CHUNK':
      return documentIds(base, node.record).chunks[node.chunk]!;
  }
}

/**
 * Finds a node by id.
 * @throws UserError `not_a_uuid`, `unknown_id` or `gone` (the document is there, the place in it no longer is).
 */
export function resolveNode(shelves: readonly Shelf[], id: string): Node {
  if (!isUuid(id)) {
    throw new UserError(
      'not_a_uuid',
      `"${id.slice(0, 80)}" is not a path_part_id.`,
      'Pass the UUID exactly as a Loci tool returned it; find or search_knowledge give one for a name or a topic.',
    );
  }
  const wanted = id.toLowerCase();
  for (const shelf of shelves) {
    const found = shelf.catalog.locate(shelf.base.id, documentHalf(wanted));
    if (!found) continue;
    if (found.kind === 'FOLDER') {
      const folder: Node = { kind: 'FOLDER', shelf, path: found.path };
      if (idOf(folder) === wanted) return folder;
      continue;
    }
    const record = shelf.catalog.files.get(found.path)!;
    const whole: Node = { kind: 'DOCUMENT', shelf, record };
    if (idOf(whole) === wanted) return whole;
    const place = documentIds(shelf.base.id, record).byId.get(wanted);
    if (!place) {
      throw new UserError(
        'gone',
        `That part of ${brief(record.path, 600)} is no longer there: the document changed since the id was given.`,
        `Call read with path_part_id ${idOf(whole)} (the document), or search again.`,
      );
    }
    return 'section' in place
      ? { kind: 'SECTION', shelf, record, ...place }
      : { kind: 'CHUNK', shelf, record, ...place };
  }
  throw new UserError(
    'unknown_id',
    `No node with the id ${wanted} in the knowledge bases of this workspace.`,
    'It may belong to another workspace, or its file was deleted or moved. Search again, or browse with list_contents.',
  );
}

export interface Crumb {
  readonly path_part_id: string;
  readonly name: string;
  readonly kind: Node['kind'];
}

/** The way from the knowledge base's root to the node, both included. */
export function breadcrumb(node: Node): Crumb[] {
  const parent = parentOf(node);
  return [...(parent ? breadcrumb(parent) : []), { path_part_id: idOf(node), name: nameOf(node), kind: node.kind }];
}

export function parentOf(node: Node): Node | undefined {
  const { shelf } = node;
  if (node.kind === 'FOLDER')
    return node.path === '' ? undefined : { kind: 'FOLDER', shelf, path: split(node.path).parent };
  if (node.kind === 'DOCUMENT') return { kind: 'FOLDER', shelf, path: split(node.record.path).parent };
  const { sections, chunks } = node.record.document;
  const section = node.kind === 'CHUNK' ? chunks[node.chunk]!.section : sections[node.section]!.parent;
  if (section <= 0) return { kind: 'DOCUMENT', shelf, record: node.record };
  return { kind: 'SECTION', shelf, record: node.record, section };
}

export function nameOf(node: Node): string {
  switch (node.kind) {
    case 'FOLDER':
      return node.path === '' ? node.shelf.base.name : split(node.path).name;
    case 'DOCUMENT':
      return split(node.record.path).name;
    case 'SECTION':
      return brief(node.record.document.sections[node.section]!.path.at(-1) ?? '', 200);
    case 'CHUNK':
      return `chunk ${node.chunk + 1} of ${node.record.document.chunks.length}`;
  }
}

/** Headings above a chunk, outermost first, joined by ` > `; empty for text before the first heading. */
export function headingPath(record: FileRecord, chunk: number): string {
  return sectionPath(record, record.document.chunks[chunk]!.section);
}

/** The headings from the outermost to a section's own, joined by ` > `; those of absurd length are cut. */
export function sectionPath(record: FileRecord, section: number): string {
  const headings = record.document.sections[section]!.path.map((heading) => brief(heading, 200));
  return brief(headings.join(' > '), 600);
}
