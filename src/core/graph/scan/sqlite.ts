import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path/posix';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { breathe, throwIfAborted } from '../../util/abort.ts';
import type {
  AssetDraft,
  ColumnDraft,
  FlowDraft,
  Fragment,
  FragmentProblem,
  Ref,
  ScanContext,
  ScannedFile,
  Scanner,
} from '../fragment.ts';
import { pathName } from '../names.ts';
import type { TableName } from '../sql.ts';
import { modified } from './csv.ts';
import { flowOf } from './flow.ts';
import { definitionOf, given } from './text.ts';

const MAGIC = 'SQLite format 3\0';
const MOST_TABLES = 5000;
/** Counting reads a whole table: only in files up to this size. */
const COUNTED_BYTES = 100_000_000;

/** SQLite files: tables, views with their lineage, keys and row counts. Opened for reading only; nothing beside them is made. */
export const sqliteScanner: Scanner = {
  name: 'sqlite-1',
  claims: ({ path }) => /\.(?:sqlite3?|db3?|s3db|sl3|gpkg)$/i.test(path),
  async scan(file, context) {
    if (!(await startsWith(file.absolute, MAGIC))) {
      return /\.db$/i.test(file.path) ? {} : { problems: [{ message: 'Not a SQLite file: its header is another.' }] };
    }
    let database: DatabaseSync | undefined;
    try {
      database = await openReadOnly(file.absolute);
      return await readSchema(database, file, context);
    } catch (error) {
      if (context.signal.aborted) throw error;
      return { problems: [{ message: `The SQLite file cannot be read: ${(error as Error).message}` }] };
    } finally {
      database?.close();
    }
  },
};

async function startsWith(path: string, magic: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(magic.length);
    await file.read(buffer, 0, magic.length, 0);
    return buffer.toString('latin1') === magic;
  } finally {
    await file.close();
  }
}

/**
 * Opens a file that others may be writing to. Without a write-ahead log it counts as unchanging, so that SQLite takes no
 * lock and makes no files beside it.
 */
export async function openReadOnly(path: string): Promise<DatabaseSync> {
  const log = await stat(`${path}-wal`).then(
    ({ size }) => size > 0,
    () => false,
  );
  const url = pathToFileURL(path);
  if (!log) url.searchParams.set('immutable', '1');
  // Not in every Node that the command line may run on.
  const sqlite = await import('node:sqlite');
  const database = new sqlite.DatabaseSync(url, { readOnly: true, allowExtension: false, timeout: 2000 });
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;');
  return database;
}

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

async function readSchema(
  database: DatabaseSync,
  file: ScannedFile,
  { parseSql, signal }: ScanContext,
): Promise<Fragment> {
  const rows = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .all() as unknown as SchemaRow[];
  const assets: AssetDraft[] = [
    {
      qualified_name: pathName('sqlite', file.path),
      node_type: 'database',
      name: basename(file.path),
      facts: { tables: rows.length, size_bytes: file.size },
      freshness: modified(file),
    },
  ];
  const flows: FlowDraft[] = [];
  const problems: FragmentProblem[] = [];
  if (rows.length > MOST_TABLES)
    problems.push({ message: `${rows.length - MOST_TABLES} of ${rows.length} tables are left out.` });
  const columns = database.prepare(
    'SELECT name, type, "notnull" AS required, dflt_value AS initial, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1',
  );
  const keys = database.prepare(
    'SELECT "table" AS target, "from" AS source, "to" AS referenced FROM pragma_foreign_key_list(?)',
  );
  for (const { type, name, sql } of rows.slice(0, MOST_TABLES)) {
    throwIfAborted(signal);
    await breathe();
    const qualified = pathName('sqlite', file.path, name);
    try {
      const plain = type === 'table' && !/^\s*create\s+virtual/i.test(sql ?? '');
      const count =
        plain && file.size <= COUNTED_BYTES
          ? database.prepare(`SELECT count(*) AS n FROM "${name.replaceAll('"', '""')}"`).get()
          : undefined;
      assets.push({
        qualified_name: qualified,
        node_type: type,
        name,
        columns: columnsOf(columns.all(name) as unknown as ColumnRow[], keys.all(name) as unknown as KeyRow[]),
        ...given('definition', sql === null ? undefined : definitionOf(sql)),
        facts: { file: file.path, ...(count && { row_count: Number(count.n) }) },
        freshness: modified(file),
      });
    } catch (error) {
      problems.push({ message: `${type} ${name}: ${(error as Error).message}` });
    }
    if (type !== 'view' || sql === null) continue;
    const parsed = await parseSql(sql, { dialect: 'sqlite', signal });
    const self: Ref = { kind: 'name', name: qualified };
    const table = ({ parts }: TableName): Ref => ({ kind: 'table', parts, database: file.path });
    flows.push(...parsed.statements.map((statement) => flowOf({ ...statement, line: 1 }, self, 'view', table)));
    problems.push(...parsed.problems.map(({ message }) => ({ message: `view ${name}: ${message}` })));
  }
  return { assets, ...given('flows', flows), ...given('problems', problems) };
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly required: number;
  readonly initial: string | null;
  readonly pk: number;
}

interface KeyRow {
  readonly target: string;
  readonly source: string;
  readonly referenced: string | null;
}

function columnsOf(columns: readonly ColumnRow[], keys: readonly KeyRow[]): ColumnDraft[] {
  return columns.map(({ name, type, required, initial, pk }) => {
    const key = keys.find(({ source }) => source === name);
    return {
      name,
      ...given('type', type.toLowerCase()),
      nullable: required === 0 && pk === 0,
      ...(pk > 0 && { primary_key: true }),
      ...(key && { references: { table: [key.target], ...given('column', key.referenced ?? undefined) } }),
      ...given('default', initial ?? undefined),
    };
  });
}
