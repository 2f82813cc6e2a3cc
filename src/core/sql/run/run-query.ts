import { DatabaseError } from 'pg';
import { UserError } from '../../errors.ts';
import { isSecretField } from '../../redact/assignments.ts';
import type { Connections } from '../connections/connections.ts';
import { filesOfQuery } from '../connections/data-files.ts';
import { type ConnectionRecord, WORKSPACE } from '../connections/record.ts';
import { askFileProcess } from '../engine/file-process.ts';
import { runOnPostgres } from '../engine/postgres.ts';
import type { Limits, QueryResult, Statement, TableSchema } from '../engine/protocol.ts';
import { judge } from '../gate/judge.ts';
import type { Judgement } from '../gate/judgement.ts';
import { parseSql } from '../parse/parse-sql.ts';
import { distinctTables } from '../parse/query.ts';
import type { SqlStatement, TableName } from '../parse/statement.ts';
import { explainError, isUnknownName } from './explain-error.ts';

export interface QueryInput {
  readonly connection_id: string;
  readonly sql: string;
  readonly limit: number;
  readonly offset: number;
}

/** A query as it was run, for its caller and for the history. */
export interface QueryRun {
  readonly connectionId: string;
  readonly dialect: 'postgres' | 'sqlite';
  readonly result: QueryResult;
  readonly judgement: Judgement;
  /** Tables that it names, as they are written; files by their path. */
  readonly tables: readonly TableName[];
}

/** Bytes of values that a result may have before it is cut into pages. */
const MOST_BYTES = 200_000;

type Target =
  | { readonly kind: 'workspace' }
  | {
      readonly kind: 'registered';
      readonly record: ConnectionRecord;
      readonly password: string | undefined;
      readonly id: string;
    };

async function targetOf(id: string, connections: Connections): Promise<Target> {
  if (id === WORKSPACE || id === `files.${WORKSPACE}`) return { kind: 'workspace' };
  return { kind: 'registered', ...(await connections.find(id)) };
}

const dialectOf = (target: Target) => (target.kind === 'registered' ? target.record.type : 'sqlite');

/** Judges a statement for the connection it is meant for. */
export async function judgeFor(
  input: Pick<QueryInput, 'connection_id' | 'sql'>,
  connections: Connections,
): Promise<Judgement & { readonly database: string }> {
  const target = await targetOf(input.connection_id, connections);
  return {
    ...(await judge(input.sql, dialectOf(target))),
    database: target.kind === 'registered' ? target.id : WORKSPACE,
  };
}

/**
 * Runs one statement. `mayWrite`: a person confirmed it and the settings allow it; otherwise anything that is not
 * certain to only read is refused. @throws UserError
 */
export async function runQuery(
  input: QueryInput,
  { connections, mayWrite, milliseconds }: { connections: Connections; mayWrite: boolean; milliseconds: number },
  signal?: AbortSignal,
): Promise<QueryRun> {
  const target = await targetOf(input.connection_id, connections);
  const dialect = dialectOf(target);
  const judgement = await judge(input.sql, dialect);
  if (judgement.verdict !== 'read' && (!mayWrite || target.kind === 'workspace')) throw refused(judgement, target);
  const parsed = await parseSql(input.sql, { dialect, signal });
  if (parsed.statements.length + parsed.problems.length > 1) throw refused(judgement, target);
  const tables = tablesOf(parsed.statements);
  const statement: Statement = {
    sql: input.sql,
    limit: input.limit,
    offset: input.offset,
    write: judgement.verdict !== 'read',
  };
  const limits: Limits = { milliseconds, bytes: MOST_BYTES };
  const finish = (result: QueryResult, named: readonly TableName[] = tables): QueryRun => ({
    connectionId: target.kind === 'registered' ? target.id : WORKSPACE,
    dialect,
    result: withoutSecretColumns(result),
    judgement,
    tables: named,
  });
  if (target.kind === 'workspace') {
    const files = await connections.files(signal);
    const named = filesOfQuery(tables, files);
    const result = await orExplain(
      () => askFileProcess<QueryResult>({ kind: 'files', ...named, statement, limits }, signal),
      input.sql,
      tables,
      async () =>
        files
          .filter(({ format }) => format !== 'duckdb')
          .map(({ path }): TableSchema => ({ path: [], name: path, kind: 'table', columns: [] })),
    );
    const paths = new Map(
      [...named.tables, ...named.databases].map(({ name, path }) => [
        name,
        files.find(({ absolute }) => absolute === path)!.path,
      ]),
    );
    return finish(
      result,
      tables.map(({ parts }) => ({ parts: [paths.get(parts[0]!) ?? parts[0]!, ...parts.slice(1)] })),
    );
  }
  const { record, password, id } = target;
  const work = () =>
    connections.measure(id, () =>
      record.type === 'postgres'
        ? runOnPostgres({ connection: record, password, statement, judgement, limits, tables }, signal)
        : askFileProcess<QueryResult>({ kind: 'sqlite', path: connections.pathOf(record), statement, limits }, signal),
    );
  const result = await orExplain(work, input.sql, tables, () => connections.harvest(id, signal));
  return finish(result, 'tables' in result ? (result.tables as readonly TableName[]) : tables);
}

/** The rows with the values of columns taken out whose names say that they are secret. */
function withoutSecretColumns(result: QueryResult): QueryResult {
  if (!result.columns.some(({ name }) => isSecretField(name, 'x1'))) return result;
  const rows = result.rows.map((row) =>
    row.map((value, i) =>
      typeof value === 'string' && isSecretField(result.columns[i]?.name ?? '', value) ? '[redacted:secret]' : value,
    ),
  );
  return { ...result, rows };
}

function tablesOf(statements: readonly SqlStatement[]): TableName[] {
  return distinctTables(statements.flatMap(({ target, reads }) => [...reads, ...(target ? [target] : [])]));
}

async function orExplain<T>(
  work: () => Promise<T>,
  sql: string,
  tables: readonly TableName[],
  schema: () => Promise<readonly TableSchema[]>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    const names = isUnknownName(failure.message) ? await schema().catch(() => undefined) : undefined;
    throw explainError(failure, sql, tables, names);
  }
}

function failureOf(error: unknown) {
  if (error instanceof DatabaseError) {
    const position = Number(error.position);
    return { message: error.message, hint: error.hint, position: position > 0 ? position : undefined };
  }
  return error instanceof UserError && error.code === 'sql_error' ? { message: error.message } : undefined;
}

function refused({ verdict, reason }: Judgement, target: Target): UserError {
  const why =
    verdict === 'unclear' ? `It is not certain to only read: ${reason}.` : `It does not only read: ${reason}.`;
  if (target.kind === 'workspace') {
    return new UserError(
      'not_read_only',
      `${why} Data files can only be read.`,
      'Send one SELECT statement in the SQL of SQLite.',
    );
  }
  return new UserError(
    'not_read_only',
    `${why} It was not run.`,
    'Send one statement that only reads. Statements that write need the setting loci.data.allowWrites and a person who confirms each.',
  );
}
