import type { Embedder, SearchStore, SemanticStatus } from '../../search/engine.ts';
import { searchStores } from '../../search/query.ts';
import { createStore } from '../../search/store.ts';
import { breathe, throwIfAborted } from '../../util/abort.ts';
import { sha256 } from '../../util/hash.ts';
import type { Asset, Graph } from '../model.ts';
import { indexDocument, indexText } from './document.ts';

/** What a search is limited to; empty texts limit nothing. */
export interface AssetFilter {
  readonly source_system: string;
  readonly node_type: string;
  readonly connection_id: string;
}

export interface IndexedHit {
  readonly name: string;
  /** 0 to 1 by words and meaning together; comparable within one answer only. */
  readonly score: number;
}

export interface AssetIndex {
  /** Brings the index in step with a graph: texts that did not change are left as they are. */
  update(graph: Graph, signal: AbortSignal): Promise<void>;
  search(
    query: string,
    filter: AssetFilter,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ hits: IndexedHit[]; failure?: string }>;
  text(name: string): string | undefined;
  has(name: string): boolean;
  readonly size: number;
  semantic(): SemanticStatus;
  embedPending(signal: AbortSignal): Promise<void>;
}

const SLICE_MS = 25;

/** The search index of the assets: a document each, filed by system and type so that both can be filtered by. */
export function createAssetIndex(embedder: Embedder | null, unavailable: SemanticStatus | undefined): AssetIndex {
  const store: SearchStore = createStore(embedder);
  const known = new Map<string, { path: string; hash: string }>();
  const names = new Map<string, string>();
  const types = new Map<string, Set<string>>();

  const remove = (name: string) => {
    const entry = known.get(name)!;
    store.removeFile(entry.path);
    known.delete(name);
    names.delete(entry.path);
  };

  const put = (asset: Asset, text: string) => {
    const name = asset.qualified_name;
    const path = `${asset.source_system}/${asset.node_type}/${name}`;
    const hash = sha256(text);
    const before = known.get(name);
    if (before?.path === path && before.hash === hash) return;
    if (before && before.path !== path) remove(name);
    store.replaceFile(path, indexDocument(asset, text));
    known.set(name, { path, hash });
    names.set(path, name);
    types.set(asset.node_type, (types.get(asset.node_type) ?? new Set()).add(asset.source_system));
  };

  /** The folders of the index that a filter leaves; undefined for all, empty for none. */
  const scopesOf = ({ source_system: system, node_type: type }: AssetFilter): { prefix: string }[] | undefined => {
    if (type)
      return [...(types.get(type) ?? [])]
        .filter((each) => !system || each === system)
        .map((each) => ({ prefix: `${each}/${type}/` }));
    return system ? [{ prefix: `${system}/` }] : undefined;
  };

  return {
    async update(graph, signal) {
      let sliceStart = performance.now();
      for (const name of [...known.keys()]) {
        const asset = graph.assets.get(name);
        if (!asset || indexText(asset) === undefined) remove(name);
      }
      for (const asset of graph.assets.values()) {
        const text = indexText(asset);
        if (text !== undefined) put(asset, text);
        if (performance.now() - sliceStart > SLICE_MS) {
          await breathe();
          throwIfAborted(signal);
          sliceStart = performance.now();
        }
      }
    },
    async search(query, filter, limit, signal) {
      const scopes = scopesOf(filter);
      if (scopes?.length === 0) return { hits: [] };
      const request = { query, limit, copies: true, ...(scopes && { scopes }) };
      const run = async (mode: 'knowledge' | 'keyword') => {
        const { hits } = await searchStores([{ store }], { ...request, mode }, signal);
        const most = mode === 'keyword' ? (hits[0]?.score ?? 1) : 1;
        return hits.flatMap(({ file, score }) => {
          const name = names.get(file);
          return name === undefined ? [] : [{ name, score: score / most }];
        });
      };
      if (embedder === null) return { hits: await run('keyword') };
      try {
        return { hits: await run('knowledge') };
      } catch (error) {
        if (signal?.aborted) throw error;
        return { hits: await run('keyword'), failure: error instanceof Error ? error.message : String(error) };
      }
    },
    text: (name) => {
      const path = known.get(name)?.path;
      return path === undefined ? undefined : store.text(path, 0);
    },
    has: (name) => known.has(name),
    get size() {
      return known.size;
    },
    semantic: () => unavailable ?? store.semantic(),
    embedPending: (signal) => store.embedPending(signal),
  };
}
