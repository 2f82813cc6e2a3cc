import { describe, expect, test } from 'vitest';
import { lineageOf, nameOf, statementOf, tables } from './names.ts';

const shop = tables({ users: ['id', 'name'], orders: ['id', 'user_id', 'amount'] });

/** Query, and what sqlglot's lineage gives for its columns, from its documentation and the rules of SQL. */
const cases: Record<string, readonly [string, ...string[]]> = {
  'a column': ['select a from t', 'a: t.a'],
  'an alias': ['select t.a as b from s.t', 'b: s.t.a'],
  'an expression': ['select a + b * 2 as c from t', 'c: t.a, t.b'],
  'a constant': ['select 1 as one from t', 'one:'],
  'a CTE': ['with c as (select id as x from users) select x from c', 'x: users.id'],
  'a CTE with names': ['with c(y) as (select id from users) select y from c', 'y: users.id'],
  'a CTE on a CTE': [
    'with a as (select id as x from users), b as (select x as y from a) select y as z from b',
    'z: users.id',
  ],
  'a CTE that hides a table': [
    'with users as (select amount as id from orders) select id from users',
    'id: orders.amount',
  ],
  'a subquery': ['select q.n from (select name as n from users) q', 'n: users.name'],
  'a join': [
    'select u.name, o.amount from users u join orders o on o.user_id = u.id',
    'name: users.name',
    'amount: orders.amount',
  ],
  'names without qualifiers': [
    'select name, amount from users u join orders o on o.user_id = u.id',
    'name: users.name',
    'amount: orders.amount',
  ],
  'a name of both sides': ['select id from users, orders', 'id: ?id'],
  'a name of two unknown tables': ['select z from t1, t2', 'z: ?z'],
  'the only table whose columns are unknown': ['select z from users, t2', 'z: t2.z'],
  star: ['select * from users', 'id: users.id', 'name: users.name'],
  'star of one table': [
    'select o.* from users u, orders o',
    'id: orders.id',
    'user_id: orders.user_id',
    'amount: orders.amount',
  ],
  'star of an unknown table': ['select * from t', '*: t.*'],
  'a name through a star': ['select q.z from (select * from t) q', 'z: t.z'],
  'star through a CTE': ['with c as (select * from users) select * from c', 'id: users.id', 'name: users.name'],
  union: ['select id from users union all select amount from orders', 'id: users.id, orders.amount'],
  'a union after an operand that is a query': [
    'select id from users where id > (select 1) union all select amount from orders union select user_id from orders',
    'id: users.id, orders.amount, orders.user_id',
  ],
  except: ['select id from users except select amount from orders', 'id: users.id'],
  'join using': ['select id, name from users join orders using (id)', 'id: users.id, orders.id', 'name: users.name'],
  'a scalar subquery': [
    'select (select max(o.amount) from orders o where o.user_id = u.id) as top from users u',
    'top: orders.amount',
  ],
  'a window': [
    'select sum(amount) over (partition by user_id order by id) as s from orders',
    's: orders.amount, orders.user_id, orders.id',
  ],
  'a case': [
    "select case when amount > 1 then name else 'x' end as c from users u join orders o on true",
    'c: orders.amount, users.name',
  ],
  recursion: [
    'with recursive r(n) as (select id from users union all select r.n + o.amount from r join orders o on true) select n from r',
    'n: users.id, orders.amount',
  ],
  'a lateral join': ['select l.x from users u cross join lateral (select u.name as x) l', 'x: users.name'],
  'table alias columns': ['select a, b from users as u(a, b)', 'a: users.id', 'b: users.name'],
};

describe.each(['postgres', 'duckdb', 'snowflake'])('lineage in %s', (dialect) => {
  test.each(Object.entries(cases))('%s', async (_, [sql, ...expected]) => {
    expect(lineageOf(await statementOf(sql, { dialect, ...shop }))).toEqual(expected);
  });
});

