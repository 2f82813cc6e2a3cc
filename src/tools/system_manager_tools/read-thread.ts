import * as z from 'zod';
import { responseFormat } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'read_thread',
  title: 'Read a past chat',
  description:
    'Reads a chat message by message, whether the model still sees the messages or compaction took them out. Use it on a hit of search_threads or find_threads. With include_tool_calls it shows the tool calls with their arguments and results too: prior SQL, command outputs, reports, links. Pages end before 8,000 bytes: go on with next_message_num as start_message_num, and within a long message with next_content_offset as content_offset. Secrets are redacted and counted.',
  input: z.object({
    thread_id: z.string().default('').describe('Id as search_threads or find_threads return it; empty for this chat.'),
    thread_agent_id: z
      .string()
      .default('')
      .describe("The hit's agent_id, when it differs from the current agent. The thread is found by its id alone."),
    include_tool_calls: z.boolean().default(false).describe('Shows tool calls, their arguments and results.'),
    start_message_num: z
      .int()
      .min(1)
      .default(1)
      .describe('Number of the first message: the next_message_num of the page before, or of a search match.'),
    content_offset: z
      .int()
      .min(0)
      .default(0)
      .describe('Characters of the first message to skip: the next_content_offset of the page before.'),
    limit: z.int().min(1).max(200).default(50).describe('Most messages a page, 1 to 200.'),
    response_format: responseFormat,
  }),
  effect: 'read',
  async run({ thread_agent_id: _, ...input }, { threads, caller, signal }) {
    return { data: await threads.read({ ...input, caller_thread: caller.thread }, signal) };
  },
});
