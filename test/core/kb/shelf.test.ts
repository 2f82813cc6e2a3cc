import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShelf, type ShelfTools } from '../../../src/core/kb/shelf.ts';
import { chunkDocument } from '../../../src/core/search/chunk.ts';
import { readMarkdown } from '../../../src/core/search/formats/markdown.ts';
import { createStore, openStore } from '../../../src/core/search/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loci-shelf-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A shelf over `folder`; `beforeRead` runs while a file is being read, when the folder has been listed already. */
function open(beforeRead: () => Promise<void> | void) {
  const tools: ShelfTools = {
    createStore: () => createStore(null),
    openStore: (saved) => openStore(saved, null),
    isDocument: (path) => path.endsWith('.md'),
    keepsLines: () => true,
    async read(path, bytes) {
      await beforeRead();
      return chunkDocument(await readMarkdown({ path, bytes }));
    },
    fingerprint: 'test',
    log: () => {},
  };
  const base = { id: 'workspace', name: 'ws', root: folder, exclude: [], maxBytes: 1_000_000 };
  return openShelf(base, join(folder, '.index'), tools, () => {});
}

test('a change during a run is seen by the sync that it asks for', async () => {
  writeFileSync(join(folder, 'first.md'), '# First');
  const asked: Promise<void>[] = [];
  const shelf = await open(() => {
    if (asked.length > 0) return;
    writeFileSync(join(folder, 'second.md'), '# Second');
    asked.push(shelf.sync(), shelf.sync());
  });
  await shelf.sync();
  expect(asked[0]).toBe(asked[1]);
  await Promise.all(asked);
  expect([...shelf.catalog.files.keys()].sort()).toEqual(['first.md', 'second.md']);
});

test('what is forgotten during a run is read again', async () => {
  writeFileSync(join(folder, 'a.md'), '# A');
  writeFileSync(join(folder, 'b.md'), '# B');
  let rebuilt: Promise<void> | undefined;
  let reads = 0;
  const shelf = await open(() => {
    if (++reads !== 2) return;
    shelf.clear();
    rebuilt = shelf.sync();
  });
  await shelf.sync();
  await rebuilt;
  expect([...shelf.catalog.files.keys()].sort()).toEqual(['a.md', 'b.md']);
  expect(shelf.store.text('a.md', 0)).toBe('# A');
});
