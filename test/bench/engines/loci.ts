import { join } from 'node:path';
import { chunkDocument } from '../../../src/core/search/chunk.ts';
import { createStaticEmbedder, loadStaticModel } from '../../../src/core/search/embed/static.ts';
import type { Embedder, SearchMode, SearchStore } from '../../../src/core/search/engine.ts';
import { readText } from '../../../src/core/search/formats/text.ts';
import { searchStores } from '../../../src/core/search/query.ts';
import { createStore, openStore } from '../../../src/core/search/store.ts';
import type { Doc } from '../collection.ts';
import type { Engine } from '../engine.ts';

const MODEL = join(import.meta.dirname, '../../../media/embedding');
// A document's rank is that of its best chunk, so more chunks than documents are asked for.
const CHUNKS_A_DOC = 3;

/** The product's own path: its text reader, chunker, store and search. */
export const lociLexical: Engine = engine('loci-lexical', 'keyword');
export const lociHybrid: Engine = engine('loci-hybrid', 'knowledge');

function engine(name: string, mode: SearchMode): Engine {
  return {
    name,
    async build(docs) {
      const embedder = mode === 'keyword' ? null : createStaticEmbedder(await loadStaticModel(modelFolder()));
      const store = createStore(embedder);
      for (const [i, doc] of docs.entries()) await add(store, i, doc);
      return {
        search: searcher(store, mode, docs),
        save: (folder) => store.save(folder),
        load: async (folder) => ({ search: searcher(await openStore(folder, embedder as Embedder), mode, docs) }),
      };
    },
  };
}

function modelFolder(): string {
  return process.env.LOCI_EMBEDDING ?? MODEL;
}

// Named by number: other engines are not given the ids to search either.
async function add(store: SearchStore, i: number, doc: Doc): Promise<void> {
  const source = await readText({ path: `${i}.txt`, bytes: Buffer.from(doc.text) });
  store.replaceFile(`${i}.txt`, chunkDocument({ ...source, title: doc.title }));
}

function searcher(store: SearchStore, mode: SearchMode, docs: readonly Doc[]) {
  return async (query: string, limit: number): Promise<string[]> => {
    const wanted = limit > 10 ? limit * CHUNKS_A_DOC : limit;
    const { hits } = await searchStores([{ store }], { query: query.replaceAll('"', ' '), mode, limit: wanted });
    const files = hits.flatMap((hit) => [hit.file, ...(hit.duplicates ?? []).map((other) => other.file)]);
    return [...new Set(files)].slice(0, limit).map((file) => docs[Number.parseInt(file, 10)]!.id);
  };
}