describe('lineage of what only some dialects have', () => {
  test.each([
    ['duckdb', "select a.b from (select {'b': id} as a from users)", 'b: users.id'],
    ['duckdb', 'select list_transform(name, x -> x + id) as l from users', 'l: users.name, users.id'],
    ['snowflake', 'select id + 1 as z, z * 2 as w from users', 'z: users.id', 'w: users.id'],
    [
      'snowflake',
      'select u.id, f.value from users u, lateral flatten(input => u.name) f',
      'id: users.id',
      'value: users.name',
    ],
    ['snowflake', 'select * exclude (name) rename (id as k) from users', 'k: users.id'],
    ['bigquery', 'select * except (name) replace (id + 1 as id) from `p.d.users`', 'id: p.d.users.id'],
    ['bigquery', 'select t.a.b, x from p.d.t as t, unnest(t.c) as x', 'b: p.d.t.a', 'x: p.d.t.c'],
    ['spark', 'select id, c from users lateral view explode(name) e as c', 'id: users.id', 'c: users.name'],
    [
      'tsql',
      'select total = sum(amount), user_id from orders group by user_id',
      'total: orders.amount',
      'user_id: orders.user_id',
    ],
    [
      'duckdb',
      'select id from users union by name select amount as id, user_id from orders',
      'id: users.id, orders.amount',
      'user_id: orders.user_id',
    ],
    ['postgres', 'select (u).name, g from users u, generate_series(1, id) g', 'name: users.name', 'g: users.id'],
  ])('%s: %s', async (dialect, sql, ...expected) => {
    const columns = { users: ['id', 'name'], orders: ['id', 'user_id', 'amount'], 'p.d.users': ['id', 'name'] };
    expect(lineageOf(await statementOf(sql, { dialect, ...tables(columns) }))).toEqual(expected);
  });
});

describe('lineage into a target', () => {
  test.each<[string, string, ...string[]]>([
    ['postgres', 'insert into t (a, b) select id, name from users', 'a: users.id', 'b: users.name'],
    [
      'postgres',
      'insert into orders select id, id, id from users',
      'id: users.id',
      'user_id: users.id',
      'amount: users.id',
    ],
    ['postgres', 'insert into t select id from users'],
    ['mysql', 'insert into t (a) select name from users', 'a: users.name'],
    ['postgres', 'create view v (a, b) as select * from users', 'a: users.id', 'b: users.name'],
    ['postgres', 'create table t as select name as n from users', 'n: users.name'],
    [
      'postgres',
      'update orders o set amount = u.id + o.amount from users u where u.id = o.user_id',
      'amount: users.id, orders.amount',
    ],
    ['tsql', 'update o set amount = u.id from orders o join users u on u.id = o.user_id', 'amount: users.id'],
    [
      'snowflake',
      'merge into orders o using users u on o.user_id = u.id when matched then update set amount = u.id when not matched then insert (id) values (u.name)',
      'amount: users.id',
      'id: users.name',
    ],
    [
      'postgres',
      'merge into orders o using users u on o.user_id = u.id when matched then update set amount = u.id when not matched then insert (id) values (u.name)',
      'amount: users.id',
      'id: users.name',
    ],
  ])('%s: %s', async (dialect, sql, ...expected) => {
    const statement = await statementOf(sql, { dialect, ...shop });
    expect(lineageOf(statement)).toEqual(expected);
  });

  test('reads every real table once, and no common table', async () => {
    const sql = `with c as (select * from a.users), d as (select * from c join e on true)
      select (select 1 from f limit 1) from d where exists (select 1 from g join c on true) and x in (select y from A.Users)`;
    for (const dialect of ['postgres', 'bigquery', 'sqlite']) {
      expect((await statementOf(sql, { dialect })).reads.map(nameOf)).toEqual(['a.users', 'e', 'f', 'g']);
    }
  });
});
