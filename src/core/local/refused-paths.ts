import { join, resolve } from 'node:path';
import { brief } from '../util/page.ts';
import { isInside } from '../util/paths.ts';
import type { Closed } from './closed.ts';
import type { Invocation } from './shell/invocations.ts';

/** A path that a command was not let at, and by whom. */
export interface RefusedPath {
  readonly path: string;
  readonly refused_by: 'sandbox' | 'macos_privacy' | 'file_permissions';
}

/** What is known of a run. */
export interface RunTrace {
  readonly output: string;
  readonly invocations: readonly Invocation[];
  readonly unreadable: readonly string[];
}

const MOST_PATHS = 10;

/**
 * The paths that a command was not let at: those of which its output says so, and closed files among its arguments, which
 * the sandbox shows as empty or missing. `unreadable` are the closed files and folders of this run.
 */
export function refusedPaths(
  { output, invocations, unreadable }: RunTrace,
  folder: string,
  { home, closed }: { readonly home: string; readonly closed: Closed },
): RefusedPath[] {
  const found = new Map<string, RefusedPath['refused_by']>();
  const absolute = (path: string) => (/^~(?:\/|$)/.test(path) ? join(home, path.slice(1)) : resolve(folder, path));
  for (const path of invocations.flatMap(([, ...args]) => args).filter((arg) => /^[^-].*\/|^\./.test(arg))) {
    if (unreadable.some((each) => isInside(each, absolute(path)))) found.set(absolute(path), 'sandbox');
  }
  for (const line of output.split('\n')) {
    const [, head, reason] =
      /^(.{1,1000}): (Operation not permitted|Permission denied|Read-only file system)\b/.exec(line) ?? [];
    if (head === undefined) continue;
    const quoted = /['"‘`]([^'"’`]+)['"’`]$/.exec(head)?.[1];
    const path = absolute(quoted ?? head.split(': ').at(-1)!);
    found.set(path, refuserOf(path, reason!, home, closed));
  }
  return [...found].slice(0, MOST_PATHS).map(([path, refused_by]) => ({ path: brief(path, 200), refused_by }));
}

function refuserOf(path: string, reason: string, home: string, closed: Closed): RefusedPath['refused_by'] {
  if (reason === 'Read-only file system' || closed.reason(path) !== undefined) return 'sandbox';
  const isPrivate = ['Documents', 'Desktop', 'Downloads'].some((name) => path.startsWith(join(home, name)));
  if (process.platform === 'darwin' && reason === 'Operation not permitted')
    return isPrivate ? 'macos_privacy' : 'sandbox';
  return 'file_permissions';
}
