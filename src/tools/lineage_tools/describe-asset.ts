import * as z from 'zod';
import { offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'describe_asset',
  title: 'Describe a data asset',
  description:
    'Everything known of one data asset: all columns with types, keys, descriptions and tests, its DDL or SQL, the file and line that define it, freshness, tags, row counts, the assets directly upstream and downstream, and the canonical_connection_id to query it with run_query. Use it on a qualified_name from search_data_context before writing SQL, and before deciding that a column does not exist. A plain name such as "orders" or "core.orders" is enough where only one asset is called so. Wide tables come in pages of columns: pass next_offset as offset.',
  input: z.object({
    qualified_name: z
      .string()
      .min(1)
      .describe('Qualified name of the asset, such as dbt://shop/orders, or its plain name.'),
    offset,
  }),
  effect: 'read',
  async run(input, { graph, signal }) {
    return { data: await graph.describe(input, signal) };
  },
});
