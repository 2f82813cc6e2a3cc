import { describe, expect, test } from 'vitest';
import { databaseRoot, dialectInPath } from '../../../../src/core/graph/names.ts';
import { assetNamed, columnsOf, graphOf, problemsOf, sourcesOf, upstreamOf } from '../workspace.ts';

describe('migrations', () => {
  test('are applied in the order of their numbers, on top of the baseline, views last', async () => {
    const graph = await graphOf({
      'db/schema/base.sql':
        'CREATE TABLE app.users (id bigint PRIMARY KEY, mail text NOT NULL, old text);\nCREATE TABLE app.gone (id int);',
      'db/migrations/V10__rename.sql': 'ALTER TABLE app.people RENAME COLUMN mail TO email;',
      'db/migrations/V9__table.sql':
        'ALTER TABLE app.users RENAME TO people;\nALTER TABLE app.people ADD COLUMN born date;',
      'db/migrations/V11__drop.sql':
        "ALTER TABLE app.people DROP COLUMN old;\nDROP TABLE app.gone;\nCOMMENT ON COLUMN app.people.born IS 'Day of birth';",
      'db/views/v.sql': 'CREATE VIEW app.mails AS SELECT email, born FROM app.people;',
    });
    const people = 'postgres://workspace/app/people';
    expect(columnsOf(graph, people)).toEqual(['id bigint', 'email text', 'born date']);
    expect(assetNamed(graph, people).columns!.find(({ name }) => name === 'born')!.description).toBe('Day of birth');
    expect([...graph.assets.keys()]).toEqual(['postgres://workspace/app/mails', people]);
    expect(sourcesOf(graph, 'postgres://workspace/app/mails', 'email')).toEqual([`${people}#email`]);
    expect(problemsOf(graph)).toEqual([]);
  });

  test('a view keeps its sources when their columns are renamed after it', async () => {
    const graph = await graphOf({
      'm/1.sql': 'CREATE TABLE t (a int, b serial);\nCREATE VIEW v AS SELECT a AS x FROM t;',
      'm/2.sql': 'ALTER TABLE t RENAME COLUMN a TO aa;\nALTER TABLE t RENAME TO tt;',
    });
    expect(sourcesOf(graph, 'postgres://m/public/v', 'x')).toEqual(['postgres://m/public/tt#aa']);
  });

  test('parts and files that undo are left out', async () => {
    const graph = await graphOf({
      'migrations/1_a.sql': '-- +goose Up\nCREATE TABLE a (id serial);\n-- +goose Down\nDROP TABLE a;\n',
      'migrations/2_b.sql': '-- migrate:up\nCREATE TABLE b (id serial);\n-- migrate:down\nDROP TABLE b;\n',
      'migrations/3_c.up.sql': 'CREATE TABLE c (id serial);',
      'migrations/3_c.down.sql': 'DROP TABLE c;',
      'migrations/U4__undo.sql': 'DROP TABLE a;',
    });
    expect([...graph.assets.values()].map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(assetNamed(graph, 'postgres://workspace/public/b').place).toEqual({ file: 'migrations/2_b.sql', line: 2 });
  });

  test('a whole schema beside the migrations that made it is the same schema', async () => {
    const graph = await graphOf({
      'db/schema.sql': 'CREATE TABLE public.t (id serial, now text);',
      'db/migrate/1.sql': 'CREATE TABLE t (id serial, before text);',
      'db/migrate/2.sql': 'ALTER TABLE t RENAME COLUMN before TO now;',
    });
    expect(columnsOf(graph, 'postgres://workspace/public/t')).toEqual(['id serial', 'now text']);
    expect(assetNamed(graph, 'postgres://workspace/public/t').facts).toEqual({ also_defined_in: 'db/migrate/1.sql' });
  });

  test('a table that is like another has its columns; one made of a query those of the query', async () => {
    const graph = await graphOf({
      's.sql':
        'CREATE TABLE a (id serial, x text);\nCREATE TABLE b (LIKE a INCLUDING ALL);\nALTER TABLE b ADD COLUMN y int;\nCREATE TABLE c AS SELECT x AS z FROM a;',
    });
    expect(columnsOf(graph, 'postgres://workspace/public/b')).toEqual(['id serial', 'x text', 'y int']);
    expect(upstreamOf(graph, 'postgres://workspace/public/c')).toEqual(['postgres://workspace/public/a']);
    expect(sourcesOf(graph, 'postgres://workspace/public/c', 'z')).toEqual(['postgres://workspace/public/a#x']);
  });
});

test('inserts and merges are flows; what they name and nothing defines is external', async () => {
  const graph = await graphOf({
    'etl/load.sql': 'INSERT INTO mart.totals (day, sum) SELECT day, amount FROM raw.sales;',
    'schema.sql': 'CREATE TABLE mart.totals (day date, sum numeric(10, 2), id serial);',
  });
  expect(upstreamOf(graph, 'postgres://workspace/mart/totals')).toEqual(['postgres://workspace/raw/sales']);
  const external = assetNamed(graph, 'postgres://workspace/raw/sales');
  expect(external).toMatchObject({ origin: 'external', node_type: 'external' });
  expect(external.description).toContain('etl/load.sql:1');
  expect(sourcesOf(graph, 'postgres://workspace/mart/totals', 'sum')).toEqual([
    'postgres://workspace/raw/sales#amount',
  ]);
});

test('a file of queries is an asset that reads', async () => {
  const graph = await graphOf({
    'schema.sql': 'CREATE TABLE t (id serial, a int);',
    'analysis/q.sql': '-- How many there are.\n-- Run monthly.\nSELECT a, count(*) AS n FROM t GROUP BY a;',
  });
  expect(assetNamed(graph, 'file://analysis/q.sql')).toMatchObject({
    node_type: 'query',
    description: 'How many there are. Run monthly.',
    place: { file: 'analysis/q.sql', line: 3 },
  });
  expect(columnsOf(graph, 'file://analysis/q.sql')).toEqual(['a int', 'n ?']);
  expect(upstreamOf(graph, 'file://analysis/q.sql')).toEqual(['postgres://workspace/public/t']);
});

test('a statement that does not parse is a problem with its line, and the rest is kept', async () => {
  const graph = await graphOf({
    's.sql': 'CREATE TABLE a (id serial);\n\nCREATE TABL b (id int);\n\nCREATE TABLE c (id serial);',
  });
  expect([...graph.assets.values()].map(({ name }) => name)).toEqual(['a', 'c']);
  expect(graph.problems.map(({ file, line }) => [file, line])).toEqual([['s.sql', 3]]);
});

test('services with databases of their own keep them apart', async () => {
  const graph = await graphOf({
    'services/a/migrations/1.sql': 'CREATE TABLE users (id serial, a text);',
    'services/b/migrations/1.sql': 'CREATE TABLE users (id serial, b text);\nCREATE VIEW v AS SELECT b FROM users;',
  });
  expect([...graph.assets.keys()]).toEqual([
    'postgres://services/a/public/users',
    'postgres://services/b/public/users',
    'postgres://services/b/public/v',
  ]);
  expect(upstreamOf(graph, 'postgres://services/b/public/v')).toEqual(['postgres://services/b/public/users']);
});

test('search_path and USE say which schema a name without one means', async () => {
  const graph = await graphOf({
    'pg.sql': 'SET search_path TO sales;\nCREATE TABLE t (id serial);',
    'mysql/s.sql': 'USE shop;\nCREATE TABLE `t` (`id` INT AUTO_INCREMENT PRIMARY KEY) ENGINE=InnoDB;',
  });
  expect([...graph.assets.keys()]).toEqual(['mysql://workspace/shop/t', 'postgres://workspace/sales/t']);
});

test.each([
  ['sql/schema/core.sql', 'workspace'],
  ['services/billing/db/migrations/V1.sql', 'services/billing'],
  ['prisma/migrations/20240101_init/migration.sql', 'workspace'],
  ['apps/web/prisma/migrations/1/migration.sql', 'apps/web'],
  ['@other/sql/x.sql', '@other'],
  ['x.sql', 'workspace'],
])('the database of %s is %s', (file, root) => {
  expect(databaseRoot(file)).toBe(root);
});

test.each([
  ['Chinook_Sqlite.sql', 'sqlite'],
  ['db/mysql/schema.sql', 'mysql'],
  ['postgres-init.sql', 'postgres'],
  ['migrations/002_postgres_indexes.sql', undefined],
  ['schema.sql', undefined],
])('the dialect that %s speaks of is %s', (file, dialect) => {
  expect(dialectInPath(file)).toBe(dialect);
});
