import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse';
import { UserError } from '../../errors.ts';
import { openParquet } from '../../util/parquet.ts';
import { jsonLines, jsonRows } from './json-rows.ts';
import type { FileTable } from './protocol.ts';
import { type Row, tableLoader } from './table-loader.ts';

/** Largest data file that is loaded, in bytes, by format: JSON has to be in memory as a whole. */
const LARGEST = { csv: 500_000_000, jsonl: 500_000_000, json: 100_000_000, parquet: 500_000_000 } as const;
/** Most rows of one file. */
const MOST_ROWS = 2_000_000;

/** Loads a data file into a table of the database. @returns a note when not all of it was loaded */
export async function loadFile(database: DatabaseSync, file: FileTable): Promise<string | undefined> {
  const { size } = await stat(file.path);
  if (size > LARGEST[file.format]) {
    throw new UserError(
      'too_large',
      `${file.name} has ${Math.round(size / 1e6)} MB; ${file.format} files of up to ${LARGEST[file.format] / 1e6} MB can be queried.`,
      'Load it into a database, such as SQLite, and register that as a connection.',
    );
  }
  const loader = tableLoader(database, file.name);
  try {
    for await (const row of rowsOf(file)) {
      if (loader.count >= MOST_ROWS) break;
      loader.add(row);
    }
    loader.finish();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'unreadable',
      `${file.name} cannot be read as ${file.format}: ${(error as Error).message}`,
      'Fix the file, or query another one.',
    );
  }
  return loader.count >= MOST_ROWS
    ? `Only the first ${MOST_ROWS.toLocaleString('en')} rows of ${file.name} were read.`
    : undefined;
}

function rowsOf(file: FileTable): AsyncIterable<Row> {
  if (file.format === 'csv') return csvRows(file.path);
  if (file.format === 'jsonl') return jsonLines(file.path);
  return file.format === 'json' ? jsonRows(file.path) : parquetRows(file.path);
}

async function* csvRows(path: string): AsyncIterable<Row> {
  const { encoding, delimiter } = await sniff(path);
  const parser = createReadStream(path).pipe(
    parse({
      bom: true,
      encoding,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 10_000_000,
    }),
  );
  let names: string[] | undefined;
  for await (const record of parser as AsyncIterable<string[]>) {
    if (!names) names = distinct(record.map((name, i) => name.trim() || `column${i + 1}`));
    else
      yield record.map((value, i): [string, string | null] => [
        names![i] ?? `column${i + 1}`,
        value === '' ? null : value,
      ]);
  }
  if (names) yield { names };
}

/** Names that are written twice are numbered, without regard to case, as SQLite has it. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${name}_${i}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

/** What separates the values, by the first line, and the encoding, by a byte order mark. */
async function sniff(path: string): Promise<{ encoding: 'utf8' | 'utf16le'; delimiter: string }> {
  let head = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { end: 65_535 })) head = Buffer.concat([head, chunk as Buffer]);
  const encoding = head[0] === 0xff && head[1] === 0xfe ? 'utf16le' : 'utf8';
  const line = head
    .toString(encoding)
    .split(/\r?\n/, 1)[0]!
    .replace(/"(?:[^"]|"")*"/g, '');
  const [delimiter] = [',', '\t', ';', '|']
    .map((char): [string, number] => [char, line.split(char).length])
    .sort((a, b) => b[1] - a[1])[0]!;
  return { encoding, delimiter };
}

async function* parquetRows(path: string): AsyncIterable<Row> {
  const parquet = await openParquet(path);
  const names = parquet.columns.map(({ element }) => element.name);
  yield { names };
  for (let group = 0; group < parquet.metadata.row_groups.length; group++) {
    for (const row of await parquet.rows(group)) yield Object.entries(row);
  }
}
