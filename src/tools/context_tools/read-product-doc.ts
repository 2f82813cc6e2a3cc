import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { paginationMode, windowCount, windowStart } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'read_product_doc',
  title: 'Read a page of the Loci documentation',
  description:
    "Reads a page of Loci's own documentation, in windows of lines, characters or chunks. Use it when a preview of search_product_docs is not enough; pass its doc_path or file_name. While `has_more` is true, call again with start = next_start. Documents that the person created or stored are read with read_knowledge_base_doc instead.",
  input: z.object({
    doc_path: z.string().default('').describe('doc_path of the hit, such as wiki.md; this or file_name is required.'),
    file_name: z.string().default('').describe('file_name of the hit, in place of doc_path.'),
    pagination_mode: paginationMode,
    start: windowStart,
    count: windowCount,
  }),
  effect: 'read',
  async run({ pagination_mode: mode, ...input }, { docs, signal }) {
    await docs.settled({ ms: 20_000 }, signal);
    const request = { ...input, mode, index_name: null, knowledge_base_id: null, file_id: '', allowed: null };
    try {
      const { knowledge_base_id: _, index_name: __, ...page } = await docs.readDocument(request, signal);
      return { data: page };
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'document_not_found') throw error;
      const next = `${error.next} A document of the person's own is read with read_knowledge_base_doc.`;
      throw new UserError('product_doc_not_found', error.message, next);
    }
  },
});
