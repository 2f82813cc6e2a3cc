import { type AnyOrama, create, insertMultiple, load, type RawData, save, search } from '@orama/orama';
import { index as oramaIndex } from '@orama/orama/components';
import { pluginQPS } from '@orama/plugin-qps';
import { stemmer } from '@orama/stemmers/english';
import { STOP_WORDS } from '../../../src/core/search/stop-words.ts';
import type { Doc } from '../collection.ts';
import type { Built, Engine } from '../engine.ts';
import { termsOf } from '../terms.ts';
import { loadJson, saveJson } from './json-file.ts';

const STEMMED = { stemming: true, stemmer, stopWords: [...STOP_WORDS], language: 'english' as const };

const SCHEMA = { title: 'string', text: 'string' } as const;

export const oramaDefaults: Engine = {
  name: 'Orama 3.1.18, defaults',
  mostDocs: 30_000,
  build: (docs) => build(docs, () => create({ schema: SCHEMA }), {}),
};

export const oramaStemmed: Engine = {
  name: 'Orama, stemmer + stop words',
  mostDocs: 30_000,
  build: (docs) =>
    build(
      docs,
      () =>
        create({
          schema: SCHEMA,
          components: { tokenizer: STEMMED },
        }),
      {},
    ),
};

export const oramaQps: Engine = {
  name: 'Orama, plugin-qps + stemmer + stop words',
  mostDocs: 30_000,
  build: (docs) =>
    build(docs, () => create({ schema: SCHEMA, components: { tokenizer: STEMMED }, plugins: [pluginQPS()] }), {}),
};

const END = '\u0003';

/** Orama's own index with its faults mended: no prefix expansion, raw term frequency, true document frequency. */
export const oramaMended: Engine = {
  name: "Orama's own index, mended",
  mostDocs: 30_000,
  build: (docs) =>
    build(
      docs.map(({ id, title, text }) => ({ id, title, text: `${title}\n${text}` })),
      () =>
        create({
          schema: SCHEMA,
          components: {
            tokenizer: {
              language: 'english',
              normalizationCache: new Map(),
              tokenize: (text: string) => termsOf(text).map((term) => term + END),
            },
            index: { ...oramaIndex.createIndex(), insertTokenScoreParameters: countTerm },
          },
        }),
      { relevance: { k: 1.2, b: 0.75, d: 0 }, boost: { title: 0.3 } },
    ),
};

const countTerm: typeof oramaIndex.insertTokenScoreParameters = (index, prop, id, _tokens, token) => {
  const counts = index.frequencies[prop]![id as number]!;
  const before = counts[token] ?? 0;
  counts[token] = before + 1;
  const documents = index.tokenOccurrences[prop]!;
  if (before === 0) documents[token] = (documents[token] ?? 0) + 1;
};

async function build(docs: readonly Doc[], open: () => AnyOrama, settings: object): Promise<Built> {
  const database = open();
  await insertMultiple(database, [...docs] as never, 1000);
  return {
    search: searcher(database, settings),
    save: async (folder) => saveJson(folder, await save(database)),
    async load(folder) {
      const again = open();
      load(again, JSON.parse(await loadJson(folder)) as RawData);
      return { search: searcher(again, settings) };
    },
  };
}

function searcher(database: AnyOrama, settings: object) {
  return async (term: string, limit: number): Promise<string[]> => {
    const { hits } = await search(database, { term, limit, ...settings });
    return hits.map(({ id }) => id);
  };
}
