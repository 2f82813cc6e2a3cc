import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitStatements } from '../../../../src/core/sql/parse/split.ts';
import type { Dialect } from '../../../../src/core/sql/parse/statement.ts';

const split = (text: string, dialect: Dialect) =>
  splitStatements(text, dialect).map(({ start, end }) => text.slice(start, end));

describe('splits statements', () => {
  test.each<[string, Dialect, string, string[]]>([
    ['strings', 'postgres', `select ';'; select "a;b"; select 1`, [`select ';'`, `select "a;b"`, 'select 1']],
    ['doubled quotes', 'postgres', `select 'it''s;'; select 2`, [`select 'it''s;'`, 'select 2']],
    ['backslashes in MySQL', 'mysql', `select 'a\\';b'; select 2`, [`select 'a\\';b'`, 'select 2']],
    ['backslashes in PostgreSQL', 'postgres', `select 'a\\'; select 2`, [`select 'a\\'`, 'select 2']],
    ['E strings', 'postgres', `select E'a\\';b'; select 2`, [`select E'a\\';b'`, 'select 2']],
    ['comments', 'postgres', 'select 1 -- a;b\n; /* c;d /* e; */ ; */ select 2', ['select 1', 'select 2']],
    ['comments that do not nest', 'mysql', 'select 1; /* a /* b */ select 2; # c;d', ['select 1', 'select 2']],
    ['dollar quotes', 'postgres', 'do $x$ begin; $$;$$ end $x$; select 1', ['do $x$ begin; $$;$$ end $x$', 'select 1']],
    [
      'a transaction',
      'postgres',
      'begin; insert into t values (1); end; select 2',
      ['begin', 'insert into t values (1)', 'end', 'select 2'],
    ],
    [
      'an atomic body',
      'postgres',
      'create function f() returns int begin atomic select 1; select 2; end; select 3',
      ['create function f() returns int begin atomic select 1; select 2; end', 'select 3'],
    ],
    [
      'a trigger',
      'sqlite',
      'create trigger g after insert on t begin update t set a = case when b then 1 end; select 2; end; select 3',
      ['create trigger g after insert on t begin update t set a = case when b then 1 end; select 2; end', 'select 3'],
    ],
    [
      'DELIMITER',
      'mysql',
      'delimiter $$\ncreate procedure p() begin select 1; end$$\ndelimiter ;\nselect 2;',
      ['create procedure p() begin select 1; end', 'select 2'],
    ],
    [
      'a procedure without DELIMITER',
      'mysql',
      'create procedure p() begin if 1 then select 1; end if; select 2; end; select 3',
      ['create procedure p() begin if 1 then select 1; end if; select 2; end', 'select 3'],
    ],
    [
      'GO',
      'tsql',
      'create procedure p as select 1; select 2\nGO\nselect [a;b]\ngo 5\nselect go',
      ['create procedure p as select 1; select 2', 'select [a;b]', 'select go'],
    ],
    [
      'PL/SQL',
      'oracle',
      'create procedure p is x number; begin null; end;\n/\nselect 1 / 2 from dual;',
      ['create procedure p is x number; begin null; end', 'select 1 / 2 from dual'],
    ],
    ['COPY data', 'postgres', "copy t from stdin;\n1\t';\n\\.\nselect 2;", ['copy t from stdin', 'select 2']],
    ['lines for a client', 'postgres', '\\connect x;y\nselect 1;\n\\d t\nselect 2', ['select 1', 'select 2']],
    ['nothing', 'postgres', ' ;; -- x\n;', []],
  ])('%s', (_, dialect, text, expected) => {
    expect(split(text, dialect)).toEqual(expected);
  });

  test('says where each starts', () => {
    expect(splitStatements('-- one\nselect 1;\r\n\n  select\n2', 'postgres').map(({ line }) => line)).toEqual([2, 4]);
  });

  test('never loses or repeats a statement, whatever the strings hold', () => {
    const string = fc.string({ unit: fc.constantFrom("'", ';', '"', '-', '/', '*', '$', 'a', '\n', '\\', 'é') });
    const literal = string.map((text) => `select '${text.replaceAll("'", "''")}'`);
    const noise = fc.constantFrom(' ', '\n', '/* ; */', '-- ;\n', " /* -- ' */ ");
    fc.assert(
      fc.property(fc.array(fc.tuple(literal, noise), { maxLength: 8 }), (parts) => {
        const text = parts.map(([statement, gap]) => `${gap}${statement};`).join('');
        for (const dialect of ['postgres', 'sqlite', 'oracle'] as const) {
          expect(split(text, dialect)).toEqual(parts.map(([statement]) => statement));
        }
      }),
    );
  });
});
