import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDomain } from './domain.ts';

const shop = {
  script: `create table customers (id integer primary key, name text not null);
    create table orders (id integer primary key, customer_id int references customers (id), amount real, note blob);
    create view totals as select customer_id, sum(amount) as total from orders group by 1;
    insert into customers values (1, 'Ann'), (2, 'Bob''s');
    insert into orders values (1, 1, 2.5, x'00ff'), (2, 1, 9007199254740993, null), (3, 2, null, null)`,
};
const registered = { config: { connections: [{ type: 'sqlite', name: 'shop', path: 'shop.sqlite' }] } };

describe('a SQLite connection', () => {
  test('gives typed columns and values as JSON', async () => {
    const { run } = await openDomain({ 'shop.sqlite': shop }, registered);
    expect(
      await run('sqlite.shop', 'select o.*, 1 + 1 as two, 9007199254740993 as big from orders o order by id'),
    ).toMatchObject({
      connection_id: 'sqlite.shop',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'customer_id', type: 'int' },
        { name: 'amount', type: 'real' },
        { name: 'note', type: 'blob' },
        { name: 'two', type: 'integer' },
        { name: 'big', type: 'integer' },
      ],
      rows: [
        [1, 1, 2.5, '\\x00ff', 2, '9007199254740993'],
        [2, 1, 9007199254740992, null, 2, '9007199254740993'],
        [3, 2, null, null, 2, '9007199254740993'],
      ],
      more: false,
      ordered: true,
    });
  });

  test('pages meet every row once', async () => {
    const { run } = await openDomain(
      {
        'shop.sqlite': {
          script:
            'create table n as with recursive r(i) as (select 0 union all select i + 1 from r where i < 99) select i from r',
        },
      },
      registered,
    );
    const seen: unknown[] = [];
    for (let offset = 0, more = true; more; ) {
      const page = await run('shop', 'select i from n order by i', { limit: 30, offset });
      seen.push(...page.rows.map(([i]) => i));
      offset += page.rows.length;
      more = page.more;
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  test('is read without a trace', async () => {
    const { folder, run } = await openDomain(
      { 'shop.sqlite': { script: `pragma journal_mode = wal; ${shop.script}` } },
      registered,
    );
    const before = statSync(join(folder, 'shop.sqlite')).mtimeMs;
    for (const sql of [
      'delete from orders',
      "insert into orders values (9, 9, 9, '')",
      'pragma user_version = 7',
      `attach '${folder}/other.db' as x`,
      `vacuum into '${folder}/copy.db'`,
      'create temp table x (a)',
      "select load_extension('x')",
    ]) {
      await expect(run('sqlite.shop', sql)).rejects.toMatchObject({ code: 'not_read_only' });
    }
    expect((await run('sqlite.shop', 'select count(*) from orders')).rows).toEqual([[3]]);
    expect(statSync(join(folder, 'shop.sqlite')).mtimeMs).toBe(before);
    expect(readdirSync(folder).filter((name) => !/^shop\.sqlite(?:-wal|-shm)?$/.test(name))).toEqual([]);
  });

  test('is written to only where that is allowed', async () => {
    const domain = await openDomain({ 'shop.sqlite': shop }, registered);
    await domain.configure({ ...registered.config, allowWrites: true });
    expect(await domain.run('sqlite.shop', 'update orders set amount = 1 where customer_id = 1')).toMatchObject({
      changed: 2,
      columns: [],
    });
    expect((await domain.run('sqlite.shop', 'select sum(amount) from orders')).rows).toEqual([[2]]);
    await expect(domain.run('sqlite.shop', 'delete from orders; delete from customers')).rejects.toMatchObject({
      code: 'not_read_only',
    });
    await expect(domain.run('workspace', 'delete from "shop.sqlite".orders')).rejects.toMatchObject({
      code: 'not_read_only',
    });
  });

  test('explains errors with the nearest names', async () => {
    const { run } = await openDomain({ 'shop.sqlite': shop }, registered);
    await expect(run('sqlite.shop', 'select * from order')).rejects.toMatchObject({ code: 'sql_error' });
    await expect(run('sqlite.shop', 'select * from costumers')).rejects.toMatchObject({
      message: 'no such table: costumers',
      next: 'Nearest tables: customers.',
    });
    await expect(run('sqlite.shop', 'select o.amout from orders o')).rejects.toMatchObject({
      next: 'Nearest columns: orders.amount.',
    });
    await expect(run('sqlite.shop', 'select xyz from customers')).rejects.toMatchObject({
      next: 'Columns of customers: id, name.',
    });
  });

  test('stops at the time limit and when it is told to, whatever SQLite is doing', async () => {
    const { run, sql } = await openDomain(
      { 'shop.sqlite': shop },
      { config: { ...registered.config, timeoutMs: 1000 } },
    );
    const endless = 'with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r';
    await expect(run('sqlite.shop', endless)).rejects.toMatchObject({ code: 'timeout' });
    const abort = new AbortController();
    const running = sql.run(
      {
        connection_id: 'sqlite.shop',
        sql: endless,
        limit: 1,
        offset: 0,
        caller: { thread: undefined, agent: undefined },
      },
      abort.signal,
    );
    setTimeout(() => abort.abort(), 200);
    await expect(running).rejects.toThrow();
  });

  test('tells its tables, columns, keys and views', async () => {
    const { port } = await openDomain({ 'shop.sqlite': shop }, registered);
    expect(await port.harvest('sqlite.shop')).toMatchObject([
      {
        name: 'customers',
        kind: 'table',
        columns: [
          { name: 'id', primary_key: true },
          { name: 'name', nullable: false },
        ],
      },
      {
        name: 'orders',
        columns: [{}, { name: 'customer_id', references: { table: 'customers', column: 'id' } }, {}, {}],
      },
      {
        name: 'totals',
        kind: 'view',
        columns: [{ name: 'customer_id' }, { name: 'total' }],
        definition: expect.stringMatching(/^create view totals/i),
      },
    ]);
  });

  test('that cannot be opened says so, and its status follows', async () => {
    const domain = await openDomain(
      { 'text.sqlite': 'no database at all' },
      {
        config: {
          connections: [
            { type: 'sqlite', name: 'gone', path: 'gone.db' },
            { type: 'sqlite', name: 'text', path: 'text.sqlite' },
          ],
        },
      },
    );
    const statuses = async () => (await domain.port.list()).map(({ status }) => status);
    expect(await statuses()).toEqual(['bound_unmeasured', 'bound_unmeasured']);
    for (const name of ['gone', 'text'])
      await expect(domain.run(`sqlite.${name}`, 'select 1')).rejects.toMatchObject({ code: 'unreachable' });
    expect(await statuses()).toEqual(['bound_unreachable', 'bound_unreachable']);
    expect(readdirSync(domain.folder)).toEqual(['text.sqlite']);
  });
});

describe('the data files of the workspace', () => {
  const files = {
    'data/claims.csv': '\uFEFFid;region;code;amount\r\n1;"North; East";007;1.5\r\n2;South;008;\r\n',
    'data/regions.tsv': 'name\tzone\nSouth\tS\n',
    'data/events.jsonl': '{"id": 1, "tags": ["a"]}\n\n{"id": 2, "extra": true}\n',
    'data/rates.json': '{"source": "x", "rates": [{"code": "007", "rate": 0.5}]}',
    'data/shop.sqlite': shop,
    'package.json': '{}',
  };

  test('are tables by path or by name', async () => {
    const { run } = await openDomain(files);
    const joined =
      'select c.id, c.region, c.code, typeof(c.amount), r.rate, z.zone from claims c left join rates r using (code) left join "data/regions.tsv" z on z.name = c.region order by 1';
    expect((await run('workspace', joined)).rows).toEqual([
      [1, 'North; East', '007', 'real', 0.5, null],
      [2, 'South', '008', 'null', null, 'S'],
    ]);
    expect((await run('workspace', 'select id, tags, extra from "events.jsonl"')).rows).toEqual([
      [1, '["a"]', null],
      [2, null, 1],
    ]);
    expect(
      (await run('files.workspace', 'select name from "data/shop.sqlite".customers join claims using (id)')).rows,
    ).toEqual([['Ann'], ["Bob's"]]);
  });

  test('are named in errors', async () => {
    const { run } = await openDomain({
      ...files,
      'old/claims.csv': 'id\n1\n',
      'warehouse.duckdb': 'x',
      'bad.jsonl': '{"a": 1}\n{"a": \n',
    });
    await expect(run('workspace', 'select * from claims')).rejects.toMatchObject({
      code: 'ambiguous_table',
      message: expect.stringContaining('data/claims.csv, old/claims.csv'),
    });
    await expect(run('workspace', 'select * from regins')).rejects.toMatchObject({
      next: 'Nearest tables: data/regions.tsv.',
    });
    await expect(run('workspace', 'select * from warehouse')).rejects.toMatchObject({ code: 'duckdb_not_readable' });
    await expect(run('workspace', 'select * from shop')).rejects.toMatchObject({ code: 'not_a_table' });
    await expect(run('workspace', 'select * from bad')).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('line 2'),
    });
    await expect(run('workspace', 'select 1 from package')).rejects.toMatchObject({ code: 'sql_error' });
  });

  test('may be empty, ragged or broken', async () => {
    const { run } = await openDomain({
      'empty.csv': '',
      'head.csv': 'a,b\n',
      'twice.csv': 'a,A,a\n1,2,3\n',
      'cases.jsonl': '{"id": 1, "ID": 2}\n',
      'ragged.csv': 'a,b\n1\n1,2,3\n"un"quoted,x\n',
      'utf16.csv': Buffer.from('\uFEFFa\né\n', 'utf16le'),
      'broken.parquet': 'PAR1xxxx',
    });
    expect((await run('workspace', 'select count(*) from empty')).rows).toEqual([[0]]);
    expect(await run('workspace', 'select a, b from head')).toMatchObject({
      rows: [],
      columns: [{ name: 'a' }, { name: 'b' }],
    });
    expect((await run('workspace', 'select a, b, column3 from ragged limit 2')).rows).toEqual([
      ['1', null, null],
      ['1', '2', 3],
    ]);
    expect((await run('workspace', 'select a, a_2, a_3 from twice')).rows).toEqual([[1, 2, 3]]);
    expect((await run('workspace', 'select id, id_2 from cases')).rows).toEqual([[1, 2]]);
    expect((await run('workspace', 'select a from utf16')).rows).toEqual([['é']]);
    await expect(run('workspace', 'select * from broken')).rejects.toMatchObject({ code: 'unreadable' });
  });

  test('include no folder that is one of ours to leave alone', async () => {
    const { folder, sql } = await openDomain({
      'node_modules/x/data.csv': 'a\n',
      '.gitignore': 'ignored.csv\n',
      'ignored.csv': 'a\n',
      'kept.csv': 'a\n',
    });
    mkdirSync(join(folder, 'empty'));
    expect((await sql.files(undefined)).files.map(({ path }) => path)).toEqual(['kept.csv']);
  });
});
