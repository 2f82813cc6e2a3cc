import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Domain, openDomain } from './domain.ts';
import { harmlessPostgres, hostilePostgres } from './gate/hostile.ts';
import { ADMIN_PASSWORD, type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = await startPostgres();
  await server?.admin(`
    create role reader login password 'secret'; create schema shop; create sequence s;
    create table shop.customers (id int primary key, name text not null);
    create table shop.orders (id serial primary key, customer_id int not null references shop.customers (id), amount numeric(10, 2), placed timestamptz, tags jsonb);
    create table t (a int, b int, c int, d int, e text, f text, g text, h timestamptz);
    comment on table shop.orders is 'What was sold'; comment on column shop.orders.amount is 'In euros';
    create view shop.totals as select customer_id, sum(amount) as total from shop.orders group by 1;
    insert into shop.customers values (1, 'Ann'), (2, 'Bob');
    insert into shop.orders (customer_id, amount, placed, tags) values (1, 2.50, '2026-01-02 03:04:05+00', '{"a": [1]}'), (2, null, null, null);
    create function sneaky() returns int language sql volatile as 'insert into public.t (a) values (1) returning a';
    create function honest(int) returns int language sql immutable as 'select $1 + 1';
    create function lower(t) returns text language sql volatile as 'select nextval(''s'')::text';
    grant usage on schema shop to reader; grant select on all tables in schema shop to reader;
    alter database postgres set search_path = public, shop`);
}, 60_000);
afterAll(() => server?.stop());

const connection = () => ({
  type: 'postgres',
  name: 'main',
  host: '127.0.0.1',
  port: server!.port,
  database: 'postgres',
  user: 'admin',
});
const passwords = () => ({ [`postgres://admin@127.0.0.1:${server!.port}/postgres`]: ADMIN_PASSWORD });
const open = (more: Parameters<typeof openDomain>[1] = {}) =>
  openDomain({}, { ...more, config: { connections: [connection()], passwords: passwords(), ...more.config } });

