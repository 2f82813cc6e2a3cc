import { describe, expect, test } from 'vitest';
import { type Files, folderOf, scanFolder } from '../workspace.ts';

const MANY = 60_000;
const list = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i));
const grafana = (sql: string) =>
  JSON.stringify({ uid: 'd', title: 'D', schemaVersion: 1, panels: [{ targets: [{ rawSql: sql }] }] });
const card = (sql: string) => JSON.stringify([{ id: 1, name: 'Q', dataset_query: { native: { query: sql } } }]);
const notebook = (source: string) =>
  JSON.stringify({
    nbformat: 4,
    metadata: {},
    cells: [
      { cell_type: 'code', source },
      { cell_type: 'markdown', source },
    ],
  });

/** Texts on which a careless pattern or loop takes quadratic or exponential time. */
const CASES: Readonly<Record<string, Files>> = {
  'a macro that never closes': { 'd.json': grafana(`$__timeGroup(${'a'.repeat(MANY)}`) },
  'brackets that never close': {
    'c.json': card('[['.repeat(MANY)),
    'pages/p.md': `\`\`\`sql q\n${'${'.repeat(MANY)}\n\`\`\`\n`,
  },
  'blank lines': {
    'a.ipynb': notebook('\n'.repeat(MANY * 2)),
    'a.yaml': `${'\n'.repeat(MANY * 2)}x: 1`,
    'b.py': `import pandas${'\n'.repeat(MANY)}`,
  },
  'a line without end': {
    's.prisma': `model A {\n${'@relation('.repeat(MANY)}\n}`,
    'p.csv': `${'"'.repeat(MANY * 3)}`,
  },
  'wide files': {
    'w.csv': `${list(MANY, (i) => `c${i}`).join(',')}\n${list(MANY, () => '1').join(',')}\n`,
    'w.jsonl': `{${list(MANY, (i) => `"k${i}":1`).join(',')}}\n`,
  },
  'deep JSON': {
    'deep.json': '['.repeat(MANY * 10),
    'deep.ipynb': `{"cells":${'['.repeat(MANY)}`,
    'deep.jsonl': `${'['.repeat(MANY * 5)}\n`,
  },
  'everything before everything': {
    'dags/d.py': `from airflow import DAG\nwith DAG("d"):\n${list(600, (i) => `  t${i} = Op(task_id="t${i}")`).join('\n')}\n  [${list(300, (i) => `t${i}`).join(',')}] >> [${list(300, (i) => `t${i + 300}`).join(',')}]\n`,
    '.gitlab-ci.yml': `stages: [a, b]\n${list(1500, (i) => `j${i}: {stage: ${i % 2 ? 'a' : 'b'}, script: [x]}`).join('\n')}\n`,
  },
  'schemas of schemas of schemas': {
    'o.json': JSON.stringify({
      openapi: '3.0.0',
      paths: {},
      components: {
        schemas: Object.fromEntries(
          list(60, (i) => `S${i}`).map((name) => [
            name,
            { allOf: list(60, (i) => `S${i}`).map((other) => ({ $ref: `#/components/schemas/${other}` })) },
          ]),
        ),
      },
    }),
  },
  'tables and views without number': {
    's.sql': `${list(300, (i) => `CREATE TABLE t${i} (a int, b int);`).join('\n')}\n${list(300, (i) => `CREATE OR REPLACE VIEW v AS SELECT * FROM t${i};`).join('\n')}\n${list(2000, (i) => `INSERT INTO t0 SELECT a, b FROM t${1 + (i % 299)};`).join('\n')}`,
  },
  'half a file': {
    'x.ipynb': '{"cells": [{"cell_type": "code", "sour',
    'x.json': '{"panels": [',
    'x.sql': "CREATE TABLE a (id int, b text DEFAULT 'unclosed",
    'x.yml': 'jobs: [',
  },
  'no text at all': Object.fromEntries(
    ['sql', 'py', 'json', 'yaml', 'csv', 'ipynb', 'prisma', 'graphql', 'jsonl', 'parquet', 'db', 'sqlite'].map(
      (extension) => [`x.${extension}`, new Uint8Array(5000).map((_, i) => (i * 7919) % 256)],
    ),
  ),
  'nothing at all': Object.fromEntries(
    ['sql', 'py', 'json', 'yaml', 'csv', 'ipynb', 'prisma', 'graphql', 'jsonl', 'parquet', 'db', 'sqlite'].map(
      (extension) => [`x.${extension}`, ''],
    ),
  ),
};

describe('hostile files', () => {
  test.each(Object.entries(CASES))(
    '%s: the scan ends, and no scanner fails',
    async (_, files) => {
      const { logged, graph } = await scanFolder(folderOf({ ...files, 'good.csv': 'a\n1\n' }));
      expect(logged).toEqual([]);
      expect(graph.assets.has('file://good.csv')).toBe(true);
      expect(graph.edges).toBeLessThan(100_000);
    },
    15_000,
  );
});
