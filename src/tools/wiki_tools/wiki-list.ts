import * as z from 'zod';
import { offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'wiki_list',
  title: 'Browse the team wiki',
  description:
    'Lists what lies directly under a qualified name of the team wiki: source systems at the top, then databases, schemas, tables, files and so on, also branches that exist only because somebody wrote a learning there (node_type not_in_graph). `learnings` counts those at or below an entry. Use it to find the exact qualified_name for wiki_read or wiki_write when you do not know it; use wiki_search when you know the topic.',
  input: z.object({
    prefix: z
      .string()
      .default('')
      .describe('Qualified name to list under, such as snowflake://ANALYTICS; empty for the source systems.'),
    wiki_id: z.string().default('default').describe('The wiki; there is one, "default".'),
    limit: z.int().min(1).max(200).default(100).describe('Entries per page, 1 to 200.'),
    offset,
  }),
  effect: 'read',
  async run(input, { wiki, signal }) {
    return { data: await wiki.list(input, signal) };
  },
});
