import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { errorText, UserError } from '../errors.ts';
import { decodeText } from '../search/formats/decode.ts';
import { breathe, isAbort, throwIfAborted } from '../util/abort.ts';
import { sha256 } from '../util/hash.ts';
import { type FoundFile, type ScanRoot, scan } from '../util/scan.ts';
import type { Fragment, ScanContext, ScannedFile } from './fragment.ts';
import type { FileFragment } from './link/draft.ts';
import type { Problem } from './model.ts';
import { manifestFragments } from './scan/dbt-manifest.ts';
import { type DbtProject, readDbtProject, roleIn } from './scan/dbt-project.ts';
import { readsInPart, scanners } from './scan/scanners.ts';

/** A workspace folder to scan. */
export interface Folder {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly exclude: readonly string[];
}

/** What is kept of a file between scans. */
export interface KeptFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** SHA-256 of the content; of files read in part, of nothing: their size and time stand for it. */
  readonly hash: string;
  /** Scanner and role that the fragment was made by. */
  readonly maker: string;
  readonly scannedAt: string;
  readonly fragment: Fragment;
}

export interface ScanOutcome {
  readonly kept: Map<string, KeptFile>;
  readonly files: readonly FileFragment[];
  readonly projects: readonly DbtProject[];
  readonly problems: readonly Problem[];
  /** Files whose content was read in this run. */
  readonly read: number;
}

export interface ScanOptions {
  readonly folders: readonly Folder[];
  readonly kept: ReadonlyMap<string, KeptFile>;
  /** Texts larger than this are not read. In bytes. */
  readonly maxBytes: number;
  readonly now: () => number;
  readonly context: ScanContext;
  readonly log: (level: 'info' | 'warn', message: string) => void;
  onProgress(done: number, total: number): void;
}

/** Longest stretch of work between two looks at the message queue. */
const SLICE_MS = 25;

type Listed = FoundFile & { readonly absolute: string };

/** Brings the fragments of all data files up to date: reads those that changed, keeps the others'. */
export async function scanWorkspace(options: ScanOptions): Promise<ScanOutcome> {
  const { folders, context, now } = options;
  const { signal } = context;
  const problems: Problem[] = [];
  const listed: Listed[] = [];
  for (const [i, folder] of folders.entries()) listed.push(...(await list(folder, i, problems, signal)));
  const projects = await readProjects(listed, problems);
  const kept = new Map<string, KeptFile>();
  const files: FileFragment[] = [];
  let read = 0;
  let sliceStart = performance.now();
  for (const [i, found] of listed.entries()) {
    throwIfAborted(signal);
    const role = roleIn(projects, found.path);
    if (role?.role === 'generated') continue;
    const dbt = role && { project: role.project.name, role: role.role };
    const scanner = scanners.find((candidate) => candidate.claims({ path: found.path, dbt }));
    if (!scanner) continue;
    const maker = `${scanner.name} ${dbt ? `${dbt.project} ${dbt.role}` : ''}`;
    const before = options.kept.get(found.path);
    const known = before?.maker === maker ? before : undefined;
    let entry: KeptFile;
    if (known && known.size === found.size && known.mtimeMs === found.mtimeMs) entry = known;
    else {
      read++;
      const inPart = readsInPart(scanner);
      const scanned = await scanFile({ ...found, dbt }, inPart, known, options, (file) => scanner.scan(file, context));
      entry = {
        path: found.path,
        size: found.size,
        mtimeMs: found.mtimeMs,
        maker,
        ...scanned,
        scannedAt: new Date(now()).toISOString(),
      };
    }
    kept.set(found.path, entry);
    files.push({
      path: found.path,
      mtimeMs: found.mtimeMs,
      scannedAt: entry.scannedAt,
      fragment: entry.fragment,
      project: role?.project,
    });
    if (performance.now() - sliceStart > SLICE_MS) {
      options.onProgress(i + 1, listed.length);
      await breathe();
      sliceStart = performance.now();
    }
  }
  const manifests = await manifestFragments(projects, files, absoluteIn(folders), now);
  return { kept, files: manifests.files, projects, problems: [...problems, ...manifests.problems], read };
}

