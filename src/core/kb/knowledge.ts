import { UserError } from '../errors.ts';
import { chunkDocument } from '../search/chunk.ts';
import type { ChosenEmbedder } from '../search/embed/choose.ts';
import type { Embedder, SearchRequest, SemanticStatus } from '../search/engine.ts';
import { loadImage } from '../search/formats/images.ts';
import { isDocument, readerFor } from '../search/formats/readers.ts';
import { searchStores } from '../search/query.ts';
import type { SearchedStore } from '../search/searched-store.ts';
import { createStore, openStore } from '../search/store.ts';
import { suggest } from '../search/suggest.ts';
import { readAround } from './around.ts';
import type { AllowedBases, KnowledgeBase } from './base.ts';
import { findByName, listContents, nodeInfo } from './browse.ts';
import { type ReadDocumentInput, readDocument, type SearchDocumentsInput, searchDocuments } from './documents.ts';
import { evaluate } from './evaluate.ts';
import { createLibrary, type Library } from './library.ts';
import { type Node, resolveNode } from './nodes.ts';
import { pictureOf } from './picture.ts';
import { previews } from './previews.ts';
import { readNode } from './read.ts';
import { type SearchInput, searchShelves } from './search.ts';
import type { ShelfTools } from './shelf.ts';
import { type Status, statusOf } from './status.ts';
import { treeLevel } from './tree.ts';

