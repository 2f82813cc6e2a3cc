import { createRequire } from 'node:module';
import type { Engine } from '../engine.ts';
import { termsOf } from '../terms.ts';
import { loadJson, saveJson } from './json-file.ts';

interface Wink {
  defineConfig(config: object): void;
  definePrepTasks(tasks: ((text: string) => string[])[]): void;
  addDoc(doc: object, id: string): void;
  consolidate(): void;
  search(query: string, limit: number): [string, number][];
  exportJSON(): string;
  importJSON(json: string): void;
}

const createWink = createRequire(import.meta.url)('wink-bm25-text-search') as () => Wink;

function open(): Wink {
  const index = createWink();
  index.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 1.2, b: 0.75, k: 1 } });
  index.definePrepTasks([termsOf]);
  return index;
}

export const wink: Engine = {
  name: 'wink-bm25 3.1.2',
  async build(docs) {
    const index = open();
    for (const [i, { title, text }] of docs.entries()) index.addDoc({ text: `${title}\n${text}` }, String(i));
    index.consolidate();
    const searcher = (from: Wink) => (query: string, limit: number) =>
      from.search(query, limit).map(([i]) => docs[Number(i)]!.id);
    return {
      search: searcher(index),
      save: (folder) => saveJson(folder, index.exportJSON()),
      async load(folder) {
        const again = open();
        again.importJSON(await loadJson(folder));
        return { search: searcher(again) };
      },
    };
  },
};
