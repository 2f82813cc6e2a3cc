import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { WorkspaceFolder } from '../host.ts';
import type { Settings } from '../settings.ts';
import { expandPath } from '../util/paths.ts';
import type { KnowledgeBase } from './base.ts';

/**
 * The knowledge bases of a window: each workspace folder's documents, then those of `loci.knowledgeBases`. The first
 * folder's id is `workspace` whatever it is called, so that a clone under another name gives the same node ids.
 */
export function knowledgeBases(
  folders: readonly WorkspaceFolder[],
  settings: Settings,
  excludes: (folder: WorkspaceFolder) => readonly string[],
): KnowledgeBase[] {
  const maxBytes = settings['index.maxFileSizeMB'] * 1_000_000;
  const taken = new Set<string>();
  const unique = (wanted: string): string => {
    let id = wanted;
    for (let n = 2; taken.has(id); n++) id = `${wanted}~${n}`;
    taken.add(id);
    return id;
  };
  const ofWorkspace = folders.map((folder, index) => ({
    id: unique(index === 0 ? 'workspace' : `workspace:${folder.name}`),
    name: folder.name,
    root: realPath(folder.path),
    exclude: [...excludes(folder), ...settings['index.exclude']],
    maxBytes,
  }));
  const base = folders[0]?.path ?? homedir();
  const further = settings.knowledgeBases.map(({ name, path, include, exclude = [] }) => ({
    id: unique(`kb:${name}`),
    name,
    root: realPath(expandPath(path, base)),
    ...(include && { include }),
    exclude,
    maxBytes,
  }));
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
