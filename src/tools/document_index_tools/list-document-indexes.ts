import * as z from 'zod';
import { limit, offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'list_document_indexes',
  title: 'List document indexes',
  description:
    'Lists the document indexes of this workspace: named collections of folders and files that were made with create_document_index, with their sources, and how many documents are indexed or still pending. Use it when you need the exact name of an index, or want to know whether a collection exists before you make one. Knowledge bases that come from settings or from the workspace itself are in list_contents.',
  input: z.object({ limit, offset }),
  effect: 'read',
  async run(input, { indexes, bases, signal }) {
    return { data: await indexes.list({ ...input, allowed: await bases() }, signal) };
  },
});
