import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { breathe, throwIfAborted } from './abort.ts';
import { isCredentialStore, isInside, isSecretFile, toPosix } from './paths.ts';

/** A folder (or a single file) to list, and what of it to take. */
export interface ScanRoot {
  /** Absolute path. */
  readonly root: string;
  /** Globs of files to take; undefined for every file that the caller knows how to read. */
  readonly include?: readonly string[];
  /** Globs to leave out, besides .gitignore. */
  readonly exclude: readonly string[];
  /** Larger files are skipped and reported. */
  readonly maxBytes: number;
}

export interface ScanSkip {
  readonly path: string;
  readonly reason: 'too_large' | 'unreadable' | 'link_outside' | 'credential_store';
  /** One sentence for the person. */
  readonly detail: string;
}

export interface FoundFile {
  /** Relative to the base's root, `/`-separated. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface ScanResult {
  readonly files: FoundFile[];
  readonly skipped: ScanSkip[];
}

/** Folders that hold other people's files or a tool's own, wherever they lie. */
const NEVER = new Set([
  '.loci',
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
]);

type Rules = readonly { readonly folder: string; readonly rules: Ignore }[];

type Membership = ReturnType<typeof membership>;

/** Decides which paths of a root belong to it, apart from the ignore files met on the way. */
export function membership(base: ScanRoot, isWanted: (path: string) => boolean) {
  const excluded = base.exclude.length > 0 ? picomatch([...base.exclude], { dot: true }) : () => false;
  const included = base.include ? picomatch([...base.include], { dot: true }) : isWanted;
  return {
    folder: (path: string) => !NEVER.has(basename(path)) && !excluded(path) && !excluded(`${path}/`),
    file: (path: string) => included(path) && !excluded(path),
  };
}

/**
 * Lists the files of a folder: honours .gitignore files (those above the root up to the repository's too), the
 * root's globs and the size cap. Symbolic links are not followed: a target inside the root is met as itself, one outside
 * is none of ours.
 */
export async function scan(
  base: ScanRoot,
  isWanted: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<ScanResult> {
  const root = await realpath(base.root);
  if (isCredentialStore(root)) {
    return { files: [], skipped: [credentialStore('')] };
  }
  const result: ScanResult = { files: [], skipped: [] };
  if ((await stat(root)).isFile()) {
    await take(dirname(root), basename(root), base, result);
    return result;
  }
  const belongs = membership(base, isWanted);
  const above = await rulesAbove(root);
  // A folder that was named is wanted, even where the repository around it ignores it.
  const queue: { folder: string; rules: Rules }[] = [{ folder: '', rules: ignored(above, root, true) ? [] : above }];
  for (let next = queue.pop(); next; next = queue.pop()) {
    throwIfAborted(signal);
    await breathe();
    const here = join(root, next.folder);
    const entries = await entriesOf(here, next.folder, result);
    const rules = entries.some((entry) => entry.name === '.gitignore')
      ? [...next.rules, ...(await rulesIn(here))]
      : next.rules;
    const files: string[] = [];
    for (const entry of entries) {
      const path = next.folder ? `${next.folder}/${entry.name}` : entry.name;
      if (entry.isSymbolicLink()) {
        if (belongs.folder(path) && !ignored(rules, join(root, path), false))
          await noteLink(root, path, belongs, result);
      } else if (entry.isDirectory()) {
        if (!belongs.folder(path) || ignored(rules, join(root, path), true)) continue;
        if (isCredentialStore(join(root, path))) result.skipped.push(credentialStore(path));
        else queue.push({ folder: path, rules });
      } else if (entry.isFile() && belongs.file(path) && !ignored(rules, join(root, path), false)) {
        files.push(path);
      }
    }
    await Promise.all(files.map((path) => take(root, path, base, result)));
  }
  result.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return result;
}

async function entriesOf(folder: string, path: string, result: ScanResult): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    result.skipped.push({
      path,
      reason: 'unreadable',
      detail: `The folder cannot be read: ${(error as Error).message}`,
    });
    return [];
  }
}

async function take(root: string, path: string, base: ScanRoot, result: ScanResult): Promise<void> {
  if (isSecretFile(basename(path))) {
    result.skipped.push({
      path,
      reason: 'credential_store',
      detail: 'Files of this name hold keys or passwords and are never read.',
    });
    return;
  }
  try {
    const { size, mtimeMs } = await stat(join(root, path));
    if (size <= base.maxBytes) result.files.push({ path, size, mtimeMs });
    else result.skipped.push(tooLarge(path, size, base));
  } catch {
    // Deleted between the listing and now: it is simply not there.
  }
}

/** The report of a file over its root's size cap. */
export function tooLarge(path: string, size: number, { maxBytes }: ScanRoot): ScanSkip {
  const detail = `${megabytes(size)} MB is over the limit of ${megabytes(maxBytes)} MB (setting loci.index.maxFileSizeMB).`;
  return { path, reason: 'too_large', detail };
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

function credentialStore(path: string): ScanSkip {
  return {
    path,
    reason: 'credential_store',
    detail: 'The folder holds credentials or is the operating system’s own, and is never read.',
  };
}

/** Reports a link to a document or folder outside the root; links to other files are no more worth a word than those files. */
async function noteLink(root: string, path: string, belongs: Membership, result: ScanResult): Promise<void> {
  const target = await realpath(join(root, path)).catch(() => undefined);
  if (!target || isInside(root, target)) return;
  const folder = await stat(target).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (folder || belongs.file(path)) {
    const detail = 'The symbolic link leads outside the folder and is not followed.';
    result.skipped.push({ path, reason: 'link_outside', detail });
  }
}

function ignored(rules: Rules, path: string, folder: boolean): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    const { folder: from, rules: set } = rules[i]!;
    const way = toPosix(relative(from, path));
    const verdict = set.test(folder ? `${way}/` : way);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

async function rulesIn(folder: string): Promise<Rules> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '');
  return text ? [{ folder, rules: ignore().add(text) }] : [];
}

/** Ignore rules of the folders above the root, up to the repository that holds it. */
async function rulesAbove(root: string): Promise<Rules> {
  const above: Rules[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) above.unshift(await rulesIn(folder));
    const repository = await stat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (repository) return above.flat();
    if (dirname(folder) === folder) return [];
  }
}
