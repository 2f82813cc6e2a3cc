import { describe, expect, test } from 'vitest';
import { parseSql } from '../../../../src/core/sql/parse/parse-sql.ts';
import { nameOf, statementOf } from './names.ts';

describe('tables', () => {
  test.each([
    [
      'postgres',
      `create table s.t (id serial primary key, "x y" varchar(10) default 'a, b' not null, r int references u (z), c timestamp with time zone, foreign key (c) references w (d))`,
      ['serial', 'varchar(10)', 'int', 'timestamp with time zone'],
    ],
    [
      'mysql',
      "create table `s`.t (id int auto_increment primary key, `x y` varchar(10) default 'a, b' not null, r int references u (z), c datetime, foreign key (c) references w (d)) engine=InnoDB",
      ['INT', 'VARCHAR(10)', 'INT', 'DATETIME'],
    ],
    [
      'tsql',
      `create table [s].[t] (id int identity(1,1) primary key, [x y] varchar(10) default 'a, b' not null, r int references u (z), c datetime, foreign key (c) references w (d))`,
      ['INTEGER', 'VARCHAR(10)', 'INTEGER', 'DATETIME'],
    ],
    [
      'sqlite',
      `create table s.t (id integer primary key autoincrement, "x y" text default 'a, b' not null, r int references u (z), c text, foreign key (c) references w (d)) without rowid`,
      ['INTEGER', 'TEXT', 'INTEGER', 'TEXT'],
    ],
  ])('%s: names, types, keys, defaults', async (dialect, sql, types) => {
    const { kind, target, columns } = await statementOf(sql, { dialect });
    expect([kind, nameOf(target!)]).toEqual(['create_table', 's.t']);
    expect(columns).toMatchObject([
      { name: 'id', primaryKey: true, nullable: false },
      { name: 'x y', default: "'a, b'", nullable: false },
      { name: 'r', nullable: true, references: { table: { parts: ['u'] }, column: 'z' } },
      { name: 'c', references: { table: { parts: ['w'] }, column: 'd' } },
    ]);
    expect(columns?.map(({ type }) => type)).toEqual(types);
  });

  test('comments, wherever a dialect has them', async () => {
    const inline = await statementOf("create table t (a int comment 'one') comment = 'all'", { dialect: 'mysql' });
    expect(inline).toMatchObject({ comment: 'all', columns: [{ comment: 'one' }] });
    for (const dialect of ['postgres', 'oracle', 'snowflake']) {
      expect(await statementOf("comment on table s.t is 'it''s'", { dialect })).toMatchObject({
        kind: 'comment',
        target: { parts: ['s', 't'] },
        comment: "it's",
      });
      expect(await statementOf("comment on column s.t.a is 'one'", { dialect })).toMatchObject({
        target: { parts: ['s', 't'] },
        columns: [{ name: 'a', comment: 'one' }],
      });
    }
  });

  test('changes', async () => {
    for (const dialect of ['postgres', 'mysql']) {
      const { statements } = await parseSql(
        'alter table t add column x int; alter table t drop column y; alter table t rename column a to b; alter table t add constraint f foreign key (q) references z (w); alter table t rename to u; drop table if exists a, s.b',
        { dialect },
      );
      expect(statements).toMatchObject([
        { kind: 'alter_table', columns: [{ name: 'x' }] },
        { dropped: ['y'] },
        { renamed: [{ from: 'a', to: 'b' }] },
        { columns: [{ name: 'q', references: { table: { parts: ['z'] }, column: 'w' } }] },
        { renamedTo: { parts: ['u'] } },
        { kind: 'drop', targets: [{ parts: ['a'] }, { parts: ['s', 'b'] }] },
      ]);
    }
  });
});

