import FlexSearch from 'flexsearch';
import type { Engine } from '../engine.ts';
import { termsOf } from '../terms.ts';
import { loadJson, saveJson } from './json-file.ts';

const { Index } = FlexSearch;

/** `suggest` is FlexSearch's "match any word": without it a query must match whole. */
function open() {
  return new Index({
    tokenize: 'strict',
    resolution: 100,
    encode: termsOf,
    context: { depth: 2, bidirectional: true, resolution: 9 },
  });
}

export const flexSearch: Engine = {
  name: 'FlexSearch 0.8.212',
  async build(docs) {
    const index = open();
    for (const [i, { title, text }] of docs.entries()) index.add(i, `${title}\n${text}`);
    const searcher = (from: typeof index) => (query: string, limit: number) =>
      (from.search(query, { limit, suggest: true }) as number[]).map((i) => docs[i]!.id);
    return {
      search: searcher(index),
      async save(folder) {
        const parts: [string, string][] = [];
        await index.export((key: string, data: string) => void parts.push([key, data]));
        await saveJson(folder, parts);
      },
      async load(folder) {
        const again = open();
        for (const [key, data] of JSON.parse(await loadJson(folder)) as [string, string][]) again.import(key, data);
        return { search: searcher(again) };
      },
    };
  },
};
