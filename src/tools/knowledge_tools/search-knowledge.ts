import * as z from 'zod';
import { includeRaw, parents, topK } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'search_knowledge',
  title: 'Search knowledge by meaning',
  description:
    "Searches the workspace's documentation and other knowledge bases by meaning: Markdown, notebooks, PDF, DOCX, HTML and more. Use it first for any question about how the project works, why something was decided, procedures, policies, onboarding, architecture or domain concepts, before grep or file search: it ranks by meaning as well as words, so it finds passages that put the answer in other words. Ask in natural language. Returns the best passages with their document, section, line and score. Follow up with read_around on a result for its context, or read for a whole section. For exact identifiers, error codes or file names use search_keyword.",
  input: z.object({
    query: z.string().describe('Question or topic in natural language, such as "how are late deliveries refunded?".'),
    top_k: topK,
    parent_path_part_ids: parents,
    include_raw: includeRaw,
  }),
  effect: 'read',
  usesIndex: true,
  async run(input, { knowledge, bases, signal }) {
    const search = { ...input, mode: 'knowledge', allowed: await bases() } as const;
    const { semanticFailure, ...data } = await knowledge.search(search, signal);
    return { data, semanticFailure };
  },
});