async function scanFile(
  found: Listed & Pick<ScannedFile, 'dbt'>,
  inPart: boolean,
  known: KeptFile | undefined,
  { maxBytes, log }: ScanOptions,
  run: (file: ScannedFile) => Promise<Fragment>,
): Promise<Pick<KeptFile, 'hash' | 'fragment'>> {
  const refuse = (message: string) => ({ hash: '', fragment: { problems: [{ message }] } });
  try {
    if (inPart)
      return { hash: '', fragment: await run({ ...found, text: () => readText(found.absolute, found.path) }) };
    if (found.size > maxBytes) {
      const size = (found.size / 1_000_000).toFixed(1);
      return refuse(
        `${size} MB is over the limit of ${maxBytes / 1_000_000} MB (setting loci.index.maxFileSizeMB): not read.`,
      );
    }
    const bytes = await readFile(found.absolute);
    const hash = sha256(bytes);
    if (known?.hash === hash) return { hash, fragment: known.fragment };
    return { hash, fragment: await run({ ...found, text: async () => decodeText(bytes, found.path).text }) };
  } catch (error) {
    if (isAbort(error)) throw error;
    if (error instanceof UserError) return refuse(error.message);
    if ((error as NodeJS.ErrnoException).code !== undefined) return refuse(`Not read: ${(error as Error).message}`);
    log('warn', `${found.path}: ${errorText(error)}`);
    return refuse('The scanner failed on this file; the log says how.');
  }
}

async function readText(absolute: string, path: string): Promise<string> {
  return decodeText(await readFile(absolute), path).text;
}

/** A folder's files that any scanner may want, with the paths they have in the graph. */
async function list(
  { name, path: root, exclude }: Folder,
  index: number,
  problems: Problem[],
  signal: AbortSignal,
): Promise<Listed[]> {
  const base: ScanRoot = { root, exclude, maxBytes: Number.POSITIVE_INFINITY };
  const prefix = prefixOf(name, index);
  const wanted = (path: string) => posix.basename(path).startsWith('dbt_project.y') || claimed(path);
  try {
    const { files, skipped } = await scan(base, wanted, signal);
    problems.push(...skipped.map(({ path, detail }) => ({ file: `${prefix}${path}`, message: detail })));
    return files.map((file) => ({ ...file, path: `${prefix}${file.path}`, absolute: join(root, file.path) }));
  } catch (error) {
    if (isAbort(error)) throw error;
    problems.push({ file: prefix || '.', message: `The folder cannot be read: ${(error as Error).message}` });
    return [];
  }
}

/** True for a path that any scanner may want, whatever its project makes of it. */
export function claimed(path: string): boolean {
  const roles = [
    undefined,
    { project: '', role: 'properties' as const },
    { project: '', role: 'doc' as const },
    { project: '', role: 'model' as const },
  ];
  return roles.some((dbt) => scanners.some((scanner) => scanner.claims({ path, dbt })));
}

/** What goes before a path in the graph: nothing for the first folder, so that a clone under another name has the same names. */
function prefixOf(name: string, index: number): string {
  return index === 0 ? '' : `@${name}/`;
}

/** The absolute path of a place, or undefined if it lies in no folder. */
export function absoluteIn(folders: readonly Folder[]): (path: string) => string | undefined {
  return (path) => {
    const index = folders.findIndex(({ name }, i) => i > 0 && path.startsWith(prefixOf(name, i)));
    const folder = folders[Math.max(0, index)];
    return folder && join(folder.path, path.slice(prefixOf(folder.name, Math.max(0, index)).length));
  };
}

async function readProjects(listed: readonly Listed[], problems: Problem[]): Promise<DbtProject[]> {
  const projects: DbtProject[] = [];
  for (const { path, absolute } of listed) {
    if (!/^dbt_project\.ya?ml$/.test(posix.basename(path))) continue;
    try {
      const project = readDbtProject(path, await readText(absolute, path));
      projects.push(project);
      problems.push(
        ...project.problems.map(({ line, message }) => ({ file: path, ...(line !== undefined && { line }), message })),
      );
    } catch (error) {
      problems.push({ file: path, message: (error as Error).message });
    }
  }
  // A project inside another's folder for installed packages is a package.
  return projects.filter(
    (project) =>
      roleIn(
        projects.filter((other) => other !== project),
        `${project.root}/dbt_project.yml`,
      )?.role !== 'generated',
  );
}
