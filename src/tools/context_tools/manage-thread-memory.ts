import * as z from 'zod';
import { defineTool, type ToolContext } from '../tool.ts';

const number = (least: number) => z.int().min(least);

const input = z.object({
  action: z
    .enum([
      'GET_STATUS',
      'COMPRESS',
      'RECOVER',
      'SEARCH_MESSAGES',
      'LIST_RECOVERABLE_BLOCKS',
      'GET_HIDDEN_MESSAGES',
      'GET_COMPRESSED_TOOL_RESULT',
      'GET_COMPRESSED_PARAM_ARCHIVE',
    ])
    .default('GET_STATUS')
    .describe('What to do.'),
  thread_id: z
    .string()
    .default('')
    .describe('The thread; empty for the one this call comes from, where that can be told.'),
  target_percentage: number(1).max(100).default(50).describe('COMPRESS: usage of the window wanted afterwards.'),
  compression_version: z
    .string()
    .nullable()
    .default(null)
    .describe('COMPRESS: V3 or V6; others fall back to V6, the default.'),
  detailed_breakdown: z.boolean().default(false).describe('GET_STATUS: adds what the next call would send, by bucket.'),
  recover_handle: z
    .string()
    .default('')
    .describe('RECOVER: a recovery_id, tool_call_id or archive_ref, or message numbers such as 42 or 12-19.'),
  include_nested: z
    .boolean()
    .default(false)
    .describe('LIST_RECOVERABLE_BLOCKS: also what earlier compactions hid, inside the last one.'),
  archive_ref: z
    .string()
    .default('')
    .describe('GET_COMPRESSED_PARAM_ARCHIVE: which call; from a block or read_thread.'),
  archive_offset: number(0).default(0).describe('GET_COMPRESSED_PARAM_ARCHIVE: first character.'),
  archive_max_chars: number(1).max(50_000).default(4000).describe('GET_COMPRESSED_PARAM_ARCHIVE: most characters.'),
  result_tool_call_id: z.string().default('').describe('GET_COMPRESSED_TOOL_RESULT: id of the tool call.'),
  result_message_index: number(1)
    .nullable()
    .default(null)
    .describe('GET_COMPRESSED_TOOL_RESULT: number of the message that holds the result, instead of the id.'),
  result_offset: number(0).default(0).describe('GET_COMPRESSED_TOOL_RESULT: first character.'),
  result_max_chars: number(0)
    .nullable()
    .default(null)
    .describe('GET_COMPRESSED_TOOL_RESULT: most characters; null for 4,000, 0 for up to 50,000, else up to 12,000.'),
  recovery_id: z.string().default('').describe('GET_HIDDEN_MESSAGES: only what this compaction hid.'),
  hidden_offset: number(0)
    .default(0)
    .describe('Messages (or blocks, or search results) to skip: the next_offset of the page before.'),
  hidden_max_messages: number(1).max(200).default(10).describe('Most messages (or blocks, or results) a page.'),
  hidden_content_offset: number(0)
    .default(0)
    .describe('GET_HIDDEN_MESSAGES: first character of the first message, to read on in a long one.'),
  hidden_content_max_chars: number(1)
    .max(50_000)
    .nullable()
    .default(null)
    .describe('GET_HIDDEN_MESSAGES: most characters of one message; 3,000 by default.'),
  hidden_message_index: number(1)
    .nullable()
    .default(null)
    .describe('GET_HIDDEN_MESSAGES: one message by its index; start_message_num does the same and is preferred.'),
  hidden_node_id: z.string().default('').describe('GET_HIDDEN_MESSAGES: one message by its node_id.'),
  start_message_num: number(1)
    .nullable()
    .default(null)
    .describe('GET_HIDDEN_MESSAGES, SEARCH_MESSAGES: number of the first message.'),
  end_message_num: number(1)
    .nullable()
    .default(null)
    .describe('GET_HIDDEN_MESSAGES, SEARCH_MESSAGES: number of the last message.'),
  query: z.string().max(2000).default('').describe('SEARCH_MESSAGES: words, a question, or exact text.'),
  search_scope: z
    .enum(['all', 'visible', 'hidden', 'summary', 'raw', 'artifact'])
    .default('all')
    .describe(
      'SEARCH_MESSAGES: everything, only what the model still sees, only what was compacted away, the summaries, exact text anywhere (raw), or tool calls and results (artifact).',
    ),
});

export default defineTool({
  name: 'manage_thread_memory',
  title: 'Thread memory: status, search, recovery',
  description:
    "Shows how full this chat's context is and gets back, word by word, what compaction took out of it. Use it when you see only a summary of earlier work and need the exact text: a tool result, file content, error, number or instruction. SEARCH_MESSAGES (search_scope hidden) finds it; GET_HIDDEN_MESSAGES by message number and GET_COMPRESSED_TOOL_RESULT by tool_call_id return it, long ones in parts. LIST_RECOVERABLE_BLOCKS lists what was hidden. GET_STATUS tells token usage by bucket and past compactions. RECOVER takes any handle. GET_COMPRESSED_PARAM_ARCHIVE returns the arguments of a tool call. COMPRESS asks for a compaction. Do not repeat a tool call for an answer you once had: recover it. For other chats use search_threads.",
  input,
  effect: 'state',
  // A model writes the summary of a compression.
  limitMs: 300_000,
  async run(values, context) {
    const { threads, caller, signal } = context;
    const about = { thread_id: values.thread_id, caller_thread: caller.thread };
    if (values.action === 'COMPRESS') {
      const { id, source } = await threads.sourceOf(about, signal);
      if (source === 'loci') return { data: await compressOwn(id, values, context) };
    }
    return { data: await threads.memory({ ...values, ...about }, signal) };
  },
});

async function compressOwn(thread: string, values: z.output<typeof input>, { chat, signal }: ToolContext) {
  const { target_percentage, compression_version } = values;
  const result = await chat.compress({ thread, target_percentage, compression_version }, signal);
  return { action: values.action, thread_id: thread, target_percentage, ...result };
}
