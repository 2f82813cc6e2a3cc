import type { DatabaseSync } from 'node:sqlite';
import type { Limits, QueryResult, Statement } from './protocol.ts';
import { collectRows } from './values.ts';

/** Runs one statement and returns the rows of its page. */
export function runStatement(database: DatabaseSync, { sql, offset, limit }: Statement, limits: Limits): QueryResult {
  const prepared = database.prepare(sql);
  const columns = prepared.columns();
  if (columns.length === 0) {
    const { changes } = prepared.run();
    return { columns: [], rows: [], more: false, changed: Number(changes), notes: [] };
  }
  prepared.setReturnArrays(true);
  prepared.setReadBigInts(true);
  const page = collectRows(limit, limits.bytes);
  const types: (string | undefined)[] = columns.map(({ type }) => type?.toLowerCase());
  let seen = 0;
  let more = false;
  for (const row of prepared.iterate() as unknown as Iterable<unknown[]>) {
    if (seen++ < offset) continue;
    if (!page.take(row)) {
      more = true;
      break;
    }
    row.forEach((value, i) => {
      types[i] ??= typeOf(value);
    });
  }
  return {
    columns: columns.map(({ name }, i) => ({ name, type: types[i] ?? 'unknown' })),
    rows: page.rows,
    more,
    notes: [],
  };
}

function typeOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'real';
  if (typeof value === 'string') return 'text';
  return value instanceof Uint8Array ? 'blob' : undefined;
}
