import * as z from 'zod';
import type { ChunkedDocument } from '../search/document.ts';
import type { SkippedFile } from './base.ts';
import { documentHalf, nodeId } from './ids.ts';

/** A document as the catalog keeps it: everything but its text, which lies in the search store. */
export interface FileRecord {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** SHA-256 of the file's bytes, hex. */
  readonly hash: string;
  readonly document: Omit<ChunkedDocument, 'text'>;
  /** First line (from 1) of each chunk in the file; absent for formats whose text is not the file's own. */
  readonly lines?: readonly number[];
}

export interface Folder {
  readonly path: string;
  /** Names of the folders directly inside. */
  readonly folders: Set<string>;
  /** Names of the documents directly inside. */
  readonly files: Set<string>;
}

const image = z.object({ locator: z.string(), alt: z.string() });
const count = z.number().int();
const saved = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      size: z.number(),
      mtimeMs: z.number(),
      hash: z.string(),
      document: z.object({
        title: z.string(),
        sections: z.array(
          z.object({
            path: z.array(z.string()),
            parent: count,
            start: count,
            end: count,
            firstChunk: count,
            endChunk: count,
          }),
        ),
        chunks: z.array(
          z.object({
            kind: z.enum(['text', 'table', 'code', 'image']),
            section: count,
            start: count,
            end: count,
            images: z.array(image).exactOptional(),
            page: count.exactOptional(),
          }),
        ),
        warnings: z.array(z.string()),
      }),
      lines: z.array(count).exactOptional(),
    }),
  ),
  skipped: z.array(
    z.object({ path: z.string(), reason: z.string(), detail: z.string(), mtimeMs: z.number().exactOptional() }),
  ),
});

/** The documents of one knowledge base and the folder tree they form; the tree is derived, never stored. */
export interface Catalog {
  readonly files: ReadonlyMap<string, FileRecord>;
  readonly folders: ReadonlyMap<string, Folder>;
  /** Files left out, by path. */
  readonly skipped: Map<string, SkippedFile>;
  put(record: FileRecord): void;
  remove(path: string): void;
  /** The folder or document whose id, for the base with this id, starts with the given half. */
  locate(baseId: string, half: string): { path: string; kind: 'FOLDER' | 'DOCUMENT' } | undefined;
  toJson(): string;
}

export function createCatalog(json?: string): Catalog {
  const files = new Map<string, FileRecord>();
  const folders = new Map<string, Folder>([['', { path: '', folders: new Set(), files: new Set() }]]);
  let located: { baseId: string; table: Map<string, { path: string; kind: 'FOLDER' | 'DOCUMENT' }> } | undefined;

  const folderAt = (path: string): Folder => {
    const known = folders.get(path);
    if (known) return known;
    const made: Folder = { path, folders: new Set(), files: new Set() };
    folders.set(path, made);
    const { parent, name } = split(path);
    folderAt(parent).folders.add(name);
    return made;
  };
  const prune = (path: string): void => {
    const folder = folders.get(path);
    if (!folder || path === '' || folder.files.size > 0 || folder.folders.size > 0) return;
    folders.delete(path);
    const { parent, name } = split(path);
    folders.get(parent)?.folders.delete(name);
    prune(parent);
  };

  const catalog: Catalog = {
    files,
    folders,
    skipped: new Map(),
    put(record) {
      const { parent, name } = split(record.path);
      if (!files.has(record.path)) {
        folderAt(parent).files.add(name);
        located = undefined;
      }
      files.set(record.path, record);
    },
    remove(path) {
      if (!files.delete(path)) return;
      const { parent, name } = split(path);
      folders.get(parent)?.files.delete(name);
      prune(parent);
      located = undefined;
    },
    locate(baseId, half) {
      if (located?.baseId !== baseId) {
        const table = new Map<string, { path: string; kind: 'FOLDER' | 'DOCUMENT' }>();
        for (const path of folders.keys()) table.set(documentHalf(nodeId(baseId, path)), { path, kind: 'FOLDER' });
        for (const path of files.keys()) table.set(documentHalf(nodeId(baseId, path)), { path, kind: 'DOCUMENT' });
        located = { baseId, table };
      }
      return located.table.get(half);
    },
    toJson: () => JSON.stringify({ files: [...files.values()], skipped: [...catalog.skipped.values()] }),
  };

  if (json !== undefined) {
    const content = saved.parse(JSON.parse(json));
    for (const record of content.files) catalog.put(record);
    for (const file of content.skipped as SkippedFile[]) catalog.skipped.set(file.path, file);
  }
  return catalog;
}

/** Parent folder and name of a relative path; the parent of a top-level entry is the root, ''. */
export function split(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { parent: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}
