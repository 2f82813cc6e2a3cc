import * as z from 'zod';

/** Input fields that several tools share. */
export const limit = z.int().min(1).max(100).default(20).describe('Results per page, 1 to 100.');
export const offset = z
  .int()
  .min(0)
  .default(0)
  .describe('Where the page starts: pass the next_offset of the page before.');
export const pathPartId = z.string().describe('path_part_id (UUID) exactly as a Loci tool returned it.');
export const topK = z.int().min(1).max(20).default(5).describe('Most results to return, 1 to 20.');
export const parents = z
  .array(z.string())
  .nullable()
  .default(null)
  .describe('path_part_ids of folders, documents or sections to search in; null or empty for everywhere.');
export const includeRaw = z
  .boolean()
  .default(false)
  .describe('Adds to each result which terms and fields matched and how its score came about.');
