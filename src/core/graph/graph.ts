import type { ChosenEmbedder } from '../search/embed/choose.ts';
import { page } from '../util/page.ts';
import { type AddInput, addAssets } from './add.ts';
import {
  type DescribeInput,
  describeAsset,
  type IndexDocumentInput,
  indexDocumentOf,
  type Sample,
  summaryOf,
} from './answers/describe.ts';
import type { LearningPort } from './answers/learnings.ts';
import { type LineageInput, lineageOf } from './answers/lineage.ts';
import { matchName, nameQuery } from './answers/match.ts';
import { pictureOf } from './answers/picture.ts';
import { resolveAsset } from './answers/resolve-asset.ts';
import { type AssetSearchInput, searchAssets } from './answers/search.ts';
import { childrenOf } from './answers/tree.ts';
import type { ConnectionInfo, ConnectionPort } from './connections.ts';
import type { Graph } from './model.ts';
import { firstRows } from './samples.ts';
import { type GraphKeeper, openGraph } from './scanner.ts';
import { type RegisterInput, registerSource, type ScanInput, scanSource } from './sources.ts';
import type { ParseSql } from './sql.ts';
import { wikiGraph } from './wiki-graph.ts';
import { absoluteIn, claimed, type Folder } from './workspace.ts';

export interface GraphOptions {
  readonly parseSql: ParseSql;
  readonly connections?: ConnectionPort;
  readonly learnings?: LearningPort;
  /** Milliseconds since the epoch. */
  now(): number;
  log(level: 'info' | 'warn', message: string): void;
  /** Called when the graph changed or its scan came further; at most a few times a second. */
  onChange(): void;
}

