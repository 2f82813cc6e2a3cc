import * as z from 'zod';
import { agentIds, includeHiddenThreads, limit, offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'find_threads',
  title: 'Find past chats by filters',
  description:
    'Finds past chats by filters that narrow one another: what they are about (text), a tool that was called, exact text in a tool result, dates, agent and workspace; it tells how many threads each filter leaves. Use it when search_threads is too broad, or to list chats: all of yesterday, all that ran run_query, the one whose result held a certain id or error. Without filters it lists every chat, newest first. Read a hit with read_thread.',
  input: z.object({
    text: z
      .string()
      .default('')
      .describe('What the thread is about, searched by words and meaning; orders the results.'),
    tool_name: z.string().default('').describe('Name, or part of the name, of a tool that the thread called.'),
    result_text: z
      .string()
      .max(1000)
      .default('')
      .describe('Text that a tool result in the thread holds, as it stands but for case.'),
    since: z
      .string()
      .nullable()
      .default(null)
      .describe('Threads with a message at or after this ISO 8601 time, such as 2026-05-01.'),
    until: z.string().nullable().default(null).describe('Threads begun at or before this ISO 8601 time.'),
    agent_ids: agentIds,
    workspace: z.string().default('').describe('Part of the path of the folder the thread ran in.'),
    include_hidden: includeHiddenThreads,
    include_summary: z.boolean().default(false).describe('Adds a brief summary of each thread.'),
    limit,
    offset,
  }),
  effect: 'read',
  async run(input, { threads, caller, signal }) {
    const who = { caller_agent: caller.agent, caller_thread: undefined };
    return { data: await threads.find({ ...input, ...who }, signal) };
  },
});
