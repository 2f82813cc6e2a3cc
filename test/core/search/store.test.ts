import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchStores } from '../../../src/core/search/query.ts';
import { createStore, openStore } from '../../../src/core/search/store.ts';
import { documentOf } from './documents.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a store', () => {
  it('finds what was put in, after saving and loading too', async () => {
    const store = createStore(null);
    store.replaceFile(
      'docs/a.md',
      documentOf('Alpha', ['The quick brown fox.\n', 'Jumps over constructor __proto__.']),
    );
    store.replaceFile('docs/b.md', documentOf('Beta', ['A lazy dog sleeps.']));
    store.replaceFile('docs/b.md', documentOf('Beta', ['A lazy cat sleeps.']));
    const ask = async (query: string, from = store) =>
      (await searchStores([{ store: from }], { query, mode: 'keyword', limit: 10 })).hits.map((hit) => [
        hit.file,
        hit.chunk,
      ]);
    expect(await ask('foxes')).toEqual([['docs/a.md', 0]]);
    expect(await ask('constructor')).toEqual([['docs/a.md', 1]]);
    expect(await ask('dog')).toEqual([]);
    await store.save(folder);
    const opened = await openStore(folder, null);
    expect(await ask('cats', opened)).toEqual([['docs/b.md', 0]]);
    expect(await ask('"brown fox"', opened)).toEqual([['docs/a.md', 0]]);
    expect(await ask('"fox brown"', opened)).toEqual([]);
    expect(opened.chunks).toBe(3);
    opened.removeFile('docs/a.md');
    expect(await ask('fox', opened)).toEqual([]);
    expect(opened.text('docs/b.md', 0)).toBe('A lazy cat sleeps.');
  });
});
