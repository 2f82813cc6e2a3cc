import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfAborted } from '../util/abort.ts';
import type { Closed } from './closed.ts';

export interface WalkOptions {
  /** Names that start with `.` too. */
  readonly hidden: boolean;
  readonly closed: Closed;
  /** `performance.now()` at which to stop. */
  readonly until: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a walk left out; filled in while it runs. */
export interface WalkGaps {
  unreadable: number;
  closed: number;
  /** Folders of packages and version control, which are entered only when the walk begins in one. */
  packages: number;
  timedOut: boolean;
}

export interface Found {
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

const PACKAGE_FOLDERS = new Set(['node_modules', '.git', '.hg', '.svn']);

/** Everything below a folder in the order of names, each folder before what is in it. Links are met, not followed. */
export async function* walk(root: string, options: WalkOptions, gaps: WalkGaps): AsyncGenerator<Found> {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    throwIfAborted(options.signal);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (!entries) {
      gaps.unreadable++;
      continue;
    }
    const below: string[] = [];
    for (const entry of sorted(entries)) {
      if (performance.now() > options.until) {
        gaps.timedOut = true;
        return;
      }
      if (!options.hidden && entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (options.closed.reason(path) !== undefined) {
        gaps.closed++;
        continue;
      }
      const kind = kindOf(entry);
      yield { path, name: entry.name, kind };
      if (kind !== 'folder') continue;
      if (PACKAGE_FOLDERS.has(entry.name)) gaps.packages++;
      else below.push(path);
    }
    for (const path of below.reverse()) folders.push(path);
  }
}

export function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Found['kind'] {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';
}

export function sorted<T extends { readonly name: string }>(entries: T[]): T[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** What a person should know of an incomplete walk, one sentence each. */
export function gapNotes(gaps: WalkGaps): string[] {
  return [
    ...(gaps.timedOut ? ['The time limit struck before everything was looked at: name a smaller folder.'] : []),
    ...(gaps.packages > 0
      ? [`${gaps.packages} folders of packages or version control were not entered; name one as path to look into it.`]
      : []),
    ...(gaps.closed > 0 ? [`${gaps.closed} closed files or folders (sign-ins, keys) were left out.`] : []),
    ...(gaps.unreadable > 0 ? [`${gaps.unreadable} folders could not be read.`] : []),
  ];
}
