import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'get_release_notes',
  title: 'Get the release notes',
  description:
    'Returns what this build ships about its own release, in pages of whole lines: detailed notes, else the entry of the changelog (source_kind). Use it first in an advisor run, and go on with next_start_line until that is null; write no report from part of the notes. Notes of another release never stand in: a build without notes returns none.',
  input: z.object({
    version: z
      .string()
      .nullable()
      .default(null)
      .describe('Label echoed as requested_version; the notes are always those of the running version.'),
    start_line: z.int().min(1).default(1).describe('First line to return: 1, or next_start_line of the page before.'),
  }),
  effect: 'read',
  async run(input, { advisor, caller, signal }) {
    return { data: await advisor.releaseNotes({ ...input, thread: caller.thread }, signal) };
  },
});
