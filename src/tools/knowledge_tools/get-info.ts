import * as z from 'zod';
import { pathPartId } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'get_info',
  title: 'Where is this node?',
  description:
    'Tells where a node of the knowledge bases lies and how large it is: kind, name, full path, the breadcrumb from the root with the path_part_id of each step, its parent, tokens, chunks and sections, and for documents the date of their last change. Use it to go up from a search result to its section, document or folder.',
  input: z.object({ path_part_id: pathPartId }),
  effect: 'read',
  usesIndex: true,
  async run({ path_part_id: id }, { knowledge, bases, signal }) {
    return { data: await knowledge.info({ id, allowed: await bases() }, signal) };
  },
});
