import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'search_product_docs',
  title: 'Search the Loci documentation',
  description:
    "Searches the documentation of Loci itself: setup, settings, every tool and tool group, skills, knowledge bases, the wiki, data context, threads and memory, security, troubleshooting. Use it when the person asks how Loci works or how to set it up, or when one of its tools behaves in a way you do not understand. Returns previews; read a page with read_product_doc. It covers nothing of the person's own documents: for those use search_knowledge or search_knowledge_bases.",
  input: z.object({
    query: z.string().min(1).describe('Question or terms, such as "share the wiki through git".'),
    top_k: z.int().min(1).max(50).default(10).describe('Most matches to return, 1 to 50.'),
  }),
  effect: 'read',
  async run(input, { docs, signal }) {
    await docs.settled({ ms: 20_000 }, signal);
    const { results, ...found } = await docs.searchDocuments(
      { ...input, knowledge_base_id: null, allowed: null },
      signal,
    );
    const hits = results.map(({ knowledge_base_id: _, index_name: __, ...hit }) => hit);
    const { semanticFailure, ...head } = found;
    return { data: { ...head, results: hits }, semanticFailure };
  },
});
