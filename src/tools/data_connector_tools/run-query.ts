import * as z from 'zod';
import { PAGE_BYTES, page } from '../../core/util/page.ts';
import { offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'run_query',
  title: 'Run a SQL query',
  description:
    'Runs one read-only SQL statement (SELECT, WITH, VALUES, EXPLAIN) on a registered connection, or on the data files of the workspace, and returns typed columns and a page of rows. Use it to answer questions with real data, after search_data_context or describe_asset gave the names. connection_id "workspace" queries files in the SQL of SQLite: SELECT * FROM "data/orders.csv", or by their name alone if it is unique, and tables of a SQLite file as "data/shop.sqlite".orders. What may write, lock, or call functions with side effects is refused unless the person allowed and confirms it. Errors name the nearest real tables and columns. Aggregate in SQL instead of paging through many rows; pass next_offset for more, with an ORDER BY so that pages do not overlap. Before an analysis that may have been done before, call find_past_queries.',
  input: z.object({
    connection_id: z
      .string()
      .min(1)
      .describe('Connection, as list_connections gives it, or "workspace" for its data files.'),
    sql: z.string().min(1).describe('One statement, in the SQL of the connection.'),
    limit: z
      .int()
      .min(1)
      .max(500)
      .default(50)
      .describe('Rows per page, 1 to 500; fewer when they would take too much room.'),
    offset,
  }),
  effect: 'read',
  limitMs: 330_000,
  async confirm({ connection_id, sql: text }, { sql, signal }) {
    const judged = await sql.judge({ connection_id, sql: text }, signal).catch(() => undefined);
    // Where writes are not allowed, or nothing can be judged, the call refuses by itself.
    if (!judged || judged.verdict === 'read' || !judged.allow_writes) return undefined;
    return {
      title: `Run SQL that may change ${judged.database}?`,
      message: `Not a mere read: ${judged.reason}.\n\n\`\`\`sql\n${text}\n\`\`\``,
    };
  },
  async run(input, { sql, caller, signal }) {
    const { columns, rows, more, notes, changed, ordered, ...rest } = await sql.run({ ...input, caller }, signal);
    if (changed !== undefined) return { data: { ...rest, rows_changed: changed } };
    const shown = columns.slice(0, MOST_COLUMNS);
    const { items } = page(rows, { limit: rows.length, offset: 0 }, (row) => row.slice(0, MOST_COLUMNS), ROW_BYTES);
    const hasMore = more || items.length < rows.length;
    const remarks = [
      ...notes,
      ...(columns.length > MOST_COLUMNS
        ? [`Only the first ${MOST_COLUMNS} of ${columns.length} columns are shown: select those you need.`]
        : []),
      ...(items.length < Math.min(rows.length, input.limit)
        ? ['The page is shorter than the limit because its rows are long.']
        : []),
      ...((hasMore || input.offset > 0) && !ordered ? ['Without ORDER BY, pages may overlap or leave out rows.'] : []),
    ];
    return {
      data: {
        ...rest,
        columns: shown,
        rows: items,
        returned: items.length,
        offset: input.offset,
        has_more: hasMore,
        next_offset: hasMore ? input.offset + items.length : null,
        ...(remarks.length > 0 && { notes: remarks }),
      },
    };
  },
});

const MOST_COLUMNS = 60;
const ROW_BYTES = PAGE_BYTES - 3000;
