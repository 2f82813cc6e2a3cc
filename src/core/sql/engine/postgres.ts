import { DatabaseError, type FieldDef } from 'pg';
import { UserError } from '../../errors.ts';
import type { PostgresConnection } from '../connections/record.ts';
import type { Judgement } from '../gate/judgement.ts';
import { postgresReads } from '../gate/postgres-functions.ts';
import type { TableName } from '../parse/statement.ts';
import { type Session, withSession } from './postgres-client.ts';
import { jsonParsed, typeName } from './postgres-types.ts';
import type { Limits, QueryResult, Statement } from './protocol.ts';
import { collectRows } from './values.ts';

export interface PostgresQuery {
  readonly connection: PostgresConnection;
  readonly password: string | undefined;
  readonly statement: Statement;
  readonly judgement: Judgement;
  readonly limits: Limits;
  /** Tables that the statement names, as it writes them. */
  readonly tables: readonly TableName[];
}

/** A result with the database, schema and name of each table that was named. */
export type PostgresResult = QueryResult & { readonly tables: readonly TableName[] };

const DECLARE = 'DECLARE loci_page NO SCROLL CURSOR FOR ';
/** Rows fetched at a time. */
const BATCH = 200;

/**
 * Runs a statement on a PostgreSQL server: a read in a READ ONLY transaction, a query through a cursor, so that no more
 * rows are sent than its page has. @throws UserError, or the driver's DatabaseError for what the server refuses
 */
export function runOnPostgres(query: PostgresQuery, signal?: AbortSignal): Promise<PostgresResult> {
  const { connection, password, statement, judgement, limits } = query;
  return withSession(connection, password, limits, signal, async (session) => {
    await session.query(statement.write ? 'BEGIN' : 'BEGIN READ ONLY');
    if (!statement.write) await checkFunctions(judgement.functions, session);
    const result = isCursor(statement)
      ? await throughCursor(statement, limits, session)
      : await directly(statement, limits, session);
    const tables = await identify(query.tables, connection.database, session);
    await session.query(statement.write ? 'COMMIT' : 'ROLLBACK');
    return { ...result, tables };
  });
}

/** Only queries can be read through a cursor: EXPLAIN, SHOW and what writes are run as they are. */
function isCursor({ sql, write }: Statement): boolean {
  return !write && !/^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:EXPLAIN|SHOW)\b/i.test(sql);
}

async function throughCursor(
  { sql, offset, limit }: Statement,
  limits: Limits,
  session: Session,
): Promise<QueryResult> {
  await session.query(`${DECLARE}${sql}`).catch((error: unknown) => {
    // The server counts from the start of what it was sent.
    if (error instanceof DatabaseError && error.position)
      error.position = String(Number(error.position) - DECLARE.length);
    throw error;
  });
  if (offset > 0) await session.query(`MOVE FORWARD ${offset} FROM loci_page`);
  const page = collectRows(limit, limits.bytes);
  let fields: FieldDef[] = [];
  let more = false;
  for (let wanted = limit + 1; wanted > 0 && !more; wanted -= BATCH) {
    const count = Math.min(BATCH, wanted);
    const batch = await session.query(`FETCH FORWARD ${count} FROM loci_page`);
    fields = batch.fields;
    more = !batch.rows.every((row) => page.take(parsed(row, fields)));
    if (batch.rows.length < count) break;
  }
  return { columns: columnsOf(fields), rows: page.rows, more, notes: [] };
}

async function directly({ sql, offset, limit }: Statement, limits: Limits, session: Session): Promise<QueryResult> {
  const { rows, fields, changed } = await session.query(sql);
  const page = collectRows(limit, limits.bytes);
  const more = !rows.slice(offset).every((row) => page.take(parsed(row, fields)));
  const columns = columnsOf(fields);
  return { columns, rows: page.rows, more, ...(columns.length === 0 && { changed: changed ?? 0 }), notes: [] };
}

function parsed(row: readonly (string | null)[], fields: readonly FieldDef[]): unknown[] {
  return row.map((value, i) => (value === null ? null : jsonParsed(value, fields[i]!.dataTypeID)));
}

function columnsOf(fields: readonly FieldDef[]) {
  return fields.map(({ name, dataTypeID }) => ({ name, type: typeName(dataTypeID) }));
}

/** Asks the server how the functions of a query are marked; what it marks volatile may do anything. */
async function checkFunctions(functions: Judgement['functions'], session: Session): Promise<void> {
  const names = [...new Set(functions.map((name) => name.at(-1)!))];
  if (names.length === 0) return;
  const { rows } = await session.query(
    `SELECT p.proname, n.nspname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
     WHERE p.provolatile = 'v' AND p.proname = ANY ($1)`,
    [names],
  );
  const volatile = rows.find(
    ([name, schema]) => isCalled(functions, name!, schema!) && postgresReads([schema!, name!]) !== true,
  );
  if (!volatile) return;
  throw new UserError(
    'not_read_only',
    `The query calls ${volatile[1]}.${volatile[0]}, which the database marks as one that may change data or state.`,
    'Leave the function out, or ask a person to run the query themselves.',
  );
}

function isCalled(functions: Judgement['functions'], name: string, schema: string): boolean {
  return functions.some((written) => written.at(-1) === name && (written.length === 1 || written.at(-2) === schema));
}

/** The real place of each table, by the search path of the session. */
async function identify(tables: readonly TableName[], database: string, session: Session): Promise<TableName[]> {
  if (tables.length === 0) return [];
  const { rows } = await session.query(
    `SELECT n.nspname, c.relname FROM pg_catalog.unnest($1::text[]) AS t (name)
     JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(t.name)
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`,
    [tables.map(({ parts }) => parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.'))],
  );
  return rows.map(([schema, name]) => ({ parts: [database, schema!, name!] }));
}
