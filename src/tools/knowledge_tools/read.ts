import * as z from 'zod';
import { limit, offset, pathPartId } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'read',
  title: 'Read a document, section or chunk',
  description:
    'Reads any document, section or chunk of the knowledge bases by its path_part_id and adapts to its size. What fits the token budget (2,000 tokens by default) comes whole in one call. A larger document comes as a table of contents with the tokens, chunks, tables and images of each section: call read again with the path_part_id of the section you need. A larger section comes in pages of chunks: go on with next_offset. Works for PDF, DOCX and notebooks, which plain file reading does not. Get ids from search_knowledge, search_keyword, find or list_contents. Folders are listed with list_contents.',
  input: z.object({
    path_part_id: pathPartId,
    limit: limit.describe('Chunks per page of large content, 1 to 100; a page also ends before 8,000 bytes.'),
    offset: offset.describe(
      'Where to go on: the next_offset of the call before (chunks; sections in a table of contents; characters within one chunk).',
    ),
  }),
  effect: 'read',
  usesIndex: true,
  async run({ path_part_id: id, ...page }, { knowledge, bases, settings, signal }) {
    const place = { id, ...page, tokenBudget: settings['read.tokenBudget'], allowed: await bases() };
    return { data: await knowledge.read(place, signal) };
  },
});
