import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'wiki_edit',
  title: 'Edit a learning of the team wiki',
  description:
    'Refines an active learning of the team wiki: its text, category or privacy class; what is left out stays as it is. Use it when a learning is right but incomplete, to retire one (category rejected_approach), or to mark one private (privacy_class contains_values) or public again once specific values are out of its text; category and class are applied exactly as given. Get the statement_id from wiki_read right before. A repeated call is recognised: see `applied` and `reason`. To replace a learning by another, use wiki_write with supersedes_key.',
  input: z.object({
    statement_id: z.string().min(1).describe('Key of the learning, as wiki_read shows it.'),
    content: z.string().nullable().default(null).describe('The whole new text; null to keep it.'),
    commit_message: z.string().default('').describe('Why it is changed, in a few words.'),
    category: z
      .enum(['final', 'exploratory', 'rejected_approach', 'superseded', 'open_question'])
      .nullable()
      .default(null)
      .describe('New category; null to keep it.'),
    privacy_class: z
      .enum(['metadata', 'contains_values'])
      .nullable()
      .default(null)
      .describe('New privacy class; null to keep it.'),
    wiki_id: z.string().default('default').describe('The wiki; there is one, "default".'),
  }),
  effect: 'write',
  setting: 'wiki.writeEnabled',
  async confirm({ statement_id, content, category, privacy_class }) {
    const changes = [
      content === null ? '' : `> ${content.replaceAll('\n', '\n> ')}`,
      category === null ? '' : `Category: ${category}`,
      privacy_class === null ? '' : `Privacy class: ${privacy_class}`,
    ];
    return {
      title: 'Edit a learning of the team wiki?',
      message: `\`${statement_id}\`\n\n${changes.filter((change) => change !== '').join('\n\n')}`,
    };
  },
  async run(input, { wiki, caller, signal }) {
    return { data: await wiki.edit({ ...input, caller }, signal) };
  },
});