describe('a text', () => {
  test('keeps what parses and reports the rest by line', async () => {
    const { statements, problems } = await parseSql(
      'select 1;\n\nselect fro m x y;\ncreate table t (a int);\nselect from where;\n',
      { dialect: 'mysql' },
    );
    expect(statements.map(({ kind, line }) => [kind, line])).toEqual([
      ['select', 1],
      ['create_table', 4],
    ]);
    expect(problems.map(({ line }) => line)).toEqual([3, 5]);
  });

  test.each([
    ['postgres', "select a::int, b->>'x' from t where c ilike 'x%' and d is distinct from 1"],
    ['mysql', 'create table `t` (`id` int unsigned not null auto_increment, primary key (`id`)) engine=InnoDB'],
    ['tsql', 'SELECT TOP 10 [Order Id] FROM [dbo].[Orders]\nGO\n'],
    ['sqlite', 'pragma foreign_keys = on; create table t (id integer primary key autoincrement)'],
    ['bigquery', 'select * except (a) from `project.dataset.table` where _table_suffix = "x"'],
    [
      'snowflake',
      'select v:a.b::string from t, lateral flatten(input => v) qualify row_number() over (order by 1) = 1',
    ],
    ['duckdb', "summarize select * exclude (a) from read_parquet('x.parquet')"],
    ['oracle', 'create table t (a varchar2(10), b number(5)); select sysdate from dual'],
    ['redshift', 'create table t (a int) diststyle key distkey (a) sortkey (a)'],
    ['clickhouse', 'create table t (a UInt8, b LowCardinality(String)) engine = MergeTree order by a'],
  ])('is recognised as %s', async (dialect, sql) => {
    expect((await parseSql(sql)).dialect).toBe(dialect);
  });

  test('sees the tables it creates', async () => {
    const { statements } = await parseSql(
      'create table t (a int, b int); alter table t add column c int; create view v as select * from t; create view w as select * from v',
      { dialect: 'postgres' },
    );
    expect(statements[3]?.lineage?.map(({ column, sources }) => [column, nameOf(sources[0]!.table)])).toEqual([
      ['a', 'v'],
      ['b', 'v'],
      ['c', 'v'],
    ]);
  });

  test('of T-SQL without semicolons', async () => {
    const { statements, problems } = await parseSql(
      'CREATE TABLE a (x int)\nCREATE TABLE b (y int)\nINSERT a (x)\nSELECT y FROM b\nEXEC p 1, 2, 3 4\nUPDATE a SET x = 1',
      { dialect: 'tsql' },
    );
    expect(statements.map(({ kind, line, text }) => [kind, line, text.split('\n').length])).toEqual([
      ['create_table', 1, 1],
      ['create_table', 2, 1],
      ['insert', 3, 2],
      ['update', 6, 1],
    ]);
    expect(problems.map(({ line }) => line)).toEqual([5]);
  });

  test("reads what MySQL's dumps hide in comments", async () => {
    const sql = '/*!50001 CREATE ALGORITHM=UNDEFINED */ /*!50001 VIEW `v` AS select `t`.`a` AS `a` from `t` */;';
    expect(await statementOf(sql, { dialect: 'mysql' })).toMatchObject({
      kind: 'create_view',
      reads: [{ parts: ['t'] }],
    });
  });

  test('of hostile depth or length ends in a problem, and the next is read', async () => {
    const hostile = [
      `select ${'('.repeat(5000)}1${')'.repeat(5000)}`,
      `select ${'1+'.repeat(50_000)}1`,
      `select ${'not '.repeat(20_000)}a`,
      `select 1 ${'union select 1 '.repeat(5000)}`,
      `select '${'x'.repeat(1_100_000)}'`,
    ];
    for (const dialect of ['postgres', 'sqlite']) {
      const { statements, problems } = await parseSql(`${hostile.join(';')}; select 2`, { dialect });
      expect([statements.at(-1)?.text, problems.length]).toEqual(['select 2', hostile.length]);
    }
  });

  test('that doubles its columns with every star ends in a problem', async () => {
    const ctes = Array.from({ length: 24 }, (_, i) => `, c${i + 1} as (select x.*, y.* from c${i} x, c${i} y)`).join(
      '',
    );
    const sql = `with c0 as (select * from t)${ctes} select * from c24; select 1`;
    const { statements, problems } = await parseSql(sql, { dialect: 'postgres' });
    expect([statements.length, problems[0]?.message]).toEqual([1, 'The query has more than 10,000 columns']);
  });

  test('of many rows costs its first row', async () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => `(${i}, 'it''s (${i})')`).join(',');
    expect(await statementOf(`insert into t (a, b) values ${rows}`, { dialect: 'mysql' })).toMatchObject({
      kind: 'insert',
      target: { parts: ['t'] },
    });
  });

  test('stops when it is told to', async () => {
    await expect(
      parseSql('select 1;'.repeat(20_000), { dialect: 'postgres', signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});
