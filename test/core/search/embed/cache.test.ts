import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CachedEmbedder, createCachedEmbedder } from '../../../../src/core/search/embed/cache.ts';
import type { Embedder } from '../../../../src/core/search/engine.ts';
import { letterEmbedder } from '../documents.ts';

let folder: string;
const open: CachedEmbedder[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-cache-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.dispose()));
  await rm(folder, { recursive: true, force: true });
});

/** A cached embedder and the texts it had its model embed. */
async function cached(model = 'letters') {
  const made: string[] = [];
  const slow: Embedder = {
    ...letterEmbedder,
    model,
    instant: false,
    embed: async (texts) => {
      made.push(...texts);
      return texts.map(letterEmbedder.encode);
    },
  };
  const embedder = await createCachedEmbedder(slow, folder);
  open.push(embedder);
  return { embedder, made };
}

const file = async () => join(folder, (await readdir(folder))[0]!);

describe('the vector cache', () => {
  it('makes each text once, over restarts too, and gives back the same vectors', async () => {
    const first = await cached();
    const vectors = await first.embedder.embed(['a', 'bb', 'a'], 'document');
    const second = await cached();
    expect(await second.embedder.embed(['bb', 'a', 'ccc'], 'document')).toEqual([
      vectors[1],
      vectors[0],
      letterEmbedder.encode('ccc'),
    ]);
    expect(second.made).toEqual(['ccc']);
  });

  it('shares with a process that is open at the same time', async () => {
    const [left, right] = [await cached(), await cached()];
    await left.embedder.embed(['a'], 'document');
    await right.embedder.embed(['b'], 'document');
    await left.embedder.embed(['b', 'a'], 'document');
    expect([left.made, right.made]).toEqual([['a'], ['b']]);
  });

  it('keeps models apart, and does not keep queries', async () => {
    await (await cached()).embedder.embed(['a'], 'document');
    const other = await cached('other');
    await other.embedder.embed(['a'], 'document');
    await other.embedder.embed(['q'], 'query');
    await other.embedder.embed(['q'], 'query');
    expect(other.made).toEqual(['a', 'q', 'q']);
  });

  it('skips a record that was cut short or damaged, and finds those after it', async () => {
    const first = await cached();
    await first.embedder.embed(['a'], 'document');
    const whole = await readFile(await file());
    await appendFile(await file(), whole.subarray(0, 20));
    await first.embedder.embed(['b', 'c'], 'document');
    const second = await cached();
    await second.embedder.embed(['a', 'b', 'c'], 'document');
    expect(second.made).toEqual([]);
    const bytes = await readFile(await file());
    bytes[30]! ^= 1;
    await writeFile(await file(), bytes);
    const third = await cached();
    await third.embedder.embed(['a', 'b', 'c'], 'document');
    expect(third.made).toEqual(['a']);
  });
});
