import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'rename_document_index',
  title: 'Rename a document index',
  description:
    'Gives a document index another name; its documents, ids and index stay as they are. Use it when the person asks for it, or a name no longer says what is inside. Only indexes made with create_document_index can be renamed. Discovery knows the new name at once.',
  input: z.object({
    name: z.string().min(1).describe('Present name of the index.'),
    new_name: z.string().min(1).describe('New name, unique among knowledge bases; 1 to 64 characters.'),
  }),
  effect: 'write',
  async confirm({ name, new_name }) {
    return { title: 'Rename the document index?', message: `\`${name}\` will be called \`${new_name}\`.` };
  },
  async run(input, { indexes, bases, signal }) {
    return { data: await indexes.rename({ ...input, allowed: await bases() }, signal) };
  },
});
