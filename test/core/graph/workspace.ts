import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { assemble } from '../../../src/core/graph/link/assemble.ts';
import { contribution } from '../../../src/core/graph/link/draft.ts';
import type { Asset, Graph } from '../../../src/core/graph/model.ts';
import { type KeptFile, type ScanOutcome, scanWorkspace } from '../../../src/core/graph/workspace.ts';
import { parseSql } from '../../../src/core/sql/parse/parse-sql.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files, removed after the tests of the file. */
export function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci graph ü-'));
  made.push(folder);
  put(folder, files);
  return folder;
}

export function put(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Sets a file's time of change, in seconds since 1970. */
export function touch(folder: string, path: string, seconds: number): void {
  utimesSync(join(folder, path), seconds, seconds);
}

export interface Scanned {
  readonly graph: Graph;
  readonly outcome: ScanOutcome;
  readonly logged: readonly string[];
}

export async function scanFolder(
  folder: string,
  kept: ReadonlyMap<string, KeptFile> = new Map(),
  maxBytes = 16e6,
): Promise<Scanned> {
  const logged: string[] = [];
  const outcome = await scanWorkspace({
    folders: [{ name: 'ws', path: folder, exclude: [] }],
    kept,
    maxBytes,
    now: () => Date.UTC(2026, 0, 1),
    context: { parseSql, signal: new AbortController().signal },
    log: (_, message) => void logged.push(message),
    onProgress() {},
  });
  const graph = assemble({ ...outcome, further: contribution() });
  return { graph, outcome, logged };
}

/** The graph of a workspace with these files. */
export async function graphOf(files: Files): Promise<Graph> {
  return (await scanFolder(folderOf(files))).graph;
}

export function assetNamed(graph: Graph, name: string): Asset {
  const asset = graph.assets.get(name);
  if (!asset) throw new Error(`no ${name} among ${[...graph.assets.keys()].join(' ')}`);
  return asset;
}

/** Names of the assets directly upstream, without the scheme. */
export function upstreamOf(graph: Graph, name: string): string[] {
  return [...new Set((graph.upstream.get(name) ?? []).map(({ from }) => from))].sort();
}

/** `asset#column` of everything that goes directly into a column, in order. */
export function sourcesOf(graph: Graph, name: string, column: string): string[] {
  const edges = graph.upstream.get(name) ?? [];
  return [
    ...new Set(
      edges.flatMap(({ from, columns = [] }) =>
        columns.filter(({ to }) => to === column).map((pair) => `${from}#${pair.from}`),
      ),
    ),
  ].sort();
}

/** `name type` of each column. */
export function columnsOf(graph: Graph, name: string): string[] {
  return (assetNamed(graph, name).columns ?? []).map((column) => `${column.name} ${column.type ?? '?'}`);
}

export function problemsOf(graph: Graph): string[] {
  return graph.problems.map(({ file, line, message }) => `${file}:${line ?? ''} ${message}`);
}
