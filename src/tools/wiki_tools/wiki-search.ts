import * as z from 'zod';
import { offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'wiki_search',
  title: 'Search the team wiki',
  description:
    'Searches the team wiki: pages of tables, views, models, dashboards and files, and what the team learned about them (conventions, caveats, decisions, dead ends). Use it when a question touches data or business terms whose meaning is not in the code, before you write SQL or explain a figure. `results` holds matching assets, `learning_hits` matching learnings with their text and a match strength from 0 to 1. Follow up with wiki_read on a qualified_name or anchor_qn for everything known about it.',
  input: z.object({
    query: z.string().min(1).describe('What to look for, such as "revenue recognition date".'),
    max_results: z.int().min(1).max(200).default(20).describe('Most matches of each kind, 1 to 200.'),
    offset,
    wiki_id: z.string().default('default').describe('The wiki; there is one, "default".'),
  }),
  effect: 'read',
  async run({ max_results: limit, ...input }, { wiki, signal }) {
    return { data: await wiki.search({ ...input, limit }, signal) };
  },
});
