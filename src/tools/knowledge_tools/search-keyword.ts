import * as z from 'zod';
import { includeRaw, parents, topK } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'search_keyword',
  title: 'Search knowledge by keyword',
  description:
    'Full-text search (BM25) of the workspace\'s documentation and other knowledge bases for exact terms. Use it for identifiers, error codes, file names, configuration keys, table and column names, quoted phrases. Faster and better than grep for documents: it ranks, and it reads PDF, DOCX and notebooks too. camelCase and snake_case names are found whole and by their parts; put words in "double quotes" to have them found side by side. Returns passages with their document, section, line and score. Use read_around on a result for its context. For questions in natural language use search_knowledge.',
  input: z.object({
    query: z.string().describe('Keywords, identifiers or "quoted phrases", such as ERROR-4021 or RETENTION_DAYS.'),
    top_k: topK,
    parent_path_part_ids: parents,
    include_raw: includeRaw,
  }),
  effect: 'read',
  usesIndex: true,
  async run(input, { knowledge, bases, signal }) {
    const search = { ...input, mode: 'keyword', allowed: await bases() } as const;
    const { semanticFailure: _, ...data } = await knowledge.search(search, signal);
    return { data };
  },
});