export interface KnowledgeConfig {
  readonly bases: readonly KnowledgeBase[];
  /** Folder of the indexes. */
  readonly storage: string;
  /** The model behind search by meaning; another one makes the shelves open anew. */
  readonly semantic: ChosenEmbedder;
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** For whom a question is answered: bases that are not theirs are as if they were not there. */
interface For {
  readonly allowed: AllowedBases;
}

/** Part of every saved index's fingerprint: raise it when readers, chunking or the catalog's shape change. */
const FORMAT = 'loci-index-1';

/** Formats whose extracted text has the file's own lines. */
const OWN_LINES = /\.(?:md|markdown|mdx|rst|rest|adoc|asciidoc|asc|txt|text)$/i;

/** The knowledge bases and their index: everything that touches them, as methods that the worker answers. */
export function createKnowledge(
  log: (level: 'info' | 'warn', message: string) => void,
  onStatus: (status: Status) => void,
) {
  let library: Library | undefined;
  let semantic: ChosenEmbedder | undefined;

  const shelfTools = (embedder: Embedder | null): ShelfTools => ({
    createStore: () => createStore(embedder),
    openStore: (folder) => openStore(folder, embedder),
    isDocument,
    keepsLines: (path) => OWN_LINES.test(path) || !isDocument(path),
    async read(path, bytes, signal) {
      const reader = readerFor(path);
      if (!reader) throw new UserError('binary', 'No reader for this kind of file.', 'Convert it to text or PDF.');
      return chunkDocument(await reader({ path, bytes }, signal));
    },
    fingerprint: FORMAT,
    log,
  });

  const semanticOf = (stores: Library['shelves']): SemanticStatus => {
    const chosen = semantic!;
    if (chosen.embedder === null) return chosen.unavailable;
    const { provider, model } = chosen.embedder;
    const all = stores.map((shelf) => shelf.store.semantic());
    const warming = all.flatMap((status) => (status.status === 'warming' ? [status] : []));
    if (warming.length === 0) {
      return all[0] ?? { status: 'available', provider, model };
    }
    const total = stores.reduce((count, shelf) => count + shelf.store.chunks, 0);
    const missing = warming.reduce((count, status) => count + status.total - status.done, 0);
    return { ...warming[0]!, done: total - missing, total };
  };

  const opened = (): Library => {
    if (!library) throw new Error('the knowledge bases are not configured');
    return library;
  };

  const shelvesFor = ({ allowed }: For): Library['shelves'] =>
    opened().shelves.filter(({ base }) => allowed === null || allowed.includes(base.id));

  /** The node as it is on disk now. */
  const freshNode = async ({ id, ...whom }: For & { id: string }): Promise<Node> => {
    await opened().freshen(resolveNode(shelvesFor(whom), id));
    return resolveNode(shelvesFor(whom), id);
  };

  /** Words alone when the embedding service does not answer; the answer's `semantic_index` then says so. */
  const search = async (stores: readonly SearchedStore[], request: SearchRequest, signal?: AbortSignal) => {
    try {
      return { result: await searchStores(stores, request, signal), failure: undefined };
    } catch (error) {
      if (signal?.aborted || request.mode === 'keyword') throw error;
      const reason = error instanceof UserError ? `${error.message} ${error.next}` : String(error);
      return { result: await searchStores(stores, { ...request, mode: 'keyword' }, signal), failure: reason };
    }
  };

  return {
    async configure({ bases, storage, semantic: chosen }: KnowledgeConfig) {
      if (chosen !== semantic) {
        await library?.close();
        semantic = chosen;
        library = createLibrary(storage, shelfTools(chosen.embedder), semanticOf, onStatus);
      }
      await opened().configure(bases);
    },
    status: async ({ allowed }: For) => {
      const shelves = shelvesFor({ allowed });
      return statusOf(shelves, semanticOf(shelves), allowed !== null);
    },
    async settled({ ms, vectors }: { ms: number; vectors?: boolean }) {
      await opened().settled(ms, vectors);
      return opened().status();
    },
    async list({ id, allowed, ...window }: Window & For & { id: string | null }) {
      const shelves = shelvesFor({ allowed });
      return listContents(shelves, id === null ? null : resolveNode(shelves, id), window);
    },
    /** What lies directly in a folder, for a person; without one, the knowledge bases. */
    async tree({ id }: { id: string | null }) {
      const { shelves } = opened();
      return treeLevel(shelves, id === null ? null : resolveNode(shelves, id));
    },
    find: async ({
      name,
      kind,
      allowed,
      ...window
    }: Window & For & { name: string; kind: 'FOLDER' | 'DOCUMENT' | null }) =>
      findByName(shelvesFor({ allowed }), name, kind, window),
    info: async (input: For & { id: string }) => nodeInfo(await freshNode(input)),
    read: async ({ id, allowed, ...options }: Window & For & { id: string; tokenBudget: number }) =>
      readNode(await freshNode({ id, allowed }), options),
    around: async ({ window, tokenBudget, ...place }: For & { id: string; window: number; tokenBudget: number }) =>
      readAround(await freshNode(place), window, tokenBudget),
    async search({ allowed, ...input }: For & SearchInput, signal?: AbortSignal) {
      let semanticFailure: string | undefined;
      const output = await searchShelves(
        shelvesFor({ allowed }),
        input,
        async (stores, request, inner) => {
          const { result, failure } = await search(stores, request, inner);
          semanticFailure = failure;
          return result;
        },
        signal,
      );
      return { ...output, semanticFailure };
    },
    /** Previews of the best passages. */
    async searchDocuments({ allowed, ...input }: For & SearchDocumentsInput, signal?: AbortSignal) {
      let semanticFailure: string | undefined;
      const output = await searchDocuments(
        shelvesFor({ allowed }),
        input,
        async (...request) => {
          const { result, failure } = await search(...request);
          semanticFailure = failure;
          return result;
        },
        signal,
      );
      return { ...output, semanticFailure };
    },
    /** A window of a document's text. */
    readDocument: async ({ allowed, ...input }: For & ReadDocumentInput) =>
      readDocument(shelvesFor({ allowed }), input, (shelf, record) =>
        opened().freshen({ kind: 'DOCUMENT', shelf, record }),
      ),
    /** The best documents of all bases, a line of each. */
    previews: async ({ allowed, ...input }: For & { query: string }, signal?: AbortSignal) =>
      previews(shelvesFor({ allowed }), input, async (...request) => (await search(...request)).result, signal),
    /** Places for a query still being typed. */
    async suggest({ typed, limit }: { typed: string; limit: number }) {
      const { shelves } = opened();
      const hits = suggest(
        shelves.map(({ store }) => ({ store })),
        typed,
        limit,
      );
      return hits.flatMap(({ store, file, chunk }) => {
        const shelf = shelves[store]!;
        const record = shelf.catalog.files.get(file);
        if (!record) return [];
        const headings = record.document.sections[record.document.chunks[chunk]!.section]!.path;
        const text = (shelf.store.text(file, chunk) ?? '').slice(0, 300);
        return [
          { root: shelf.root, file, title: record.document.title, headings, line: record.lines?.[chunk] ?? null, text },
        ];
      });
    },
    picture: async (input: For & { id: string }, signal?: AbortSignal) =>
      pictureOf(await freshNode(input), loadImage, signal),
    evaluate: (_: undefined, signal?: AbortSignal) => evaluate(opened().shelves, searchStores, signal),
    changed: ({ paths }: { paths: string[] }) => opened().changed(paths),
    /** Compares every knowledge base with its files. */
    rescan: (input: { readonly ids: readonly string[] } | undefined) => opened().rescan(input?.ids),
    rebuild: () => opened().rebuild(),
    skipped: async () => opened().skipped(),
    /** Every base with how far its index is. */
    bases: async () =>
      opened().shelves.map(({ base, catalog, progress, failure }) => ({
        id: base.id,
        name: base.name,
        root: base.root,
        documents: catalog.files.size,
        pending: progress ? progress.total - progress.done : 0,
        failure,
      })),
    async forget({ bases }: { readonly bases: readonly KnowledgeBase[] }) {
      for (const base of bases) await opened().forget(base);
    },
    close: async () => library?.close(),
  };
}
