import { groupBy } from '../../util/group-by.ts';
import type { PostgresConnection } from '../connections/record.ts';
import { withSession } from './postgres-client.ts';
import type { ColumnSchema, Limits, TableSchema } from './protocol.ts';

const TABLES = `
  SELECT c.oid, n.nspname, c.relname, c.relkind, pg_catalog.obj_description(c.oid, 'pg_class'),
    CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid) END
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
  ORDER BY n.nspname, c.relname`;

const COLUMNS = `
  SELECT a.attrelid, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
    pg_catalog.col_description(a.attrelid, a.attnum), k.contype = 'p' AS is_key
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
  LEFT JOIN pg_catalog.pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)
  WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum`;

const REFERENCES = `
  SELECT k.conrelid, a.attname, n.nspname, c.relname, f.attname
  FROM pg_catalog.pg_constraint k
  CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(k.conkey), pg_catalog.unnest(k.confkey)) AS u (own, far)
  JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.own
  JOIN pg_catalog.pg_attribute f ON f.attrelid = k.confrelid AND f.attnum = u.far
  JOIN pg_catalog.pg_class c ON c.oid = k.confrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE k.contype = 'f'`;

/** Tables and views of a PostgreSQL database that the user can see, system schemas left out. */
export function readPostgresSchema(
  connection: PostgresConnection,
  password: string | undefined,
  limits: Pick<Limits, 'milliseconds'>,
  signal?: AbortSignal,
): Promise<TableSchema[]> {
  return withSession(connection, password, limits, signal, async ({ query }) => {
    await query('BEGIN READ ONLY');
    const tables = await query(TABLES);
    const columns = groupBy((await query(COLUMNS)).rows, ([table]) => table);
    const references = new Map((await query(REFERENCES)).rows.map((row) => [`${row[0]} ${row[1]}`, row]));
    await query('ROLLBACK');
    return tables.rows.map(([oid, schema, name, kind, comment, definition]) => ({
      path: [connection.database, schema!],
      name: name!,
      kind: kind === 'v' || kind === 'm' ? 'view' : 'table',
      columns: (columns.get(oid!) ?? []).map((column) => columnOf(column, references.get(`${oid} ${column[1]}`))),
      ...(comment && { comment }),
      ...(definition && { definition }),
    }));
  });
}

function columnOf(
  [, name, type, notNull, comment, key]: readonly (string | null)[],
  reference: readonly (string | null)[] | undefined,
): ColumnSchema {
  return {
    name: name!,
    ...(type && { type }),
    nullable: notNull !== 't',
    ...(key === 't' && { primary_key: true }),
    ...(comment && { comment }),
    ...(reference && { references: { schema: reference[2]!, table: reference[3]!, column: reference[4]! } }),
  };
}
