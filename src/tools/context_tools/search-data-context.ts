import * as z from 'zod';
import { offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'search_data_context',
  title: 'Search data context',
  description:
    'Searches the data assets of the workspace and its connections: tables, views, columns, dbt models and sources, CSV, Parquet and SQLite files, notebooks, pipelines, jobs, dashboards, API endpoints and schemas. Use it first when a question is about data ("what tables do we have for billing?", "where does the ETL write?", "which dashboard shows the on-time rate?"), and before writing SQL or asking for lineage, instead of grep: it ranks by meaning and by name, and says where each asset is defined. column_names is a preview: call describe_asset before deciding that a column does not exist. Follow up with lineage_action for upstream and downstream, describe_asset for all columns and DDL, wiki_read where learnings_count is above 0. index_status says what is not covered yet; harvest_calls are ready to run. For documents use search_knowledge.',
  input: z.object({
    query: z.string().describe('What to look for: a topic, a table, view, model or column name.'),
    top_k: z
      .int()
      .min(1)
      .max(100)
      .default(15)
      .describe('Most results to return, 1 to 100; at least 40 candidates are ranked.'),
    offset,
    source_system: z
      .string()
      .default('')
      .describe('Only assets of this system, such as postgres, dbt, file, grafana; empty for all.'),
    node_type: z
      .string()
      .default('')
      .describe('Only this kind of asset, such as table, view, model, dashboard, notebook, file; empty for all.'),
    connection_id: z.string().default('').describe('Only assets of this registered connection; empty for all.'),
    min_score: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('Least score of indexed hits, 0 to 1; 0 for no floor. Hits by name alone are never left out.'),
    include_raw: z.boolean().default(false).describe('Adds to each hit the text it is indexed by.'),
  }),
  effect: 'read',
  async run(input, { graph, signal }) {
    return { data: await graph.search(input, signal) };
  },
});
