import { join } from 'node:path';
import { children, documentsBelow } from './browse.ts';
import { idOf, type Node, nameOf } from './nodes.ts';
import type { Shelf, ShelfProgress } from './shelf.ts';

/** A knowledge base, folder or document as a person browses it. */
export interface TreeItem {
  readonly path_part_id: string;
  readonly kind: 'BASE' | 'FOLDER' | 'DOCUMENT';
  readonly name: string;
  /** A document's own title, where it is not its name. */
  readonly title?: string;
  /** Absolute path. */
  readonly path: string;
  /** Bases and folders: documents inside, at any depth. */
  readonly documents?: number;
  /** Bases: what is still to be read. */
  readonly progress?: ShelfProgress;
  /** Bases: why it cannot be read. */
  readonly failure?: string;
}

export interface TreeLevel {
  readonly items: readonly TreeItem[];
  /** Items left out of a very large folder. */
  readonly omitted: number;
}

const MOST_ITEMS = 1000;

/** What lies directly in a folder; without one, the knowledge bases. */
export function treeLevel(shelves: readonly Shelf[], node: Node | null): TreeLevel {
  if (node === null) return { items: shelves.map(baseItem), omitted: 0 };
  if (node.kind !== 'FOLDER') return { items: [], omitted: 0 };
  const inside = children(node);
  return { items: inside.slice(0, MOST_ITEMS).map(item), omitted: Math.max(0, inside.length - MOST_ITEMS) };
}

function baseItem(shelf: Shelf): TreeItem {
  const root: Node = { kind: 'FOLDER', shelf, path: '' };
  return {
    path_part_id: idOf(root),
    kind: 'BASE',
    name: shelf.base.name,
    path: shelf.base.root,
    documents: documentsBelow(root),
    ...(shelf.progress && { progress: shelf.progress }),
    ...(shelf.failure !== null && { failure: shelf.failure }),
  };
}

function item(node: ReturnType<typeof children>[number]): TreeItem {
  const head = { path_part_id: idOf(node), kind: node.kind, name: nameOf(node) };
  if (node.kind === 'FOLDER') {
    return { ...head, path: join(node.shelf.root, node.path), documents: documentsBelow(node) };
  }
  const { path, document } = node.record;
  const named = document.title !== '' && document.title !== head.name;
  return { ...head, ...(named && { title: document.title }), path: join(node.shelf.root, path) };
}
