import type { EdgeDraft, FragmentProblem, Ref, ScanContext } from '../fragment.ts';
import { UNKNOWN } from './dbt-template.ts';
import { fileRef } from './file-ref.ts';
import type { PythonToken } from './python.ts';
import { argumentOf, type Constants, callsIn, constantsIn, HOLE, type PythonCall, textOf } from './python-calls.ts';
import { sqlEdges } from './sql-edges.ts';

/** What a piece of Python reads and writes. */
export interface DataAccess {
  readonly edges: EdgeDraft[];
  readonly problems: FragmentProblem[];
}

/** A SQLite file that code is connected to, and the next path it may be. */
export interface Database {
  readonly database: string;
  readonly or?: string;
}

const READ_FILE =
  /^(?:.*\.)?(?:read_(?:csv|table|json|parquet|excel|feather|ndjson|pickle|orc|avro|fwf|xml|delta|ipc)|scan_(?:csv|parquet|ndjson|delta|ipc)|read\.(?:csv|delim|table)|readRDS|fread)$/;
const SPARK_READ = /(?:^|\.)read(?:Stream)?\.(?:.*\.)?(csv|json|parquet|orc|text|load|table)$/;
const SPARK_WRITE = /(?:^|\.)write(?:Stream)?\.(?:.*\.)?(csv|json|parquet|orc|text|save|saveAsTable|insertInto)$/;
const WRITE_FILE =
  /\.(?:to_(?:csv|json|parquet|excel|feather|pickle|orc|xml)|write_(?:csv|json|ndjson|parquet|excel|ipc|delta)|sink_(?:csv|parquet|ndjson|ipc))$/;
const RUN_SQL =
  /(?:^|\.)(?:read_sql(?:_query)?|read_database(?:_uri)?|execute|executescript|executemany|spark\.sql|sql|query|run_query|read_gbq)$/;
const CONNECT = /(?:^|\.)(?:sqlite3?\.connect|duckdb\.connect|create_engine)$/;
const DATA_FILE = /\.(?:csv|tsv|jsonl?|ndjson|parquet|xlsx?|sqlite3?|db|duckdb|txt|feather|avro|orc)$/i;
const SQL_START = /^\s*(?:--|\/\*|(?:select|with|insert|update|delete|merge|create|copy|replace|drop|alter)\b)/i;
const WRITES = /^\s*(?:insert|update|delete|merge|create|replace|drop|alter)\b/i;
const PATH_KEYWORDS = ['filepath_or_buffer', 'path', 'path_or_buf', 'source', 'io', 'file', 'paths'];

/**
 * Finds the reads and writes in Python tokens: pandas, polars, Spark, DuckDB, DB-API and `open`. Only what is written as
 * text counts; names that the code makes at run time are left out.
 */
export async function dataAccess(
  tokens: readonly PythonToken[],
  file: string,
  self: Ref,
  context: ScanContext,
  constants: Constants = constantsIn(tokens),
): Promise<DataAccess> {
  const edges: EdgeDraft[] = [];
  const problems: FragmentProblem[] = [];
  const calls = callsIn(tokens);
  const databases = databasesOf(calls, file, constants);
  const flow = (way: 'read' | 'write', ref: Ref | undefined, basis: string, line: number) => {
    if (ref) edges.push(way === 'read' ? { from: ref, to: self, basis, line } : { from: self, to: ref, basis, line });
  };
  for (const call of calls) {
    const { name, line } = call;
    const short = name.slice(name.lastIndexOf('.') + 1);
    const text = (place: number, ...keywords: string[]) => textOf(argumentOf(call, place, ...keywords), constants);
    const [spark, way] = SPARK_READ.test(name)
      ? [SPARK_READ.exec(name)![1]!, 'read' as const]
      : [SPARK_WRITE.exec(name)?.[1], 'write' as const];
    if (spark) {
      const named = text(0, 'path', 'name', 'tableName');
      const table = ['table', 'saveAsTable', 'insertInto'].includes(spark);
      flow(way, named === undefined ? undefined : table ? tableRef(named) : fileRef(named, file), `spark_${way}`, line);
    } else if (/(?:^|\.)spark\.table$/.test(name)) flow('read', tableRef(text(0)), 'spark_read', line);
    else if (short === 'read_sql_table') flow('read', tableRef(text(0, 'table_name')), short, line);
    else if (short === 'to_sql') flow('write', tableRef(text(0, 'name'), databaseOf(call, databases)), short, line);
    else if (READ_FILE.test(name)) flow('read', pathRef(text(0, ...PATH_KEYWORDS), file), short, line);
    else if (WRITE_FILE.test(name)) flow('write', pathRef(text(0, ...PATH_KEYWORDS), file), short, line);
    else if (name === 'open') {
      const path = text(0, 'file');
      if (path && DATA_FILE.test(path))
        flow(/[wax]/.test(text(1, 'mode') ?? 'r') ? 'write' : 'read', pathRef(path, file), name, line);
    } else if (RUN_SQL.test(name)) {
      const sql = textOf(argumentOf(call, 0, 'sql', 'query', 'sqlQuery'), constants, UNKNOWN);
      if (sql === undefined || !SQL_START.test(sql)) continue;
      const found = await sqlEdges(sql, self, { ...context, line, database: databaseOf(call, databases) });
      edges.push(...found.edges);
      // Of SQL that is put together at run time, a part alone need not parse.
      if (!sql.includes(UNKNOWN)) problems.push(...found.problems);
      const database = databaseOf(call, databases);
      if (database !== undefined && WRITES.test(sql))
        flow(
          'write',
          { kind: 'file', path: database.database, ...(database.or !== undefined && { or: database.or }) },
          'writes_database',
          line,
        );
    }
  }
  return { edges, problems };
}

function pathRef(path: string | undefined, file: string): Ref | undefined {
  // A path of which nothing but the extension is known says nothing.
  return path === undefined || /^[*./]*(?:\.\w+)?$/.test(path) ? undefined : fileRef(path, file);
}

function tableRef(name: string | undefined, database?: Database): Ref | undefined {
  if (name === undefined || name.includes(HOLE) || !/^[\w.$"`[\] -]+$/.test(name)) return undefined;
  const parts = name.split('.').map((part) => part.replace(/^["`[]|["`\]]$/g, ''));
  return { kind: 'table', parts, ...database };
}

/** Database files by the variable that holds the connection. */
function databasesOf(calls: readonly PythonCall[], file: string, constants: Constants): Map<string, Database> {
  const databases = new Map<string, Database>();
  for (const call of calls) {
    if (!call.target || !CONNECT.test(call.name)) continue;
    const text = textOf(argumentOf(call, 0, 'database', 'name_or_url'), constants)?.replace(/^sqlite:\/\/\//, '');
    const ref = text === undefined || text.includes('://') ? undefined : fileRef(text, file);
    if (ref?.kind === 'file')
      databases.set(call.target, { database: ref.path, ...(ref.or !== undefined && { or: ref.or }) });
  }
  return databases;
}

/** The database a call works on: by the variable it is called on or given; the only one there is, failing that. */
function databaseOf(call: PythonCall, databases: ReadonlyMap<string, Database>): Database | undefined {
  const given = call.args.flatMap(({ tokens }) => (tokens.length === 1 ? [tokens[0]!.text] : []));
  const named = [call.name.split('.')[0]!, ...given].find((name) => databases.has(name));
  if (named !== undefined) return databases.get(named);
  return databases.size === 1 ? [...databases.values()][0] : undefined;
}
