import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'wiki_write',
  title: 'Save a learning to the team wiki',
  description:
    'Saves a learning about a data asset for the team: a convention, a caveat, a decision, a dead end. Use it when the person states such a fact, or work has proved it, and wiki_read does not show it yet. One fact a call, in one or a few plain sentences that stand alone. To replace a learning, pass its statement_id as supersedes_key; to refine it, use wiki_edit. The same text twice is saved once. Learnings lie in the workspace and are shared through git; with privacy_class contains_values they stay on this machine. A person may have to approve it: see `status`.',
  input: z.object({
    qualified_name: z
      .string()
      .min(1)
      .describe('Asset that the learning is about, such as snowflake://ANALYTICS/FINANCE/REVENUE.'),
    content: z.string().min(1).describe('The learning, clear and concise; at most 4,000 bytes.'),
    commit_message: z.string().default('').describe('Why it is saved, in a few words.'),
    supersedes_key: z
      .string()
      .nullable()
      .default(null)
      .describe('statement_id of the learning that this one replaces, as wiki_read or wiki_write returned it.'),
    category: z
      .enum(['final', 'exploratory', 'rejected_approach', 'superseded', 'open_question'])
      .default('final')
      .describe('final for settled facts; rejected_approach for what was tried and given up.'),
    privacy_class: z
      .enum(['metadata', 'contains_values'])
      .default('metadata')
      .describe('contains_values when the text names specific data values, such as a customer or an amount.'),
    wiki_id: z.string().default('default').describe('The wiki; there is one, "default".'),
  }),
  effect: 'write',
  setting: 'wiki.writeEnabled',
  async confirm({ qualified_name, content, supersedes_key, privacy_class }) {
    const where =
      privacy_class === 'metadata'
        ? 'In the workspace, under `.loci/wiki`.'
        : 'On this machine only, unless `loci.wiki.shareValues` is on.';
    const replaces = supersedes_key === null ? '' : `\n\nIt replaces \`${supersedes_key}\`.`;
    return {
      title: 'Save to the team wiki?',
      message: `\`${qualified_name}\`\n\n> ${content.replaceAll('\n', '\n> ')}\n\n${where}${replaces}`,
    };
  },
  async run(input, { wiki, caller, signal }) {
    return { data: await wiki.write({ ...input, caller }, signal) };
  },
});