describe('a PostgreSQL connection', () => {
  test('gives typed columns and values as JSON', async ({ skip }) => {
    if (!server) return skip();
    const { run } = await open();
    expect(
      await run(
        'postgres.main',
        'select o.*, 9007199254740993 as big, true as yes, null as none from shop.orders o order by id',
      ),
    ).toMatchObject({
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'customer_id', type: 'integer' },
        { name: 'amount', type: 'numeric' },
        { name: 'placed', type: 'timestamp with time zone' },
        { name: 'tags', type: 'jsonb' },
        { name: 'big', type: 'bigint' },
        { name: 'yes', type: 'boolean' },
        { name: 'none', type: 'text' },
      ],
      rows: [
        [1, 1, '2.50', expect.stringContaining('2026-01-02'), { a: [1] }, '9007199254740993', true, null],
        [2, 2, null, null, null, '9007199254740993', true, null],
      ],
      more: false,
    });
    const page = await run('main', 'select g from generate_series(1, 1000) g', { limit: 300, offset: 650 });
    expect([page.rows.length, page.rows[0], page.more]).toEqual([300, [651], true]);
    expect((await run('main', 'explain select 1')).columns).toEqual([{ name: 'QUERY PLAN', type: 'text' }]);
    expect((await run('main', 'show server_version')).rows).toHaveLength(1);
  });

  test('is changed by nothing of the battery', async ({ skip }) => {
    if (!server) return skip();
    const { run } = await open();
    const state = () =>
      server!.admin(
        'select (select count(*) from t), (select count(*) from shop.orders), (select last_value from s), (select count(*) from pg_class), (select count(*) from pg_proc)',
      );
    const before = await state();
    for (const sql of [
      ...hostilePostgres,
      'select sneaky()',
      'select lower(t) from t',
      'select public.lower(t) from t',
    ]) {
      await expect(run('postgres.main', sql), sql).rejects.toMatchObject({ code: 'not_read_only' });
    }
    expect(await state()).toEqual(before);
  });

  test('answers harmless reads', async ({ skip }) => {
    if (!server) return skip();
    const { run } = await open();
    expect((await run('postgres.main', 'select honest(1), initcap(name) from customers')).rows).toEqual([
      [2, 'Ann'],
      [2, 'Bob'],
    ]);
    const refusals = await Promise.all(
      harmlessPostgres.map((sql) =>
        run('postgres.main', sql).then(
          () => '',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(refusals).not.toContain('not_read_only');
  });

  test('writes only where that is allowed', async ({ skip }) => {
    if (!server) return skip();
    const domain = await open({ config: { allowWrites: true } });
    expect(await domain.run('postgres.main', 'insert into t (a) values (41), (42)')).toMatchObject({ changed: 2 });
    expect(await domain.run('postgres.main', 'delete from t where a > 40 returning a')).toMatchObject({
      rows: [[41], [42]],
    });
    await expect(domain.run('postgres.main', 'delete from t; drop table t')).rejects.toMatchObject({
      code: 'not_read_only',
    });
  });

  test('explains errors with place and nearest names', async ({ skip }) => {
    if (!server) return skip();
    const { run } = await open();
    await expect(run('postgres.main', 'select *\nfrom custmers')).rejects.toMatchObject({
      message: 'relation "custmers" does not exist (line 2, column 6)',
      next: 'Nearest tables: shop.customers.',
    });
    await expect(run('postgres.main', 'select amout from shop.orders')).rejects.toMatchObject({
      next: expect.stringContaining('orders.amount'),
    });
  });

  test('cancels what runs too long or is not wanted any more', async ({ skip }) => {
    if (!server) return skip();
    const { run, sql } = await open({ config: { timeoutMs: 1000 } });
    const endless = 'select count(*) from generate_series(1, 100000000000) g';
    await expect(run('postgres.main', endless)).rejects.toMatchObject({ code: 'timeout' });
    const abort = new AbortController();
    const running = sql.run(
      {
        connection_id: 'postgres.main',
        sql: endless,
        limit: 1,
        offset: 0,
        caller: { thread: undefined, agent: undefined },
      },
      abort.signal,
    );
    setTimeout(() => abort.abort(), 300);
    await expect(running).rejects.toThrow();
    const patient = await open();
    await expect(patient.run('postgres.main', "select repeat('x', 100000000)")).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect
      .poll(
        async () =>
          (await server!.admin("select count(*)::int as n from pg_stat_activity where application_name = 'Loci'"))[0],
      )
      .toEqual({ n: 0 });
  });

  test('tells its tables, columns, keys, comments and views', async ({ skip }) => {
    if (!server) return skip();
    const { port } = await open();
    expect((await port.harvest('postgres.main')).filter(({ path }) => path[1] === 'shop')).toMatchObject([
      { path: ['postgres', 'shop'], name: 'customers', kind: 'table' },
      {
        name: 'orders',
        comment: 'What was sold',
        columns: [
          { name: 'id', type: 'integer', primary_key: true, nullable: false },
          { name: 'customer_id', references: { schema: 'shop', table: 'customers', column: 'id' } },
          { name: 'amount', type: 'numeric(10,2)', comment: 'In euros' },
          {},
          {},
        ],
      },
      { name: 'totals', kind: 'view', definition: expect.stringContaining('sum(') },
    ]);
  });

  test('uses a password for its own server, database and user alone', async ({ skip }) => {
    if (!server) return skip();
    const { sql, port } = await open();
    expect(await sql.test({ connection_id: 'postgres.main' })).toEqual({ reachable: true });
    expect((await port.list()).map(({ status, target }) => [status, target])).toEqual([
      ['bound', Object.keys(passwords())[0]],
    ]);
    // The same server under another user is another place, whatever the connection is called.
    const other = await open({ config: { connections: [{ ...connection(), user: 'reader' }] } });
    await expect(other.run('postgres.main', 'select 1')).rejects.toMatchObject({ code: 'unreachable' });
    await expect(sql.test({ connection: { ...connection(), user: 'reader' }, password: 'secret' })).resolves.toEqual({
      reachable: true,
    });
    const refused = sql.test({ connection: connection(), password: 'wrong horse' });
    await expect(refused).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.not.stringContaining('wrong horse'),
    });
    await expect(sql.test({ connection: { ...connection(), port: 1 } })).rejects.toMatchObject({ code: 'unreachable' });
    expect(JSON.stringify(await sql.list())).not.toContain(ADMIN_PASSWORD);
  });

  test('keeps which tables were read, under the names of the graph', async ({ skip }) => {
    if (!server) return skip();
    const { run, sql } = await open();
    await run('postgres.main', 'select count(*) from customers c join shop.orders o on o.customer_id = c.id');
    const { entries } = await sql.history({ limit: 1 });
    expect(entries[0]?.anchors.sort()).toEqual([
      'postgres://postgres.main/postgres/shop/customers',
      'postgres://postgres.main/postgres/shop/orders',
    ]);
  });
});

test('a connection of an untrusted workspace is listed and not opened', async () => {
  const domain: Domain = await openDomain(
    {},
    {
      config: {
        trusted: false,
        connections: [{ type: 'postgres', name: 'x', host: '127.0.0.1', port: 1, database: 'd', user: 'u' }],
      },
    },
  );
  expect((await domain.sql.list()).connections[1]).toMatchObject({ status: 'bound_inaccessible', reachable: false });
  await expect(domain.run('postgres.x', 'select 1')).rejects.toMatchObject({ code: 'untrusted_workspace' });
  await expect(domain.port.harvest('postgres.x')).rejects.toMatchObject({ code: 'untrusted_workspace' });
});
