import * as z from 'zod';
import { offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'get_install_inventory',
  title: 'Get the inventory of this installation',
  description:
    'Returns what is set up in this workspace: agents, skills, prompt files, knowledge bases, connections and MCP servers, each with its count, name, description and source. Use it when you relate a release to what is here. Where items are omitted, pass kind and offset to read on. Secrets and file contents are never part of it.',
  input: z.object({
    kind: z
      .enum(['agents', 'skills', 'prompt_files', 'knowledge_bases', 'connections', 'mcp_servers'])
      .nullable()
      .default(null)
      .describe('One kind alone; null for all.'),
    offset: offset.describe('With kind: how many of it to leave out.'),
  }),
  effect: 'read',
  async run(input, { advisor, caller, signal }) {
    return { data: await advisor.inventory({ ...input, thread: caller.thread }, signal) };
  },
});
