import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'search_knowledge_bases',
  title: 'Search assigned knowledge bases',
  description:
    "Searches the knowledge bases assigned to the current agent (the workspace's documents, and folders and document indexes the person added) and returns previews. Use it when manage_context's SEARCH_CONTEXT shows a promising knowledge-base hit, or to search one base by its id. Read the full text of a hit with read_knowledge_base_doc, passing index_name and doc_path as they are here. For questions about Loci itself use search_product_docs; for passages with ids that read_around takes use search_knowledge.",
  input: z.object({
    query: z.string().min(1).describe('What to look for, in natural language or exact terms.'),
    knowledge_base_id: z
      .string()
      .nullable()
      .default(null)
      .describe('Id or name of one knowledge base to search; null for all that are assigned.'),
    top_k: z.int().min(1).max(50).default(10).describe('Most matches to return, 1 to 50.'),
  }),
  effect: 'read',
  usesIndex: true,
  async run(input, { knowledge, bases, signal }) {
    const search = { ...input, allowed: await bases() };
    const { semanticFailure, ...data } = await knowledge.searchDocuments(search, signal);
    return { data, semanticFailure };
  },
});
