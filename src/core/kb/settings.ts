import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { relative } from 'node:path';
import type { WorkspaceFolder } from '../host.ts';
import type { Settings } from '../settings.ts';
import { expandPath, isInside, toPosix } from '../util/paths.ts';
import type { KnowledgeBase } from './base.ts';

/**
 * The knowledge bases of a window: each workspace folder's documents, then those of `loci.knowledgeBases`. The first
 * folder's id is `workspace` whatever it is called, so that a clone under another name gives the same node ids.
 */
export function knowledgeBases(
  folders: readonly WorkspaceFolder[],
  settings: Settings,
  excludes: (folder: WorkspaceFolder) => readonly string[],
  storage: string,
): KnowledgeBase[] {
  const own = realPath(storage);
  /** Our own indexes are no documents, where a base holds the folder they lie in. */
  const withoutStorage = (root: string): string[] =>
    isInside(root, own) ? [toPosix(relative(root, own)), `${toPosix(relative(root, own))}/**`] : [];
  const maxBytes = settings['index.maxFileSizeMB'] * 1_000_000;
  const taken = new Set<string>();
  const unique = (wanted: string): string => {
    let id = wanted;
    for (let n = 2; taken.has(id); n++) id = `${wanted}~${n}`;
    taken.add(id);
    return id;
  };
  const ofWorkspace = folders.map((folder, index) => {
    const root = realPath(folder.path);
    const id = unique(index === 0 ? 'workspace' : `workspace:${folder.name}`);
    const exclude = [...excludes(folder), ...settings['index.exclude'], ...withoutStorage(root)];
    return { id, name: folder.name, root, exclude, maxBytes };
  });
  const base = folders[0]?.path ?? homedir();
  const further = settings.knowledgeBases.map(({ name, path, include, exclude = [] }) => {
    const root = realPath(expandPath(path, base));
    const id = unique(`kb:${name}`);
    return { id, name, root, ...(include && { include }), exclude: [...exclude, ...withoutStorage(root)], maxBytes };
  });
  return [...ofWorkspace, ...further];
}

/** Links are resolved once, so that watched, scanned and saved paths agree; a missing folder is reported when scanned. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
