import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { limit, offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'find',
  title: 'Find a document or folder by name',
  description:
    'Finds documents and folders of the knowledge bases by name: any part of the file name, title or path, upper or lower case alike. Use it when you know what the thing is called ("onboarding", "runbook", "adr-012"); for words inside documents use search_keyword, for topics search_knowledge. Returns path_part_ids for read (documents) and list_contents (folders), best match first.',
  input: z.object({
    name: z.string().describe('Part of the name, title or path.'),
    kind: z
      .enum(['FOLDER', 'DOCUMENT'])
      .nullable()
      .default(null)
      .describe('Only folders or only documents; null for both.'),
    limit,
    offset,
  }),
  effect: 'read',
  usesIndex: true,
  async run(input, { knowledge, bases, signal }) {
    const name = input.name.trim();
    if (name === '')
      throw new UserError('empty_name', 'The name is empty.', 'Pass part of a name, or call list_contents to browse.');
    const found = await knowledge.find({ ...input, name, allowed: await bases() }, signal);
    return { data: { name: name.slice(0, 100), ...found } };
  },
});
