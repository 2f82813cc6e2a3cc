import * as z from 'zod';
import { paginationMode, windowCount, windowStart } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'read_knowledge_base_doc',
  title: 'Read a knowledge-base document',
  description:
    "Reads the text of a document that search_knowledge_bases found, in windows of lines, characters or chunks. Use it right after a search hit whose preview is not enough; pass index_name and doc_path (or file_name, or file_id) exactly as the hit has them. While `has_more` is true, call again with start = next_start. Only documents of knowledge bases assigned to the current agent are read. For Loci's own documentation use read_product_doc.",
  input: z.object({
    index_name: z.string().min(1).describe('index_name of the hit.'),
    doc_path: z.string().default('').describe('doc_path of the hit; this, file_name or file_id is required.'),
    file_name: z.string().default('').describe('file_name of the hit, in place of doc_path.'),
    file_id: z.string().default('').describe('file_id of the hit, in place of doc_path.'),
    knowledge_base_id: z
      .string()
      .nullable()
      .default(null)
      .describe('Id or name of the knowledge base that the document must be in; null for any.'),
    pagination_mode: paginationMode,
    start: windowStart,
    count: windowCount,
  }),
  effect: 'read',
  usesIndex: true,
  async run({ pagination_mode: mode, ...input }, { knowledge, bases, signal }) {
    return { data: await knowledge.readDocument({ ...input, mode, allowed: await bases() }, signal) };
  },
});
