import * as z from 'zod';
import { agentIds, includeHiddenThreads, responseFormat } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'search_threads',
  title: 'Search past chats',
  description:
    'Searches past chats by words and meaning: agent sessions of this editor, Copilot CLI and Claude Code, tool calls and results included, also what compaction took out. Use it when the person refers to earlier work ("as we did last week", "that error again"), before redoing an analysis, or to find a decision, command, error or result from another conversation. Returns threads, best first, with the messages that match and what was not searched. Look into the best one first: activate system_manager_tools and call read_thread with its thread_id. For staged filters on tools, results and dates use find_threads. For this conversation itself use manage_thread_memory with SEARCH_MESSAGES.',
  input: z.object({
    query: z.string().describe('What the chat was about, or words it would hold.'),
    limit: z.int().min(1).max(50).default(20).describe('Most threads to return, 1 to 50.'),
    include_summary: z
      .boolean()
      .default(false)
      .describe('Adds a brief summary of each top thread: what was asked, the last answer, the tools used.'),
    include_hidden: includeHiddenThreads,
    agent_ids: agentIds,
    response_format: responseFormat,
  }),
  effect: 'read',
  async run(input, { threads, caller, signal }) {
    const who = { caller_agent: caller.agent, caller_thread: caller.thread };
    return { data: await threads.search({ ...input, ...who }, signal) };
  },
});
