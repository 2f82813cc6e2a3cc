import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchStores } from '../../../src/core/search/query.ts';
import { createStore, openStore } from '../../../src/core/search/store.ts';
import { documentOf, letterEmbedder } from './documents.ts';

let root: string;
let saved: string;
let copies = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'loci-shards-'));
  saved = join(root, 'saved');
  await mkdir(saved);
  const store = createStore(letterEmbedder);
  store.replaceFile('a.md', documentOf('A', ['first text', 'second text']));
  await store.save(saved);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function copy(): Promise<string> {
  const folder = join(root, `copy-${copies++}`);
  await cp(saved, folder, { recursive: true });
  return folder;
}

const damaged = { name: 'UserError', code: 'damaged_index' };

describe('a saved store', () => {
  it('is refused when any one byte of any file differs', async () => {
    for (const name of await readdir(saved)) {
      const folder = await copy();
      const bytes = await readFile(join(folder, name));
      if (bytes.length === 0) continue;
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(join(folder, name), bytes);
      await expect(openStore(folder, letterEmbedder), name).rejects.toMatchObject(damaged);
    }
  });

  it('is refused when a file is cut short, or missing', async () => {
    for (const name of await readdir(saved)) {
      const cut = await copy();
      const { length } = await readFile(join(cut, name));
      if (length > 0) {
        await truncate(join(cut, name), length - 1);
        await expect(openStore(cut, letterEmbedder), name).rejects.toMatchObject(damaged);
      }
      const without = await copy();
      await rm(join(without, name));
      await expect(openStore(without, letterEmbedder), name).rejects.toMatchObject(damaged);
    }
  });

  it('is refused when there is none', async () => {
    await expect(openStore(join(root, 'absent'), null)).rejects.toMatchObject(damaged);
  });

  it('is not written over', async () => {
    await expect(createStore(null).save(saved)).rejects.toThrow();
  });

  it('keeps its words and makes its vectors anew for another model', async () => {
    const { encode: _, ...other } = { ...letterEmbedder, model: 'other', instant: false };
    const store = await openStore(saved, other);
    expect(store.semantic()).toMatchObject({ status: 'warming', done: 0, total: 2 });
    await store.embedPending();
    expect(store.semantic()).toMatchObject({ status: 'available', model: 'other' });
    const { hits } = await searchStores([{ store }], { query: 'second', mode: 'keyword', limit: 5 });
    expect(hits).toMatchObject([{ file: 'a.md', chunk: 1 }]);
  });

  it('is what the store was when saving began, whatever comes while it is written', async () => {
    const store = createStore(letterEmbedder);
    store.replaceFile('a.md', documentOf('A', ['first']));
    const folder = join(root, 'during');
    await mkdir(folder);
    const saving = store.save(folder);
    store.replaceFile('b.md', documentOf('B', ['later']));
    store.removeFile('a.md');
    await saving;
    const opened = await openStore(folder, letterEmbedder);
    expect(opened.chunks).toBe(1);
    expect(opened.text('a.md', 0)).toBe('first');
    expect(store.text('a.md', 0)).toBeUndefined();
  });

  it('of no files can be opened and filled', async () => {
    const folder = join(root, 'empty');
    await mkdir(folder);
    await createStore(null).save(folder);
    const store = await openStore(folder, null);
    store.replaceFile('a.md', documentOf('A', ['text']));
    expect(store.chunks).toBe(1);
  });
});
