import lunr from 'lunr';
import type { Engine } from '../engine.ts';
import { plainWords } from '../terms.ts';
import { loadJson, saveJson } from './json-file.ts';

export const lunrEngine: Engine = {
  name: 'lunr 2.3.9',
  async build(docs) {
    const index = lunr((builder) => {
      builder.ref('id');
      builder.field('title', { boost: 2 });
      builder.field('text');
      for (const doc of docs) builder.add(doc);
    });
    return {
      search: searcher(index),
      save: (folder) => saveJson(folder, index),
      load: async (folder) => ({ search: searcher(lunr.Index.load(JSON.parse(await loadJson(folder)))) }),
    };
  },
};

// `search` would read a question's punctuation as operators.
function searcher(index: lunr.Index) {
  return (query: string, limit: number): string[] =>
    index
      .query((q) => q.term(plainWords(query), {}))
      .slice(0, limit)
      .map(({ ref }) => ref);
}
