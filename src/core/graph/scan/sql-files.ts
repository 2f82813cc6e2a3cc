import { basename } from 'node:path/posix';
import type { Fragment, Ref, Scanner } from '../fragment.ts';
import { dialectInPath, pathName } from '../names.ts';
import type { SqlStatement } from '../sql.ts';
import { flowOf } from './flow.ts';
import { definitionOf, given, leadingComment } from './text.ts';

/** Statements that change what a database has; in a file without any, a SELECT is a query worth keeping. */
const SCHEMA_KINDS = new Set<SqlStatement['kind']>(['create_table', 'create_view', 'alter_table', 'comment', 'drop']);
const FLOW_KINDS = new Set<SqlStatement['kind']>(['insert', 'update', 'merge', 'delete']);
/** Longest statement text kept. */
const LONGEST = 20_000;

/** SQL files outside of dbt projects: DDL and migrations as statements to apply, queries as assets of their own. */
export const sqlScanner: Scanner = {
  name: 'sql-1',
  claims: ({ path, dbt }) => /\.(?:sql|ddl|hql)$/i.test(path) && dbt === undefined && !isUndo(path),
  async scan(file, { parseSql, signal }) {
    const text = await file.text();
    const { dialect, statements, problems } = await parseSql(withoutUndo(text), {
      dialect: dialectInPath(file.path),
      signal,
    });
    const schema = statements.filter(({ kind, text: said }) => SCHEMA_KINDS.has(kind) || setsSchema(kind, said));
    const flows = statements.filter(({ kind, reads }) => FLOW_KINDS.has(kind) && reads.length > 0);
    const queries = statements.filter(({ kind }) => kind === 'select');
    const changes = [...schema, ...flows].sort((a, b) => a.start - b.start);
    const isQuery = !schema.some(({ kind }) => SCHEMA_KINDS.has(kind)) && queries.length > 0;
    const qualified = pathName('file', file.path);
    const self: Ref = { kind: 'name', name: qualified };
    return {
      ...(isQuery && {
        assets: [
          {
            qualified_name: qualified,
            node_type: 'query',
            name: basename(file.path),
            line: queries[0]!.line,
            definition: definitionOf(text),
            ...given('description', leadingComment(text, '--')),
            facts: { dialect },
          },
        ],
      }),
      ...(isQuery && { flows: queries.map((query) => flowOf(query, self, 'query')) }),
      ...(changes.length > 0 && {
        script: {
          dialect,
          statements: changes.map((statement) => ({ ...statement, text: statement.text.slice(0, LONGEST) })),
        },
      }),
      ...given('problems', problems),
    } satisfies Fragment;
  },
};

function setsSchema(kind: SqlStatement['kind'], text: string): boolean {
  return (
    kind === 'other' &&
    /^\s*(?:use\b|set\s+(?:session\s+|local\s+)?(?:search_path|schema)\b|alter\s+session\s+set\s+current_schema)/i.test(
      text,
    )
  );
}

/** Files that only undo a migration. */
function isUndo(path: string): boolean {
  return /(?:\.down\.sql|\.rollback\.sql|\.undo\.sql|(?:^|\/)(?:down|rollback|undo)\.sql|(?:^|\/)U\d[\w.]*__[^/]*\.sql|(?:^|\/)(?:down|rollbacks?|undo)\/[^/]+\.sql)$/i.test(
    path,
  );
}

const MARKS = /^[ \t]*--[ \t]*(?:\+goose|\+migrate|migrate:|@|rambler )[ \t]*(up|down|undo)\b.*$/gim;

/** The text with the parts that undo a migration blanked, line by line: goose, sql-migrate, dbmate and their like. */
function withoutUndo(text: string): string {
  const marks = [...text.matchAll(MARKS)];
  if (marks.length === 0) return text;
  return marks.reduceRight((rest, mark, i) => {
    if (mark[1]!.toLowerCase() === 'up') return rest;
    const end = marks[i + 1]?.index ?? text.length;
    return rest.slice(0, mark.index) + text.slice(mark.index, end).replace(/[^\n]+/g, '') + rest.slice(end);
  }, text);
}
