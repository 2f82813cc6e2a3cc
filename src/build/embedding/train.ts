/**
 * Makes the static embedding that the extension ships: fetches the corpora, makes pairs of them, trains the table and
 * writes it. Each stage keeps its result in the cache and is skipped where that exists.
 *
 *   node src/build/embedding/train.ts [--cache DIR] [--judged DIR] [--output DIR] [--steps N]
 *
 * Needs apt-get, dpkg-deb, npm, tar, unzip and cc, 20 GB of disk and 8 GB of memory; an hour on one core.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writePairs } from './corpus.ts';
import { encodeCorpus, vocabularyOf } from './encode.ts';
import { fetchDebian, fetchNpm } from './fetch.ts';
import { flatten } from './flatten.ts';
import { HELD_OUT, writeHeldOut } from './held-out.ts';
import { writeModel } from './model.ts';
import { judgedOverlap } from './overlap.ts';
import { compileTrainer, runTrainer } from './trainer.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../../..');

/** What the measurements in media/embedding/NOTICE.md chose. */
const SHIPPED = { name: 'loci-static', version: 2, dimensions: 256, words: 29_000, buckets: 7_500 };
const TRAINING = {
  batch: 1024,
  rate: 0.1,
  temperature: 0.05,
  'drop-text': 0.25,
  'drop-query': 0.15,
  'cut-out': 0.15,
  seed: 1,
};
const EVENED = { length: 0.8, spread: 0.8 };

const { values: options } = parseArgs({
  options: {
    cache: { type: 'string', default: join(homedir(), '.cache/loci-embedding') },
    judged: { type: 'string', default: join(ROOT, '../shared/retrieval') },
    output: { type: 'string', default: join(ROOT, 'media/embedding') },
    steps: { type: 'string', default: '8000' },
  },
});
const cache = resolve(options.cache);
const say = (line: string) => console.log(line);
mkdirSync(cache, { recursive: true });

const debian = list('debian.txt').map((name) => fetchDebian(name, cache));
const npm = list('npm.txt').map((spec) => fetchNpm(spec, cache));
for (const heldOut of HELD_OUT) {
  for (const name of heldOut.packages) fetchDebian(name, cache);
  const folder = join(cache, 'held-out', heldOut.name);
  if (!existsSync(folder)) writeHeldOut(folder, heldOut, join(cache, 'debian'));
}

const pairs = join(cache, 'pairs.tsv');
if (!existsSync(pairs)) {
  const collections = existsSync(options.judged) ? readdirSync(options.judged) : [];
  if (collections.length === 0) say(`No judged collections in ${options.judged}: none are kept out of the corpus`);
  const overlap = judgedOverlap(collections.map((name) => join(options.judged, name)));
  writePairs(`${pairs}.unfinished`, { packages: [...debian, ...npm], overlap, say });
  renameSync(`${pairs}.unfinished`, pairs);
}

const corpus = join(cache, `corpus-${SHIPPED.words}-${SHIPPED.buckets}.bin`);
const words = `${corpus}.words`;
if (!existsSync(corpus)) {
  const vocabulary = await vocabularyOf(pairs, SHIPPED.words);
  writeFileSync(words, vocabulary.join('\n'));
  say(`${await encodeCorpus(pairs, `${corpus}.unfinished`, vocabulary, SHIPPED.buckets)} pairs encoded`);
  renameSync(`${corpus}.unfinished`, corpus);
}

const table = join(cache, 'table.f32');
runTrainer(compileTrainer(cache), {
  corpus,
  output: table,
  dimensions: SHIPPED.dimensions,
  steps: options.steps,
  ...TRAINING,
});
const bytes = readFileSync(table);
const trained = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
const values = flatten(trained, SHIPPED.dimensions, EVENED);
writeModel(resolve(options.output), { ...SHIPPED, vocabulary: readFileSync(words, 'utf8').split('\n'), values });
say(
  `Wrote ${resolve(options.output)}; measure it with: npm run bench -- retrieval ${join(cache, 'held-out', HELD_OUT[0]!.name)}`,
);

function list(name: string): string[] {
  return readFileSync(join(HERE, 'packages', name), 'utf8')
    .split('\n')
    .filter(Boolean);
}
