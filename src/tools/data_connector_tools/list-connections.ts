import * as z from 'zod';
import { page } from '../../core/util/page.ts';
import { limit, offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'list_connections',
  title: 'List database connections',
  description:
    'Lists the registered database connections (Postgres, SQLite) and the connection "workspace", whose tables are the CSV, TSV, JSON, JSONL, Parquet and SQLite files of the workspace. Use it to get the connection_id for run_query. Listing opens no connection, so connection_status is bound_unmeasured until one is queried or tested. With files, also lists the data files that "workspace" can query. Adding and changing connections is up to a person, with the command "Loci: Add Connection". To find tables by topic use search_data_context.',
  input: z.object({
    files: z
      .boolean()
      .default(false)
      .describe('Also lists the data files of the workspace, with the names to query them by.'),
    limit,
    offset,
  }),
  effect: 'read',
  async run({ files, ...window }, { sql, signal }) {
    const { connections } = await sql.list(undefined, signal);
    const known = { connections: connections.map(({ status, ...rest }) => ({ ...rest, connection_status: status })) };
    if (!files) {
      const { items, pagination } = page(known.connections, window, (connection) => connection);
      return { data: { connections: items, pagination } };
    }
    const found = await sql.files(undefined, signal);
    const { items, pagination } = page(found.files, window, ({ path, format, size }) => ({
      table: format === 'sqlite' ? `"${path}".<table>` : `"${path}"`,
      format,
      size_bytes: size,
      ...(format === 'duckdb' && { queryable: false, reason: 'DuckDB files cannot be read; export them to Parquet.' }),
    }));
    return { data: { connection_id: 'workspace', files: items, pagination } };
  },
});
