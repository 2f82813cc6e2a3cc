import * as z from 'zod';
import { limit, offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'get_open_enhancement_requests',
  title: 'Get the open enhancement requests',
  description:
    'Lists what the people of this workspace asked for and did not get yet, from .loci/enhancement-requests.md or .json. Use it when you relate a release to what was asked for. An empty list means that nothing is open or that there is no such file (`files` is then empty).',
  input: z.object({ limit, offset }),
  effect: 'read',
  async run(input, { advisor, caller, signal }) {
    return { data: await advisor.requests({ ...input, thread: caller.thread }, signal) };
  },
});
