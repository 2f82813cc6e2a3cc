import MiniSearch from 'minisearch';
import type { Engine } from '../engine.ts';
import { termsOf } from '../terms.ts';
import { loadJson, saveJson } from './json-file.ts';

const OPTIONS = {
  fields: ['title', 'text'],
  tokenize: termsOf,
  processTerm: (term: string) => term,
  searchOptions: { boost: { title: 2 }, combineWith: 'OR' as const },
};

export const miniSearch: Engine = {
  name: 'MiniSearch 7.2.0',
  async build(docs) {
    const index = new MiniSearch(OPTIONS);
    index.addAll([...docs]);
    return {
      search: searcher(index),
      save: (folder) => saveJson(folder, index),
      load: async (folder) => ({ search: searcher(MiniSearch.loadJSON(await loadJson(folder), OPTIONS)) }),
    };
  },
};

function searcher(index: MiniSearch) {
  return (query: string, limit: number): string[] =>
    index
      .search(query)
      .slice(0, limit)
      .map(({ id }) => id as string);
}
