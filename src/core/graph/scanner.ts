import { join } from 'node:path';
import { errorText } from '../errors.ts';
import type { ChosenEmbedder } from '../search/embed/choose.ts';
import { isAbort } from '../util/abort.ts';
import { sha256 } from '../util/hash.ts';
import { openCatalog, saveCatalog } from './catalog.ts';
import { furtherAssets } from './further.ts';
import { type AssetIndex, createAssetIndex } from './index/asset-index.ts';
import { assemble } from './link/assemble.ts';
import type { Graph, Problem } from './model.ts';
import type { ParseSql } from './sql.ts';
import { type GraphState, openState, type StateFile } from './state.ts';
import { type Folder, type KeptFile, type ScanOutcome, scanWorkspace } from './workspace.ts';

export interface ScannerOptions {
  readonly folders: readonly Folder[];
  readonly storage: string;
  readonly maxBytes: number;
  readonly semantic: ChosenEmbedder;
  readonly parseSql: ParseSql;
  readonly now: () => number;
  readonly log: (level: 'info' | 'warn', message: string) => void;
  /** The graph is another one, or its scan has come further. */
  readonly onChange: () => void;
}

/** The graph of one set of folders, kept as its files are. Has a lifetime: close it. */
export interface GraphKeeper {
  readonly graph: Graph;
  readonly index: AssetIndex;
  readonly state: StateFile;
  readonly saved: GraphState;
  /** What is still to be scanned, in words; undefined when all is. */
  readonly scanning: string | undefined;
  /** Looks at the files again; calls during a run share one more. */
  rescan(): Promise<void>;
  /** Puts the graph together again after the state changed. */
  relink(): Promise<void>;
  /** Resolves when nothing is pending, or after the time; never rejects. */
  settled(ms: number): Promise<void>;
  close(): Promise<void>;
}

const EMPTY: Graph = { assets: new Map(), upstream: new Map(), downstream: new Map(), edges: 0, problems: [] };

export async function openGraph(options: ScannerOptions): Promise<GraphKeeper> {
  const { folders, storage, semantic, now, log, onChange } = options;
  const life = new AbortController();
  const home = join(storage, 'graph', sha256(JSON.stringify(folders.map(({ path }) => path))).slice(0, 16));
  const catalogPath = join(home, 'catalog.json');
  const opened = await openCatalog(catalogPath);
  if (opened.problem) log('warn', `The saved data catalog is built anew: ${opened.problem}.`);
  let kept: Map<string, KeptFile> = opened.kept;
  const state = openState(join(home, 'state.json'), (message) => log('warn', message));
  let saved = await state.read();
  const index = createAssetIndex(semantic.embedder, semantic.embedder ? undefined : semantic.unavailable);
  let graph = EMPTY;
  let outcome: ScanOutcome = { kept, files: [], projects: [], problems: [], read: 0 };
  let failure: Problem | undefined;
  let progress: string | undefined = 'The workspace is about to be scanned.';
  let work: Promise<unknown> = Promise.resolve();
  let queued: Promise<void> | undefined;

  const link = async (): Promise<void> => {
    saved = await state.read();
    const problems = failure ? [...outcome.problems, failure] : outcome.problems;
    graph = assemble({ ...outcome, problems, further: furtherAssets(saved) });
    await index.update(graph, life.signal);
  };

  /** A catalog that cannot be saved costs the next start a scan, and this one nothing. */
  const save = async (): Promise<void> => {
    try {
      await saveCatalog(catalogPath, kept);
    } catch (error) {
      log('warn', `The data catalog could not be saved: ${(error as Error).message}`);
    }
  };

  const scan = async (): Promise<void> => {
    progress = 'The files of the workspace are being compared with the graph.';
    onChange();
    try {
      outcome = await scanWorkspace({
        folders,
        kept,
        maxBytes: options.maxBytes,
        now,
        log,
        context: { parseSql: options.parseSql, signal: life.signal },
        onProgress(done, total) {
          progress = `${total - done} of ${total} files are still to be scanned; ask again in a moment.`;
          onChange();
        },
      });
      failure = undefined;
      const changed = outcome.read > 0 || outcome.kept.size !== kept.size;
      kept = outcome.kept;
      await link();
      if (changed) await save();
    } catch (error) {
      if (isAbort(error)) return;
      log('warn', `The workspace could not be scanned: ${errorText(error)}`);
      failure = { file: '.', message: `The scan failed: ${(error as Error).message}` };
      graph = { ...graph, problems: [...graph.problems, failure] };
    } finally {
      progress = undefined;
      onChange();
    }
    void index.embedPending(life.signal).catch((error: unknown) => {
      if (!isAbort(error)) log('warn', `Vectors of the data assets could not be made: ${(error as Error).message}`);
    });
  };

  /** One piece of work at a time: each sees what the one before left. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const next = work.then(task);
    work = next.catch(() => undefined);
    return next;
  };

  return {
    get graph() {
      return graph;
    },
    index,
    state,
    get saved() {
      return saved;
    },
    get scanning() {
      return progress;
    },
    rescan() {
      queued ??= inTurn(() => {
        queued = undefined;
        return scan();
      });
      return queued;
    },
    relink: () => inTurn(link),
    async settled(ms) {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([work, limit]);
      clearTimeout(timer);
    },
    async close() {
      life.abort();
      await work;
    },
  };
}
