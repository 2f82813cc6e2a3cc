import { UserError } from '../../errors.ts';
import { redact } from '../../redact/redact.ts';
import type { TableSchema } from '../engine/protocol.ts';
import { tableKey } from '../parse/query.ts';
import type { TableName } from '../parse/statement.ts';
import { nearestNames } from './nearest.ts';

/** What a database says of a name that it does not know. */
const UNKNOWN: readonly (readonly ['table' | 'column', RegExp])[] = [
  ['table', /no such table: (?:main\.)?(.+)$/],
  ['table', /relation "(.+)" does not exist/],
  ['column', /no such column: (.+?)(?: - should this be.*)?$/],
  ['column', /column "?([^"]+?)"? (?:does not exist|of relation)/],
];

interface Failure {
  readonly message: string;
  readonly hint?: string | undefined;
  /** From 1, in UTF-16 units. */
  readonly position?: number | undefined;
}

/** An error of a database for the person who wrote the SQL: without secrets, with the place and the nearest real names. */
export function explainError(
  { message, hint, position }: Failure,
  sql: string,
  reads: readonly TableName[],
  schema: readonly TableSchema[] | undefined,
): UserError {
  const where = position === undefined ? '' : ` (${placeOf(sql, position)})`;
  const suggestion = schema && suggest(message, reads, schema);
  const next = [hint, suggestion].filter(Boolean).join(' ') || 'Correct the SQL and try again.';
  return new UserError('sql_error', `${redact(message).text}${where}`, redact(next).text);
}

/** True when the names of the database would help to explain the error. */
export function isUnknownName(message: string): boolean {
  return UNKNOWN.some(([, pattern]) => pattern.test(message));
}

function suggest(message: string, reads: readonly TableName[], schema: readonly TableSchema[]): string | undefined {
  for (const [kind, pattern] of UNKNOWN) {
    const written = pattern.exec(message)?.[1]?.split('.').at(-1)?.replace(/^"|"$/g, '');
    if (written === undefined) continue;
    return kind === 'table' ? suggestTable(written, schema) : suggestColumn(written, reads, schema);
  }
  return undefined;
}

function suggestTable(written: string, schema: readonly TableSchema[]): string {
  const near = nearestNames(
    written,
    schema.map(({ name }) => name),
  );
  const named = near.map((name) => qualified(schema.find((table) => table.name === name)!));
  if (named.length > 0) return `Nearest tables: ${named.join(', ')}.`;
  const some = schema.slice(0, 10).map(qualified).join(', ');
  return schema.length === 0
    ? 'The database has no tables.'
    : `Its tables are: ${some}${schema.length > 10 ? `, and ${schema.length - 10} more` : ''}.`;
}

function suggestColumn(
  written: string,
  reads: readonly TableName[],
  schema: readonly TableSchema[],
): string | undefined {
  const read = schema.filter((table) =>
    reads.some(({ parts }) => tableKey({ parts: [table.name] }) === tableKey({ parts: parts.slice(-1) })),
  );
  const columns = read.flatMap((table) => table.columns.map(({ name }) => ({ name, table: table.name })));
  const near = nearestNames(
    written,
    columns.map(({ name }) => name),
  );
  if (near.length > 0) {
    const named = near.map((name) => `${columns.find((column) => column.name === name)!.table}.${name}`);
    return `Nearest columns: ${named.join(', ')}.`;
  }
  const [first] = read;
  return (
    first &&
    `Columns of ${first.name}: ${first.columns
      .slice(0, 20)
      .map(({ name }) => name)
      .join(', ')}${first.columns.length > 20 ? ', …' : ''}.`
  );
}

function qualified({ path, name }: TableSchema): string {
  return [...path.slice(-1), name].join('.');
}

function placeOf(sql: string, position: number): string {
  const before = sql.slice(0, position - 1).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
