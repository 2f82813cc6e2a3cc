import * as z from 'zod';
import { limit, offset, pathPartId } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'list_contents',
  title: 'List a folder of the knowledge bases',
  description:
    "Browses the knowledge bases like a file tree: the folders and documents inside a folder, each with its path_part_id, title and size. Without an id it lists the top level: the workspace's folders and documents, or the knowledge bases where there are several. Use it to see what documentation there is; use find when you know part of a name, search_knowledge when you know the topic. Only documents are listed, not source code. A document or section is read with read.",
  input: z.object({
    path_part_id: pathPartId
      .nullable()
      .default(null)
      .describe('Folder to list (UUID); null or left out for the top level.'),
    limit,
    offset,
  }),
  effect: 'read',
  usesIndex: true,
  async run({ path_part_id: id, ...page }, { knowledge, bases, signal }) {
    return { data: await knowledge.list({ id, ...page, allowed: await bases() }, signal) };
  },
});
