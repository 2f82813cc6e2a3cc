import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createGraph } from '../../src/core/graph/graph.ts';
import { chooseEmbedder } from '../../src/core/search/embed/choose.ts';
import { parseSql } from '../../src/core/sql/parse/parse-sql.ts';

/** What the data context takes at scale. Times in milliseconds. */
export interface DataFigures {
  readonly models: number;
  readonly tables: number;
  readonly assets: number;
  readonly edges: number;
  readonly problems: number;
  readonly scan_ms: number;
  readonly reopen_ms: number;
  readonly one_file_ms: number;
  readonly longest_block_ms: number;
  readonly search_p50_ms: number;
  readonly search_p95_ms: number;
  readonly upstream_p95_ms: number;
  readonly memory_mb: number;
}

const SUBJECTS =
  'order customer payment invoice shipment product supplier employee account ticket session campaign refund contract device'.split(
    ' ',
  );
const WORDS =
  'amount status created_at country currency quantity score channel region reason owner_id updated_at'.split(' ');
const QUERIES = 400;

/** Scans a dbt project and a DDL dump made up here, then searches them. */
export async function measureData(models: number, tables: number): Promise<DataFigures> {
  const root = await mkdtemp(join(tmpdir(), 'loci data bench-'));
  try {
    const workspace = join(root, 'workspace');
    await writeProject(join(workspace, 'dbt'), models);
    await writeDump(join(workspace, 'db/schema.sql'), tables);
    const semantic = await chooseEmbedder({
      model: 'static',
      staticFolder: join(import.meta.dirname, '../../media/embedding'),
    });
    const open = async () => {
      const graph = createGraph({
        parseSql,
        now: Date.now,
        log: (_, message) => process.stderr.write(`${message}\n`),
        onChange() {},
      });
      const folders = [{ name: 'bench', path: workspace, exclude: [] }];
      await graph.configure({
        folders,
        storage: join(root, 'storage'),
        semantic,
        maxBytes: 64e6,
        waitMs: 600_000,
        samples: false,
      });
      return graph;
    };

    const blocks = watchBlocks();
    let graph = await open();
    const scan_ms = await timed(() => graph.methods.settled({ ms: 600_000 }));
    const longest_block_ms = blocks.stop();
    const { assets, edges, problems } = await graph.methods.status();
    for (const { file, line, message } of problems.slice(0, 5)) process.stderr.write(`${file}:${line} ${message}\n`);
    await graph.close();

    graph = await open();
    const reopen_ms = await timed(() => graph.methods.settled({ ms: 600_000 }));
    const changed = join(workspace, 'dbt/models/marts/mart_0.sql');
    await appendFile(changed, '-- changed\n');
    const one_file_ms = await timed(() => graph.methods.scan({ source_id: 'workspace' }));

    const search = await each(QUERIES, (i) =>
      graph.methods.search({
        query: queryAt(i),
        top_k: 15,
        offset: 0,
        source_system: '',
        node_type: '',
        connection_id: '',
        min_score: 0,
        include_raw: false,
      }),
    );
    const upstream = await each(100, (i) =>
      graph.methods.lineage({
        qualified_name: `dbt://bench/mart_${i}`,
        direction: 'upstream',
        depth: 20,
        max_nodes: 200,
        column: '',
      }),
    );
    await graph.close();
    return {
      models,
      tables,
      assets,
      edges,
      problems: problems.length,
      scan_ms,
      reopen_ms,
      one_file_ms,
      longest_block_ms,
      search_p50_ms: percentile(search, 0.5),
      search_p95_ms: percentile(search, 0.95),
      upstream_p95_ms: percentile(upstream, 0.95),
      memory_mb: Math.round(process.memoryUsage().rss / 1e6),
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function queryAt(i: number): string {
  const subject = SUBJECTS[i % SUBJECTS.length]!;
  const word = WORDS[i % WORDS.length]!;
  return [`${subject} ${word} by country`, `stg_${subject}_${i}`, `which tables hold ${subject}s`, `${word}`][i % 4]!;
}

/** Sources, staging models on them, intermediate models that join two, marts that aggregate: as a large project is layered. */
async function writeProject(folder: string, models: number): Promise<void> {
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const staging = Math.floor(models * 0.3);
  const intermediate = Math.floor(models * 0.4);
  const name = (i: number) => `${SUBJECTS[i % SUBJECTS.length]}_${i}`;
  await write('dbt_project.yml', 'name: bench\nmodels:\n  bench:\n    staging:\n      +materialized: view\n');
  await write(
    'models/staging/sources.yml',
    `sources:\n  - name: raw\n    tables:\n${Array.from({ length: staging }, (_, i) => `      - name: ${name(i)}\n        description: Raw ${name(i)} records`).join('\n')}\n`,
  );
  for (let i = 0; i < staging; i++) {
    const columns = WORDS.map((word) => `    ${word} as ${SUBJECTS[i % SUBJECTS.length]}_${word}`).join(',\n');
    await write(
      `models/staging/stg_${name(i)}.sql`,
      `with source as (\n  select * from {{ source('raw', '${name(i)}') }}\n)\nselect\n    id as ${SUBJECTS[i % SUBJECTS.length]}_id,\n${columns}\nfrom source\nwhere not is_deleted\n`,
    );
  }
  for (let i = 0; i < intermediate; i++) {
    const [a, b] = [i % staging, (i * 7 + 3) % staging];
    const [left, right] = [SUBJECTS[a % SUBJECTS.length]!, SUBJECTS[b % SUBJECTS.length]!];
    await write(
      `models/intermediate/int_${i}.sql`,
      `select\n    a.${left}_id,\n    a.${left}_amount,\n    a.${left}_status,\n    b.${right}_region as other_region,\n    coalesce(b.${right}_score, 0) as other_score\nfrom {{ ref('stg_${name(a)}') }} as a\nleft join {{ ref('stg_${name(b)}') }} as b on a.${left}_id = b.${right}_id\n`,
    );
  }
  const marts = models - staging - intermediate;
  for (let i = 0; i < marts; i++) {
    const source = i % intermediate;
    const left = SUBJECTS[(source % staging) % SUBJECTS.length]!;
    await write(
      `models/marts/mart_${i}.sql`,
      `{{ config(materialized='table') }}\n{% set statuses = ['open', 'done', 'void'] %}\nselect\n    ${left}_id,\n    {% for status in statuses %}\n    sum(case when ${left}_status = '{{ status }}' then ${left}_amount end) as {{ status }}_amount,\n    {% endfor %}\n    max(other_score) as best_score\nfrom {{ ref('int_${source}') }}\n{% if is_incremental() %}where ${left}_id > (select max(${left}_id) from {{ this }}){% endif %}\ngroup by 1\n`,
    );
  }
  const described = Array.from(
    { length: marts },
    (_, i) =>
      `  - name: mart_${i}\n    description: Totals of ${name(i)} by status\n    columns:\n      - name: best_score\n        tests: [not_null]`,
  );
  await write('models/marts/schema.yml', `models:\n${described.join('\n')}\n`);
}

async function writeDump(path: string, tables: number): Promise<void> {
  const statements = Array.from({ length: tables }, (_, i) => {
    const subject = SUBJECTS[i % SUBJECTS.length]!;
    const columns = WORDS.map(
      (word) =>
        `    ${word} ${/_at$/.test(word) ? 'timestamp with time zone' : /_id$|quantity/.test(word) ? 'bigint' : /amount|score/.test(word) ? 'numeric(12,2)' : 'character varying(80)'}`,
    );
    const table = `app.${subject}_${i}`;
    const key =
      i >= SUBJECTS.length
        ? `ALTER TABLE ONLY ${table}\n    ADD CONSTRAINT fk_${i} FOREIGN KEY (owner_id) REFERENCES app.${subject}_${i % SUBJECTS.length}(id);\n`
        : '';
    return `--\n-- Name: ${table}; Type: TABLE\n--\n\nCREATE TABLE ${table} (\n    id bigint NOT NULL,\n${columns.join(',\n')},\n    CONSTRAINT pk_${i} PRIMARY KEY (id)\n);\n\nALTER TABLE ${table} OWNER TO app;\nCOMMENT ON TABLE ${table} IS 'Holds ${subject} records, part ${i}.';\nCREATE INDEX ix_${i} ON ${table} USING btree (created_at);\n${key}`;
  });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, statements.join('\n'));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return Math.round(performance.now() - start);
}

async function each(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await work(i);
    times.push(performance.now() - start);
  }
  return times;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1));
}

/** Longest time that the thread did not answer. */
function watchBlocks(): { stop(): number } {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  return {
    stop() {
      clearInterval(timer);
      return Math.round(longest);
    },
  };
}
