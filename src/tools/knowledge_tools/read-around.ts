import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'read_around',
  title: 'Read around a search result',
  description:
    'Shows a search result in its context: the chunk with the chunks before and after it. When the whole section around the chunk is small enough, the whole section comes instead, so one call often gives the full context. Use it right after search_knowledge or search_keyword, with the path_part_id of a result as chunk_id. Returns the chunks in order, the position of the anchor among them, and whether they are the full section.',
  input: z.object({
    chunk_id: z.string().describe('path_part_id (UUID) of the chunk, from a search result.'),
    window: z.int().min(1).max(10).default(1).describe('Chunks to show before and after, 1 to 10.'),
  }),
  effect: 'read',
  usesIndex: true,
  async run({ chunk_id: id, window }, { knowledge, bases, settings, signal }) {
    const place = { id, window, tokenBudget: settings['read.tokenBudget'], allowed: await bases() };
    return { data: await knowledge.around(place, signal) };
  },
});
