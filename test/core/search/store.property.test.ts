import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder, SearchScope, SearchStore } from '../../../src/core/search/engine.ts';
import { searchStores } from '../../../src/core/search/query.ts';
import { createStore, openStore } from '../../../src/core/search/store.ts';
import { files, letterEmbedder, queries, toDocument } from './documents.ts';

type Files = Record<string, Parameters<typeof toDocument>[0]>;

let folder: string;
let saves = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function storeOf(some: Files, embedder: Embedder | null = letterEmbedder): SearchStore {
  const store = createStore(embedder);
  for (const [path, file] of Object.entries(some)) store.replaceFile(path, toDocument(file));
  return store;
}

async function reopened(store: SearchStore): Promise<SearchStore> {
  const own = join(folder, String(saves++));
  await mkdir(own);
  await store.save(own);
  return openStore(own, store.embedder);
}

/** Hits with everything about them but the store they are from. */
async function answers(stores: SearchStore[], words: string[], mode: 'keyword' | 'knowledge', scopes?: SearchScope[]) {
  const request = { query: words.join(' '), mode, limit: 6, explain: true, ...(scopes ? { scopes } : {}) };
  const { hits, corrections } = await searchStores(
    stores.map((store) => ({ store })),
    request,
  );
  const places = hits.map(({ store: _, duplicates, ...hit }) => ({
    ...hit,
    duplicates: (duplicates ?? []).map(({ file, chunk }) => `${file} ${chunk}`),
  }));
  return { places, corrections };
}

const modes = fc.constantFrom('keyword' as const, 'knowledge' as const);

describe('a store', () => {
  it('answers after saving and loading as before', async () => {
    await fc.assert(
      fc.asyncProperty(files, queries, modes, async (some, words, mode) => {
        const store = storeOf(some);
        const before = await answers([store], words, mode);
        expect(await answers([await reopened(store)], words, mode)).toEqual(before);
        expect(await answers([store], words, mode)).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  it('answers after adding, updating and removing as one built of what is left', async () => {
    await fc.assert(
      fc.asyncProperty(files, files, queries, modes, fc.boolean(), async (first, second, words, mode, save) => {
        let store = storeOf(first);
        if (save) store = await reopened(store);
        for (const path of Object.keys(first)) if (!(path in second)) store.removeFile(path);
        for (const [path, file] of Object.entries(second).reverse()) store.replaceFile(path, toDocument(file));
        const rebuilt = storeOf(second);
        expect(store.chunks).toBe(rebuilt.chunks);
        expect(await answers([store], words, mode)).toEqual(await answers([rebuilt], words, mode));
        expect(await answers([await reopened(store)], words, mode)).toEqual(await answers([rebuilt], words, mode));
      }),
      { numRuns: 80 },
    );
  });

  it('answers with another as one that holds all', async () => {
    await fc.assert(
      fc.asyncProperty(files, queries, modes, fc.integer({ min: 0, max: 5 }), async (some, words, mode, cut) => {
        const entries = Object.entries(some);
        const [left, right] = [entries.slice(0, cut), entries.slice(cut)].map((part) =>
          storeOf(Object.fromEntries(part)),
        );
        expect(await answers([left!, right!], words, mode)).toEqual(await answers([storeOf(some)], words, mode));
      }),
      { numRuns: 80 },
    );
  });

  it('answers within a scope with hits of that scope only, and all of them', async () => {
    const scopes = fc.constantFrom<SearchScope>(
      { prefix: 'docs/' },
      { file: 'docs/b.md' },
      { file: 'docs/b.md', first: 1, end: 3 },
      { prefix: '' },
      { file: 'absent.md' },
    );
    const within = (scope: SearchScope, file: string, chunk: number) =>
      file.startsWith(scope.prefix ?? '') &&
      (scope.file === undefined || (scope.file === file && chunk >= (scope.first ?? 0) && chunk < (scope.end ?? 1e9)));
    await fc.assert(
      fc.asyncProperty(files, queries, scopes, async (some, words, scope) => {
        const ask = (own?: SearchScope[]) =>
          searchStores([{ store: storeOf(some) }], {
            query: words.join(' '),
            mode: 'keyword',
            limit: 100,
            ...(own ? { scopes: own } : {}),
          });
        const places = ({ hits }: Awaited<ReturnType<typeof ask>>) =>
          hits.flatMap((hit) => [hit, ...(hit.duplicates ?? [])].map(({ file, chunk }) => ({ file, chunk })));
        const key = ({ file, chunk }: { file: string; chunk: number }) => `${file} ${chunk}`;
        const expected = places(await ask()).filter(({ file, chunk }) => within(scope, file, chunk));
        expect(
          places(await ask([scope]))
            .map(key)
            .sort(),
        ).toEqual(expected.map(key).sort());
      }),
      { numRuns: 60 },
    );
  });
});