export interface GraphConfig {
  readonly folders: readonly Folder[];
  readonly storage: string;
  readonly semantic: ChosenEmbedder;
  /** Texts larger than this are not read. */
  readonly maxBytes: number;
  /** How long an answer waits for a scan, in milliseconds. */
  readonly waitMs: number;
  /** Whether describe_asset may show rows. */
  readonly samples: boolean;
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** Quiet time after a change before the files are looked at, and between two notices of progress. */
const SCAN_AFTER_MS = 500;
const NOTICE_MS = 250;

/** The graph of data assets: what data the workspace and its connections have, and how it flows. Scans when first asked. */
export function createGraph(options: GraphOptions) {
  let config: GraphConfig | undefined;
  let key = '';
  let keeper: Promise<GraphKeeper> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let notice: NodeJS.Timeout | undefined;

  const onChange = () => {
    notice ??= setTimeout(() => {
      notice = undefined;
      options.onChange();
    }, NOTICE_MS);
  };

  const configured = (): GraphConfig => {
    if (!config) throw new Error('the graph is not configured');
    return config;
  };

  const open = (): Promise<GraphKeeper> => {
    keeper ??= openGraph({ ...configured(), ...options, onChange }).then((opened) => {
      void opened.rescan();
      return opened;
    });
    return keeper;
  };

  /** The graph once its scan is done, or as far as it is when the time to wait is over. */
  const ready = async (): Promise<GraphKeeper> => {
    const opened = await open();
    await opened.settled(configured().waitMs);
    return opened;
  };

  const connections = async (signal?: AbortSignal): Promise<readonly ConnectionInfo[] | undefined> => {
    if (!options.connections) return [];
    try {
      return await options.connections.list(signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      options.log('warn', `The connections could not be listed: ${(error as Error).message}`);
      return undefined;
    }
  };

  const context = async (signal?: AbortSignal) => {
    const { graph, index, saved, scanning } = await ready();
    return {
      graph,
      index,
      state: saved,
      scanning,
      connections: await connections(signal),
      learnings: options.learnings,
      folders: configured().folders.length,
    };
  };

  const sampleOf = async (graph: Graph, name: string): Promise<Sample | string> => {
    if (!configured().samples) return 'Rows are not shown: the setting loci.data.samples is off.';
    return firstRows(resolveAsset(graph, name), absoluteIn(configured().folders));
  };

  const methods = {
    search: async (input: AssetSearchInput, signal?: AbortSignal) => searchAssets(input, await context(signal), signal),
    lineage: async (input: LineageInput) => withScan(lineageOf((await ready()).graph, input), await open()),
    /** Assets whose names have a text in them, best first. */
    async find({
      query,
      source_system,
      node_type,
      ...window
    }: Window & { query: string; source_system: string; node_type: string }) {
      const opened = await ready();
      const named = nameQuery(query);
      const found = [...opened.graph.assets.values()]
        .filter(
          (asset) =>
            (!source_system || asset.source_system === source_system) && (!node_type || asset.node_type === node_type),
        )
        .flatMap((asset) => {
          const match = named.text === '' ? undefined : matchName(asset, named);
          return match || named.text === '' ? [{ asset, match }] : [];
        })
        .sort(
          (a, b) =>
            (b.match?.score ?? 0) - (a.match?.score ?? 0) || (a.asset.qualified_name < b.asset.qualified_name ? -1 : 1),
        );
      const { items, pagination } = page(
        found,
        window,
        ({ asset, match }) => ({
          qualified_name: asset.qualified_name,
          name: asset.name.slice(0, 200),
          node_type: asset.node_type,
          ...(asset.origin === 'external' && { external: true }),
          ...(match && { match: match.tier }),
          ...(asset.place && {
            file: asset.place.file,
            ...(asset.place.line !== undefined && { line: asset.place.line }),
          }),
        }),
        6500,
      );
      return withScan({ action: 'SEARCH_NODES', query, results: items, pagination }, opened);
    },
    async node({ qualified_name }: { qualified_name: string }) {
      const opened = await ready();
      return withScan(
        { action: 'GET_NODE', ...summaryOf(opened.graph, resolveAsset(opened.graph, qualified_name)) },
        opened,
      );
    },
    async indexDocument(input: IndexDocumentInput) {
      const { graph, index } = await ready();
      return indexDocumentOf(graph, input, index.text);
    },
    async describe(input: DescribeInput, signal?: AbortSignal) {
      const opened = await ready();
      const sample = await sampleOf(opened.graph, input.qualified_name);
      return withScan(describeAsset(opened.graph, input, await connections(signal), sample), opened);
    },
    add: async (input: AddInput) => addAssets(await ready(), input, options.now),
    register: async (input: RegisterInput, signal?: AbortSignal) =>
      registerSource(await ready(), options.connections, input, options.now, signal),
    scan: async (input: ScanInput, signal?: AbortSignal) =>
      scanSource(await ready(), options.connections, input, options.now, signal),
    /** For the Data view: systems, then what is in them, then columns. */
    async children({ prefix }: { prefix: string }) {
      const absolute = absoluteIn(configured().folders);
      return childrenOf((await ready()).graph, prefix).map((entry) => withPath(entry, absolute));
    },
    /** For the lineage view: assets, edges and the absolute paths to open. */
    async picture(input: { qualified_name: string; depth: number; max_nodes: number }) {
      return pictureOf((await ready()).graph, input, absoluteIn(configured().folders));
    },
    /** What could not be read, and whether a scan is under way. */
    async status() {
      const { graph, scanning } = await open();
      const absolute = absoluteIn(configured().folders);
      const problems = graph.problems.map((problem) => withPath(problem, absolute));
      return { scanning: scanning ?? null, assets: graph.assets.size, edges: graph.edges, problems };
    },
    /** Waits for the first scan; for tests and the command line. */
    async settled({ ms }: { ms: number }) {
      await (await open()).settled(ms);
    },
    /** Tells of files that were written, made or deleted (absolute paths). Before the graph is first asked, nothing is done. */
    async changed({ paths }: { paths: readonly string[] }) {
      const opened = await keeper;
      if (!opened || !paths.some(mayMatter)) return;
      clearTimeout(timer);
      timer = setTimeout(() => void opened.rescan(), SCAN_AFTER_MS);
    },
  };

  return {
    methods,
    wiki: wikiGraph(ready),
    /** Opens the graph anew when folders, storage or the model are others. */
    async configure(next: GraphConfig) {
      const { folders, storage, maxBytes, semantic } = next;
      const chosen = semantic.embedder ? `${semantic.embedder.provider}/${semantic.embedder.model}` : 'none';
      const nextKey = JSON.stringify([folders, storage, maxBytes, chosen]);
      config = next;
      if (nextKey === key) return;
      key = nextKey;
      const before = keeper;
      keeper = undefined;
      await (await before)?.close();
    },
    async close() {
      clearTimeout(timer);
      clearTimeout(notice);
      await (await keeper)?.close();
    },
  };
}

/** A data file, a folder that may hold some, or what decides which files count. */
function mayMatter(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return (
    !name.includes('.') || name === '.gitignore' || /^dbt_project\.ya?ml$|^manifest\.json$/.test(name) || claimed(path)
  );
}

/** An answer, with what is not scanned yet. */
function withScan<T extends object>(answer: T, { scanning }: GraphKeeper): T & Partial<Unfinished> {
  return scanning ? { ...answer, index_status: 'partial', index_status_reason: scanning } : answer;
}

interface Unfinished {
  readonly index_status: 'partial';
  readonly index_status_reason: string;
}

/** With the absolute path of its file, for the views that open it. */
function withPath<T extends { readonly file?: string }>(
  item: T,
  absolute: (path: string) => string | undefined,
): T & { readonly path?: string } {
  const path = item.file ? absolute(item.file) : undefined;
  return path === undefined ? item : { ...item, path };
}
