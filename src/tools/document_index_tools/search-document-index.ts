import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'search_document_index',
  title: 'Search a document index',
  description:
    'Searches one document index by meaning and words and returns previews of the best passages. Use it when SEARCH_CONTEXT or list_document_indexes shows an index that fits the question. Read a hit with read_knowledge_base_doc, passing its index_name and doc_path. To search everything at once use search_knowledge.',
  input: z.object({
    name: z.string().min(1).describe('Name of the index.'),
    query: z.string().min(1).describe('What to look for, in natural language or exact terms.'),
    top_k: z.int().min(1).max(50).default(10).describe('Most matches to return, 1 to 50.'),
  }),
  effect: 'read',
  usesIndex: true,
  async run({ name, ...input }, { indexes, knowledge, bases, signal }) {
    const index = await indexes.basesNamed({ name, allowed: await bases() }, signal);
    const search = { ...input, knowledge_base_id: null, allowed: index.bases };
    const { semanticFailure, ...data } = await knowledge.searchDocuments(search, signal);
    return { data, semanticFailure };
  },
});
