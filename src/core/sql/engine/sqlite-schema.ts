import type { DatabaseSync } from 'node:sqlite';
import type { ColumnSchema, TableSchema } from './protocol.ts';

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

interface ForeignKeyRow {
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
}

/** Tables and views of a SQLite database, as it describes them itself. */
export function readSchema(database: DatabaseSync): TableSchema[] {
  const objects = database
    .prepare(
      "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name",
    )
    .all() as unknown as { name: string; type: 'table' | 'view'; sql: string | null }[];
  return objects.map(({ name, type, sql }) => ({
    path: [],
    name,
    kind: type,
    columns: columnsOf(database, name),
    ...(sql && { definition: sql }),
  }));
}

function columnsOf(database: DatabaseSync, table: string): ColumnSchema[] {
  let rows: ColumnRow[];
  try {
    rows = database
      .prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?)')
      .all(table) as unknown as ColumnRow[];
  } catch {
    // A view over what is gone, or a virtual table of a module that is not here.
    return [];
  }
  const keys = database
    .prepare('SELECT "table", "from", "to" FROM pragma_foreign_key_list(?)')
    .all(table) as unknown as ForeignKeyRow[];
  return rows.map(({ name, type, notnull, pk }) => {
    const key = keys.find(({ from }) => from.toLowerCase() === name.toLowerCase());
    return {
      name,
      ...(type && { type }),
      nullable: notnull === 0,
      ...(pk > 0 && { primary_key: true }),
      ...(key && { references: { table: key.table, ...(key.to && { column: key.to }) } }),
    };
  });
}
