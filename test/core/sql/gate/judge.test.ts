import { constants, DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge } from '../../../../src/core/sql/gate/judge.ts';
import { harmlessPostgres, harmlessSqlite, hostilePostgres, hostileSqlite } from './hostile.ts';

const cases = [
  ['postgres', hostilePostgres, harmlessPostgres],
  ['sqlite', hostileSqlite, harmlessSqlite],
] as const;

describe.each(cases)('the gate for %s', (dialect, hostile, harmless) => {
  test('has a battery worth the name', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(80);
  });

  test.each(hostile)('refuses %j', async (sql) => {
    const { verdict, reason } = await judge(sql, dialect);
    expect(verdict).not.toBe('read');
    expect(reason).not.toBe('');
  });

  test.each(harmless)('lets %j through', async (sql) => {
    expect(await judge(sql, dialect)).toMatchObject({ verdict: 'read', reason: '' });
  });
});

describe('a write, wrapped in anything', () => {
  const writes = fc.constantFrom<string>(
    'delete from t',
    'insert into t values (1)',
    'update t set a = 1',
    'drop table t',
    'create table x (a int)',
  );
  const read = fc.constantFrom(
    'select 1',
    "select 'x'",
    'select a from t',
    'values (1)',
    "select ';' -- x\n",
    'select /* ; */ 1',
  );
  const gap = fc.constantFrom(' ', '\n', '\t', ' /* x */ ', ' -- y\n', " /* ' */ ", ' -- " \n', ' /* -- */ ', '/**/');
  const wrapper = fc.constantFrom<(sql: string) => string>(
    (sql) => `${sql};`,
    (sql) => `(${sql})`,
    (sql) => `explain ${sql}`,
    (sql) => `explain analyze ${sql}`,
    (sql) => `with x as (${sql} returning *) select * from x`,
    (sql) => `select * from (${sql}) x`,
    (sql) => `select exists (${sql})`,
    (sql) => `select 1 union ${sql}`,
    (sql) => sql.toUpperCase(),
    (sql) => sql.replaceAll(' ', '\n'),
    (sql) => `begin; ${sql}; commit`,
    (sql) => `prepare p as ${sql}`,
    (sql) => `declare c cursor for ${sql}`,
    (sql) => `copy (${sql}) to stdout`,
    (sql) => `create view v as ${sql}`,
    (sql) => `/*! ${sql} */ ${sql}`,
  );
  const disguised = fc
    .tuple(
      writes,
      fc.array(wrapper, { maxLength: 4 }),
      fc.array(read, { maxLength: 2 }),
      fc.array(read, { maxLength: 2 }),
      gap,
      gap,
    )
    .map(([sql, wrappers, before, after, one, other]) => {
      const wrapped = wrappers.reduce((text, wrap) => wrap(text), sql);
      return `${one}${[...before, wrapped, ...after].join(`;${other}`)}${other}`;
    });

  test.each(['postgres', 'sqlite'] as const)('is never judged a read in %s', async (dialect) => {
    await fc.assert(
      fc.asyncProperty(disguised, async (sql) => {
        expect((await judge(sql, dialect)).verdict).not.toBe('read');
      }),
      { numRuns: 500 },
    );
  });

  test('whatever text is judged a read, SQLite itself finds nothing in it but reading', async () => {
    const piece = fc.constantFrom(
      ...['select 1', ';', "'", '"', '--', '\n', '/*', '*/', '$$', '\\', '`', '[', ']', ' ', ',', '(', ')', ' from t'],
      ...['delete from t', 'with x as (', ' union ', 'a', 'pragma ', 'explain ', 'load_extension', 'insert into t '],
    );
    const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE } = constants;
    const reading = [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE];
    const database = new DatabaseSync(':memory:');
    database.exec('create table t (a)');
    const actions = new Set<number>();
    database.setAuthorizer((action) => {
      actions.add(action);
      return constants.SQLITE_OK;
    });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 10 }), async (pieces) => {
        const text = pieces.join('');
        if ((await judge(text, 'sqlite')).verdict !== 'read') return;
        actions.clear();
        try {
          database.prepare(text);
        } catch {
          return;
        }
        expect([...actions].filter((action) => !reading.includes(action))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
    database.close();
  });
});
