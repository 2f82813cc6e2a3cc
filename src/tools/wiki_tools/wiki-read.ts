import * as z from 'zod';
import { offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'wiki_read',
  title: 'Read a page of the team wiki',
  description:
    "Reads one page of the team wiki: what the graph knows of the asset, and every learning on it with its statement_id, category, and who wrote it when. Use it when a search shows learnings_count above 0, before relying on a table's meaning, and before wiki_write or wiki_edit. Category `final` is settled, `exploratory` and `open_question` are not, `rejected_approach` was tried and given up for that case. An asset with learnings but no place in the graph has a page of learnings only.",
  input: z.object({
    qualified_name: z
      .string()
      .min(1)
      .describe('Full name of the asset, such as snowflake://ANALYTICS/FINANCE/REVENUE.'),
    wiki_id: z.string().default('default').describe('The wiki; there is one, "default".'),
    limit: z
      .int()
      .min(1)
      .max(100)
      .default(50)
      .describe('Learnings per page, 1 to 100; a page also ends before 8,000 bytes.'),
    offset,
  }),
  effect: 'read',
  async run(input, { wiki, signal }) {
    return { data: await wiki.read(input, signal) };
  },
});
