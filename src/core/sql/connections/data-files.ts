import { basename, join } from 'node:path';
import { UserError } from '../../errors.ts';
import type { WorkspaceFolder } from '../../host.ts';
import { scan } from '../../util/scan.ts';
import type { FileTable } from '../engine/protocol.ts';
import type { TableName } from '../parse/statement.ts';

const FORMATS: Readonly<Record<string, FileTable['format'] | 'sqlite' | 'duckdb'>> = {
  csv: 'csv',
  tsv: 'csv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  pq: 'parquet',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  db: 'sqlite',
  db3: 'sqlite',
  duckdb: 'duckdb',
};

/** JSON files of this name configure tools; they hold no data. */
const CONFIGURATION =
  /^(?:package(?:-lock)?|tsconfig.*|jsconfig|composer|settings|launch|tasks|extensions|manifest|.*\.config|\..*)\.json$/i;

/** A file of the workspace that a query can name as a table, or as a schema when it is a SQLite database. */
export interface DataFile {
  /** From its workspace folder, `/`-separated; `folder/` goes before it where there are several folders. */
  readonly path: string;
  readonly absolute: string;
  readonly format: FileTable['format'] | 'sqlite' | 'duckdb';
  readonly size: number;
}

/** The data files of the workspace, by path. */
export async function dataFiles(folders: readonly WorkspaceFolder[], signal?: AbortSignal): Promise<DataFile[]> {
  const found: DataFile[] = [];
  for (const folder of folders) {
    const { files } = await scan(
      { root: folder.path, exclude: [], maxBytes: Number.MAX_SAFE_INTEGER },
      (path) => formatOf(path) !== undefined,
      signal,
    );
    for (const { path, size } of files) {
      found.push({
        path: folders.length > 1 ? `${folder.name}/${path}` : path,
        absolute: join(folder.path, path),
        format: formatOf(path)!,
        size,
      });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function formatOf(path: string): DataFile['format'] | undefined {
  const name = basename(path);
  return CONFIGURATION.test(name) ? undefined : FORMATS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
}

/**
 * What the tables that a query reads are: data files by path or name, with or without extension, and tables of SQLite files
 * as `<file>.<table>`. Names of no file are left for SQLite to complain about.
 * @throws UserError for a name that several files have, and for DuckDB files, which cannot be read here
 */
export function filesOfQuery(reads: readonly TableName[], files: readonly DataFile[]) {
  const tables: FileTable[] = [];
  const databases: { name: string; path: string }[] = [];
  for (const { parts } of reads) {
    const name = parts[0]!;
    const found = fileNamed(name, files, parts.length === 1 ? 'table' : 'schema');
    if (!found) continue;
    if (found.format === 'duckdb') throw duckdb(found);
    if (found.format === 'sqlite') {
      if (parts.length === 1) throw wholeDatabase(found);
      if (!databases.some((other) => other.name === name)) databases.push({ name, path: found.absolute });
    } else tables.push({ name, path: found.absolute, format: found.format });
  }
  return { tables, databases };
}

function fileNamed(name: string, files: readonly DataFile[], use: 'table' | 'schema'): DataFile | undefined {
  const wanted = name.toLowerCase().replace(/^\.\//, '');
  const names: ((file: DataFile) => string)[] = [
    ({ path }) => path,
    ({ path }) => path.replace(/\.[^./]+$/, ''),
    ({ path }) => basename(path),
    ({ path }) => basename(path).replace(/\.[^.]+$/, ''),
  ];
  for (const nameOf of names) {
    let found = files.filter((file) => nameOf(file).toLowerCase() === wanted);
    const fitting = found.filter(({ format }) => (format === 'sqlite') === (use === 'schema'));
    if (found.length > 1 && fitting.length > 0) found = fitting;
    if (found.length > 1) {
      throw new UserError(
        'ambiguous_table',
        `${name} may be any of: ${found
          .slice(0, 10)
          .map(({ path }) => path)
          .join(', ')}.`,
        'Name the file by its path in double quotes, such as "data/orders.csv".',
      );
    }
    if (found[0]) return found[0];
  }
  return undefined;
}

function duckdb({ path }: DataFile): UserError {
  return new UserError(
    'duckdb_not_readable',
    `${path} is a DuckDB database, which Loci cannot read.`,
    `Export its tables with the duckdb command line, such as: duckdb ${path} "EXPORT DATABASE 'export' (FORMAT parquet)", and query the Parquet files.`,
  );
}

function wholeDatabase({ path }: DataFile): UserError {
  return new UserError(
    'not_a_table',
    `${path} is a SQLite database, not a table.`,
    `Name one of its tables: SELECT * FROM "${path}".<table>; "${path}".sqlite_schema lists them.`,
  );
}
