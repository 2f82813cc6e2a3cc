import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { loadCollection } from './collection.ts';
import { measureData } from './data.ts';
import { ENGINES } from './engines/all.ts';
import { lociHybrid, lociLexical } from './engines/loci.ts';
import { type Measured, measure } from './measure.ts';
import { report } from './report.ts';

const USAGE = `npm run bench [-- quick|full] [--collections DIR] [--engine NAME]...
  quick (the default): every engine on every collection, and at 20,000 chunks; about ten minutes
  full: at 100,000 chunks too
  --engine: only engines whose name contains NAME
npm run bench -- retrieval DIR: Loci alone on one folder of docs.jsonl, queries.jsonl, qrels.jsonl; one JSON line an engine
npm run bench -- data: the data context over a dbt project of 2,000 models and a DDL dump of 5,000 tables; one JSON line`;

const HERE = import.meta.dirname;
const run = promisify(execFile);

const [command = 'quick', ...rest] = process.argv.slice(2);
if (command === 'retrieval' && rest.length === 1) await retrieval(rest[0]!);
else if (command === 'data' && rest.length === 0) {
  process.stdout.write(`${JSON.stringify(await measureData(2000, 5000), undefined, 1)}\n`);
} else if (command === 'quick' || command === 'full') await compare(command === 'full', rest);
else {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
}

async function retrieval(folder: string): Promise<void> {
  const collection = await loadCollection(folder);
  for (const engine of [lociLexical, lociHybrid]) {
    const { ndcg10, r100, p50_ms, p95_ms, index_ms } = await measure(engine, collection);
    const line = { collection: collection.name, engine: engine.name, ndcg10, r100, p50_ms, p95_ms, index_ms };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}

async function compare(full: boolean, options: readonly string[]): Promise<void> {
  const folder = resolve(option(options, '--collections')[0] ?? join(HERE, '../../../shared/retrieval'));
  const wanted = option(options, '--engine');
  const engines = ENGINES.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  const folders = (await readdir(folder)).map((name) => join(folder, name));
  const results: Measured[] = [];
  for (const each of folders) {
    for (const { name } of engines) results.push(await runOne(name, ['collection', '0', '10000', each]));
  }
  for (const chunks of full ? [20_000, 100_000] : [20_000]) {
    for (const { name, mostDocs = Number.POSITIVE_INFINITY } of engines) {
      if (chunks <= mostDocs) results.push(await runOne(name, ['scale', String(chunks), '300', ...folders]));
    }
  }
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, ${process.platform}. One process an engine; latency of the best 10 (fastest of three), quality of the best 100.`;
  const text = report(
    results,
    folders.map((each) => basename(each)),
    machine,
  );
  await mkdir('bench-results', { recursive: true });
  await writeFile('bench-results/bench.md', text);
  await writeFile('bench-results/bench.json', `${JSON.stringify(results, undefined, 1)}\n`);
  process.stdout.write(`${text}\nWritten to bench-results/.\n`);
}

async function runOne(engine: string, parameters: readonly string[]): Promise<Measured> {
  process.stderr.write(`${engine}: ${parameters.slice(0, 2).join(' ')} ${basename(parameters[3]!)}\n`);
  const script = join(HERE, 'run-one.ts');
  const { stdout } = await run(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=6000', script, engine, ...parameters],
    {
      maxBuffer: 1e8,
    },
  );
  return JSON.parse(stdout) as Measured;
}

function option(options: readonly string[], name: string): string[] {
  return options.flatMap((value, i) => (options[i - 1] === name ? [value] : []));
}
