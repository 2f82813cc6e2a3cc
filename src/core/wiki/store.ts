import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { sha256 } from '../util/hash.ts';
import { isInside } from '../util/paths.ts';
import { fileName, parseEvent, renderEvent, type WikiEvent } from './event.ts';

/** Where the learnings of one workspace folder lie. */
export interface Shelf {
  /** Absolute path of the workspace folder; undefined when none is open: then there is only the private place. */
  readonly folder: string | undefined;
  /** In the workspace: what the team shares through git. */
  readonly shared: string | undefined;
  /** In the extension's storage: what stays on this machine. */
  readonly hidden: string;
}

/** An event with the file it came from. */
export interface Stored {
  readonly event: WikiEvent;
  /** Absolute path. */
  readonly path: string;
  readonly shared: boolean;
  readonly shelf: Shelf;
}

/** A file of the wiki that could not be read as a learning. */
export interface Problem {
  readonly path: string;
  readonly reason: string;
}

export interface Contents {
  readonly events: readonly Stored[];
  readonly problems: readonly Problem[];
}

const LARGEST_FILE = 128 * 1024;
const MOST_FILES = 20_000;
const DEEPEST = 4;
/** Files looked at together. */
const AT_ONCE = 256;

/** The places of the wiki for these workspace folders. */
export function shelvesOf(folders: readonly { readonly path: string }[], storage: string): Shelf[] {
  const hidden = (key: string) => join(storage, 'wiki', sha256(key).slice(0, 16));
  if (folders.length === 0) return [{ folder: undefined, shared: undefined, hidden: hidden('') }];
  return folders.map(({ path }) => ({ folder: path, shared: join(path, '.loci', 'wiki'), hidden: hidden(path) }));
}

interface ReadFile {
  readonly mtimeMs: number;
  readonly size: number;
  /** The event, or why the file is none. */
  readonly read: WikiEvent | string;
}

/** Reads and writes the wiki's files. Files read before are read again only when they changed. */
export function createWikiStore() {
  let cache = new Map<string, ReadFile>();
  let last: Contents = { events: [], problems: [] };

  const readOne = async (path: string): Promise<ReadFile | undefined> => {
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) return undefined;
    const { mtimeMs, size } = info;
    const known = cache.get(path);
    if (known?.mtimeMs === mtimeMs && known.size === size) return known;
    if (size > LARGEST_FILE)
      return { mtimeMs, size, read: `It has ${size} bytes; learnings have at most ${LARGEST_FILE}.` };
    try {
      return { mtimeMs, size, read: parseEvent(await readFile(path, 'utf8')) };
    } catch (error) {
      return { mtimeMs, size, read: (error as Error).message };
    }
  };

  return {
    /** Everything that lies in these places; the very same value while nothing has changed. */
    async load(shelves: readonly Shelf[]): Promise<Contents> {
      const events: Stored[] = [];
      const problems: Problem[] = [];
      const next: typeof cache = new Map();
      for (const shelf of shelves) {
        for (const [folder, shared] of [
          [shelf.shared, true],
          [shelf.hidden, false],
        ] as const) {
          if (folder === undefined || (shared && !(await staysInside(shelf.folder!, folder, problems)))) continue;
          const paths = await filesBelow(folder, problems);
          for (let start = 0; start < paths.length; start += AT_ONCE) {
            const batch = paths.slice(start, start + AT_ONCE);
            for (const [i, file] of (await Promise.all(batch.map(readOne))).entries()) {
              if (!file) continue;
              const path = batch[i]!;
              next.set(path, file);
              if (typeof file.read === 'string') problems.push({ path, reason: file.read });
              else events.push({ event: file.read, path, shared, shelf });
            }
          }
        }
      }
      cache = next;
      if (!sameEvents(last.events, events) || problems.length > 0 || last.problems.length > 0)
        last = { events, problems };
      return last;
    },

    /** Writes an event's file. @throws UserError `no_workspace`, `wiki_outside` or `not_writable`. */
    async append(shelf: Shelf, shared: boolean, event: WikiEvent, anchor: string): Promise<string> {
      if (shared && (shelf.shared === undefined || shelf.folder === undefined)) {
        throw new UserError(
          'no_workspace',
          'No folder is open, so there is no team wiki to write to.',
          'Open the folder that the learning belongs to.',
        );
      }
      const folder = shared ? shelf.shared! : shelf.hidden;
      if (shared && !(await staysInside(shelf.folder!, folder, []))) {
        throw new UserError('wiki_outside', OUTSIDE, 'Replace the link .loci or .loci/wiki by a folder.');
      }
      const path = join(folder, fileName(event, anchor));
      try {
        await writeFileAtomic(path, renderEvent(event));
      } catch (error) {
        throw new UserError(
          'not_writable',
          `The wiki cannot be written: ${(error as Error).message}`,
          `Make ${folder} writable, then try again.`,
        );
      }
      return path;
    },

    async remove(paths: readonly string[]): Promise<void> {
      for (const path of paths) await rm(path, { force: true });
    },
  };
}

function sameEvents(a: readonly Stored[], b: readonly Stored[]): boolean {
  return a.length === b.length && a.every(({ event, path }, i) => b[i]!.event === event && b[i]!.path === path);
}

export type WikiStore = ReturnType<typeof createWikiStore>;

const OUTSIDE = 'The folder .loci/wiki is a link that leads out of the workspace; it is neither read nor written.';

/** A repository must not make us read or write elsewhere by shipping `.loci` as a link. */
async function staysInside(folder: string, wiki: string, problems: Problem[]): Promise<boolean> {
  const root = await realpath(folder).catch(() => folder);
  for (const path of [wiki, join(wiki, '..')]) {
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && !isInside(root, real)) {
      problems.push({ path: wiki, reason: OUTSIDE });
      return false;
    }
  }
  return true;
}

/** Markdown files in a folder and a few levels below, by name; links and READMEs are left out. */
async function filesBelow(root: string, problems: Problem[]): Promise<string[]> {
  const files: string[] = [];
  const queue = [{ folder: root, depth: 0 }];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { folder, depth } = next;
    for (const entry of await entriesOf(folder, problems)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) queue.push({ folder: path, depth: depth + 1 });
      else if (entry.isFile() && /^(?!\.|readme\.).*\.md$/i.test(entry.name)) files.push(path);
      if (files.length >= MOST_FILES) {
        problems.push({ path: root, reason: `There are more than ${MOST_FILES} files; the others are not read.` });
        return files.sort();
      }
    }
  }
  return files.sort();
}

async function entriesOf(folder: string, problems: Problem[]): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') problems.push({ path: folder, reason: `The folder cannot be read: ${message}` });
    return [];
  }
}
