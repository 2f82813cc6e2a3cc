import { brief } from '../util/page.ts';
import { openParquet } from '../util/parquet.ts';
import type { Sample } from './answers/describe.ts';
import type { Asset } from './model.ts';
import { readDelimited } from './scan/delimited.ts';
import { readHead } from './scan/file-head.ts';
import { openReadOnly } from './scan/sqlite.ts';
import { fieldsOf } from './scan/text.ts';

const ROWS = 3;
const MOST_COLUMNS = 12;
const VALUE_BYTES = 60;
const MOST_GROUP_BYTES = 50_000_000n;

/** The first rows of a data file or of a table in a SQLite file; in words, why there are none. */
export async function firstRows(
  { qualified_name, name, place, connection_id, facts }: Asset,
  absolute: (path: string) => string | undefined,
): Promise<Sample | string> {
  const path = place && absolute(place.file);
  if (connection_id !== undefined || !path) return 'Its rows are read with run_query.';
  try {
    if (qualified_name.startsWith('sqlite://')) return await sqliteRows(path, name);
    if (/\.(?:csv|tsv|tab)$/i.test(path)) return await delimitedRows(path);
    if (/\.(?:jsonl|ndjson)$/i.test(path)) return await jsonRows(path);
    if (facts?.format === 'parquet') return await parquetRows(path);
    return 'It has no rows.';
  } catch (error) {
    return `Its rows could not be read: ${brief((error as Error).message, 200)}`;
  }
}

async function delimitedRows(path: string): Promise<Sample> {
  const { text, whole } = await readHead(path, path);
  const [header = [], ...rows] = readDelimited(text, { most: ROWS + 1, ends: whole }).rows;
  return { columns: header.slice(0, MOST_COLUMNS), rows: rows.map((row) => row.slice(0, MOST_COLUMNS).map(shown)) };
}

async function jsonRows(path: string): Promise<Sample> {
  const { text } = await readHead(path, path);
  const lines = text.split('\n', ROWS * 2).filter((line) => line.trim() !== '');
  return sampleOf(lines.slice(0, ROWS).map((line) => fieldsOf(JSON.parse(line))));
}

async function parquetRows(path: string): Promise<Sample | string> {
  const file = await openParquet(path);
  const group = file.metadata.row_groups[0];
  if (!group) return 'It has no rows.';
  // A row group is read as a whole.
  if (group.total_byte_size > MOST_GROUP_BYTES)
    return 'Its row groups are too large to show a few rows of: query it with run_query.';
  return sampleOf(await file.rows(0));
}

async function sqliteRows(path: string, table: string): Promise<Sample> {
  const database = await openReadOnly(path);
  try {
    const rows = database.prepare(`SELECT * FROM "${table.replaceAll('"', '""')}" LIMIT ${ROWS}`).all();
    return sampleOf(rows);
  } finally {
    database.close();
  }
}

function sampleOf(records: readonly Readonly<Record<string, unknown>>[]): Sample {
  const columns = Object.keys(records[0] ?? {}).slice(0, MOST_COLUMNS);
  return { columns, rows: records.slice(0, ROWS).map((record) => columns.map((column) => shown(record[column]))) };
}

/** A value short enough to show; what JSON cannot hold, as text. */
function shown(value: unknown): unknown {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return brief(typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value), VALUE_BYTES);
}
