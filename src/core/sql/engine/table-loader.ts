import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { UserError } from '../../errors.ts';

/** One row as names and values, or the names alone of a file that may have no rows. */
export type Row = readonly (readonly [name: string, value: unknown])[] | { readonly names: readonly string[] };

/** Rows that decide the columns and their types. */
const SAMPLE = 5000;
/** Most columns of a table in SQLite. */
const MOST_COLUMNS = 2000;

/**
 * Fills a table from rows whose columns and types are found out on the way: the first rows decide, and columns that turn
 * up later are added.
 */
export function tableLoader(database: DatabaseSync, name: string) {
  const columns = new Map<string, { readonly name: string; readonly index: number }>();
  const taken = new Set<string>();
  const sample: SQLInputValue[][] = [];
  let insert: StatementSync | undefined;
  let count = 0;

  const indexOf = (column: string): number => {
    const known = columns.get(column);
    if (known) return known.index;
    if (columns.size >= MOST_COLUMNS) {
      throw new UserError(
        'too_wide',
        `${name} has more than ${MOST_COLUMNS} columns.`,
        'Query a file with fewer columns.',
      );
    }
    // Names that differ in case alone are the same to SQLite.
    let free = column;
    for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${column}_${i}`;
    taken.add(free.toLowerCase());
    columns.set(column, { name: free, index: columns.size });
    if (insert) {
      database.exec(`ALTER TABLE ${quoted(name)} ADD COLUMN ${quoted(free)}`);
      insert = prepare();
    }
    return columns.size - 1;
  };

  const prepare = () =>
    database.prepare(`INSERT INTO ${quoted(name)} VALUES (${[...columns].map(() => '?').join(', ')})`);

  const create = () => {
    const definitions = [...columns.values()].map(
      ({ name: column, index }) => `${quoted(column)} ${affinity(sample, index)}`,
    );
    database.exec(`CREATE TABLE ${quoted(name)} (${definitions.join(', ') || '"(empty)"'})`);
    database.exec('BEGIN');
    if (columns.size === 0) return;
    insert = prepare();
    for (const row of sample) write(row);
    sample.length = 0;
  };

  const write = (row: readonly SQLInputValue[]) => {
    insert!.run(...row, ...Array.from({ length: columns.size - row.length }, () => null));
  };

  return {
    get count() {
      return count;
    },
    add(row: Row): void {
      if ('names' in row) {
        for (const column of row.names) indexOf(column);
        return;
      }
      const values: SQLInputValue[] = [];
      for (const [column, value] of row) values[indexOf(column)] = sqlValue(value);
      const filled = Array.from(values, (value) => value ?? null);
      count++;
      if (insert) write(filled);
      else if (sample.push(filled) >= SAMPLE) create();
    },
    finish(): void {
      if (!insert) create();
      database.exec('COMMIT');
    },
  };
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function sqlValue(value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : String(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));
}

const INTEGER = /^[+-]?(?:0|[1-9]\d{0,17})$/;
const REAL = /^[+-]?(?:0|[1-9]\d*)?(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Type of a column by its sampled values: text that only looks like a number, such as 007, stays text. */
function affinity(sample: readonly (readonly SQLInputValue[])[], index: number): 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB' {
  let type: 'INTEGER' | 'REAL' | undefined;
  for (const row of sample) {
    const value = row[index] ?? null;
    if (value === null) continue;
    if (value instanceof Uint8Array) return 'BLOB';
    const text = String(value);
    if (INTEGER.test(text)) type ??= 'INTEGER';
    else if (text !== '' && REAL.test(text)) type = 'REAL';
    else return 'TEXT';
  }
  return type ?? 'TEXT';
}
