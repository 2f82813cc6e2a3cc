import { join, resolve } from 'node:path';
import { brief } from '../util/page.ts';
import type { Closed } from './closed.ts';

/** A path that a command was not let at, and by whom. */
export interface RefusedPath {
  readonly path: string;
  readonly refused_by: 'sandbox' | 'macos_privacy' | 'file_permissions';
}

const MOST_PATHS = 10;

/** The paths of which a command's output says that they were refused. */
export function refusedPaths(
  output: string,
  folder: string,
  { home, closed }: { readonly home: string; readonly closed: Closed },
): RefusedPath[] {
  const found = new Map<string, RefusedPath>();
  for (const line of output.split('\n')) {
    const [, head, reason] =
      /^(.{1,1000}): (Operation not permitted|Permission denied|Read-only file system)\b/.exec(line) ?? [];
    if (head === undefined || found.size >= MOST_PATHS) continue;
    const quoted = /['"‘`]([^'"’`]+)['"’`]$/.exec(head)?.[1];
    const named = quoted ?? head.split(': ').at(-1)!;
    const path = named.startsWith('~/') ? join(home, named.slice(2)) : resolve(folder, named);
    found.set(path, { path: brief(path, 200), refused_by: refuserOf(path, reason!, home, closed) });
  }
  return [...found.values()];
}

function refuserOf(path: string, reason: string, home: string, closed: Closed): RefusedPath['refused_by'] {
  if (reason === 'Read-only file system' || closed.reason(path) !== undefined) return 'sandbox';
  const isPrivate = ['Documents', 'Desktop', 'Downloads'].some((name) => path.startsWith(join(home, name)));
  if (process.platform === 'darwin' && reason === 'Operation not permitted')
    return isPrivate ? 'macos_privacy' : 'sandbox';
  return 'file_permissions';
}
