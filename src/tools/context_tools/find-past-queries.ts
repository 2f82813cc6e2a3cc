import * as z from 'zod';
import { defineTool } from '../tool.ts';

const category = z.enum(['final', 'exploratory', 'rejected_approach', 'superseded', 'open_question']);

export default defineTool({
  name: 'find_past_queries',
  title: 'Find past SQL queries',
  description:
    'Recalls SQL that was run or written before: queries run through Loci, SQL in past chats, and the .sql files of the workspace, with the conventions and rejected approaches that the team wiki holds for the same tables. Use it when someone refers to earlier SQL work ("that churn report", "the analysis we did yesterday") or asks about a table that may have been queried before, and before writing new SQL. Queries need not be validated to be found; validation_status says how the wiki judges them. prior_concerns are rejections in their own context, not bans. Only SQL history: for documents or other files use search_knowledge, for table metadata search_data_context, for wider recall search_threads, and read_thread for the chat that a result came from.',
  input: z.object({
    topic: z
      .string()
      .min(1)
      .describe(
        'Topic, table or view name, or description of the earlier report; qualified names in it are used as such.',
      ),
    anchor_qns: z
      .array(z.string())
      .nullable()
      .default(null)
      .describe(
        'Qualified names of the tables meant, such as snowflake://ANALYTICS/MART/ORDERS; null to go by the topic.',
      ),
    connection_id: z.string().nullable().default(null).describe('Only queries on this connection; null for all.'),
    since: z.string().nullable().default(null).describe('Only queries from this ISO time on; null for no bound.'),
    until: z.string().nullable().default(null).describe('Only queries up to this ISO time; null for no bound.'),
    scope: z
      .enum(['self', 'all'])
      .default('self')
      .describe('self: of this workspace; all: of other workspaces too, where a setting allows it.'),
    limit: z.int().min(1).max(50).default(10).describe('Most queries to return, 1 to 50.'),
    include_categories: z
      .array(category)
      .nullable()
      .default(null)
      .describe('Categories of learnings that count as validated; null for final alone. Does not limit what is found.'),
  }),
  effect: 'read',
  async run(input, { sql, signal }) {
    return { data: await sql.findPast(input, signal) };
  },
});
