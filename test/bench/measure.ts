import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection } from './collection.ts';
import type { Engine } from './engine.ts';
import { judge, mean, percentile, type Quality } from './metrics.ts';

export interface Measured extends Quality {
  readonly engine: string;
  readonly collection: string;
  readonly docs: number;
  readonly index_ms: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  /** From files on disk to the first answer. */
  readonly load_ms: number;
  readonly disk_mb: number;
  /** JavaScript heap and buffers that the index holds, documents not counted; a native engine's own memory does not show. */
  readonly memory_mb: number;
}

const WARM_UP = 10;
/** Times each query is asked; the fastest counts, so that whatever else the machine does weighs less. */
const RUNS = 3;

/** Builds, searches, saves and loads one engine on one collection. `queries` caps the number asked. */
export async function measure(
  engine: Engine,
  collection: Collection,
  queries = Number.POSITIVE_INFINITY,
): Promise<Measured> {
  const asked = collection.queries.slice(0, queries);
  const before = memory();
  const start = performance.now();
  const built = await engine.build(collection.docs);
  await built.search(asked[0]?.text ?? 'first', 10);
  const index_ms = performance.now() - start;
  const memory_mb = (memory() - before) / 1e6;
  for (const { text } of asked.slice(0, WARM_UP)) await built.search(text, 10);
  const times: number[] = [];
  for (const { text } of asked) {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < RUNS; run++) {
      const from = performance.now();
      await built.search(text, 10);
      best = Math.min(best, performance.now() - from);
    }
    times.push(best);
  }
  const judged: Quality[] = [];
  for (const { id, text } of asked) {
    const grades = collection.judgements.get(id);
    if (grades !== undefined) judged.push(judge(await built.search(text, 100), grades));
  }
  const folder = await mkdtemp(join(tmpdir(), 'loci-bench-'));
  await built.save(folder);
  const disk_mb = (await folderBytes(folder)) / 1e6;
  const reopened = performance.now();
  await (await built.load(folder)).search(asked[0]?.text ?? 'first', 10);
  const load_ms = performance.now() - reopened;
  await rm(folder, { recursive: true, force: true });
  return {
    engine: engine.name,
    collection: collection.name,
    docs: collection.docs.length,
    ndcg10: mean(judged.map(({ ndcg10 }) => ndcg10)),
    r100: mean(judged.map(({ r100 }) => r100)),
    mrr10: mean(judged.map(({ mrr10 }) => mrr10)),
    index_ms,
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
    load_ms,
    disk_mb,
    memory_mb,
  };
}

function memory(): number {
  // Twice: buffers are freed by finalisers that the first collection only queues.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function folderBytes(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
