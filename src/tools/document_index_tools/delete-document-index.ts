import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'delete_document_index',
  title: 'Delete a document index',
  description:
    'Deletes a document index: its documents are no longer found; the files themselves stay untouched. Use it when the person asks for it. Only indexes made with create_document_index can be deleted. Discovery forgets it at once.',
  input: z.object({ name: z.string().min(1).describe('Name of the index.') }),
  effect: 'write',
  async confirm({ name }) {
    return {
      title: 'Delete the document index?',
      message: `\`${name}\` will no longer be searchable. The documents themselves are not touched.`,
    };
  },
  async run(input, { indexes, bases, signal }) {
    return { data: await indexes.delete({ ...input, allowed: await bases() }, signal) };
  },
});
