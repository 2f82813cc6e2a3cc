import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/redact.ts';
import { chunkOf } from '../../../src/core/threads/chunk.ts';
import { createThreads } from '../../../src/core/threads/threads.ts';
import { chatLog, chatState, machine, type Turn, temporary } from './chats.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });

test('the parts of a text, joined, are the text, and none splits a character', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 1, max: 40 }),
      fc.option(fc.integer({ min: 20, max: 90 })),
      (text, chars, bytes) => {
        let joined = '';
        for (let next: number | null = 0; next !== null; ) {
          const part = chunkOf(text, next, chars, bytes ?? undefined);
          expect(part.value.length).toBeLessThanOrEqual(Math.max(chars, 2));
          if (text.isWellFormed()) expect(part.value.isWellFormed()).toBe(true);
          joined += part.value;
          expect(part.next_offset === null || part.next_offset > next).toBe(true);
          next = part.next_offset;
        }
        expect(joined).toBe(text);
      },
    ),
  );
  expect(chunkOf('abc', 99, 5)).toEqual({ value: '', offset: 3, total_chars: 3, has_more: false, next_offset: null });
});

const defaults = {
  target_percentage: 50,
  compression_version: null,
  detailed_breakdown: false,
  recover_handle: '',
  include_nested: false,
  archive_ref: '',
  archive_offset: 0,
  archive_max_chars: 4000,
  result_tool_call_id: '',
  result_message_index: null,
  result_offset: 0,
  result_max_chars: null,
  recovery_id: '',
  hidden_offset: 0,
  hidden_max_messages: 10,
  hidden_content_offset: 0,
  hidden_content_max_chars: null,
  hidden_message_index: null,
  hidden_node_id: '',
  start_message_num: null,
  end_message_num: null,
  query: '',
  search_scope: 'all',
} as const;

test('what is recovered is what was said, word by word but for secrets', async () => {
  const disk = machine();
  const threads = createThreads({ log: () => undefined, onCompact: () => undefined });
  threads.configure({
    stores: disk.stores,
    folders: [disk.folder],
    others: false,
    storage: temporary(),
    embedder: null,
    waitMs: 10_000,
  });
  let chats = 0;
  const turn = fc.record({ ask: anyText, say: anyText, given: anyText, result: anyText });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), fc.nat(), async (said, at) => {
      const id = `chat-${chats++}`;
      const turns: Turn[] = said.map(({ ask, say, given, result }, i) => ({
        ask,
        rounds: [{ id: `r${i}`, say, calls: [{ id: `c${i}`, name: 'tool', arguments: given, result }] }],
      }));
      const hidden = at % said.length;
      turns.push({ ask: '/compact', summary: { round: `r${hidden}`, text: 'summary' } });
      const path = disk.user(`workspaceStorage/0a1b2c/chatSessions/${id}.jsonl`, '');
      writeFileSync(path, chatLog(chatState(id, turns)));
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever is returned
      const ask = (input: object): Promise<any> =>
        threads.methods.memory({ ...defaults, thread_id: id, caller_thread: undefined, ...input } as never);
      for (const [i, { ask: asked, say, given, result }] of said.entries()) {
        const kept = (text: string) => redact(text).text;
        const range = { start_message_num: i * 3 + 1, end_message_num: i * 3 + 3, hidden_max_messages: 3 };
        const { messages } = await ask({ action: 'GET_HIDDEN_MESSAGES', ...range });
        expect(messages.map((message: { value_chunk: string }) => message.value_chunk)).toEqual(
          [asked, say, result].map(kept),
        );
        expect(messages.every((message: { hidden?: true }) => (message.hidden ?? false) === i <= hidden)).toBe(true);
        const answer = await ask({ action: 'GET_COMPRESSED_TOOL_RESULT', result_tool_call_id: `c${i}` });
        expect([answer.value_chunk, answer.status]).toEqual([
          kept(result),
          i <= hidden ? 'recovered' : 'not_compressed',
        ]);
        expect((await ask({ action: 'GET_COMPRESSED_PARAM_ARCHIVE', archive_ref: `c${i}` })).value_chunk).toBe(
          kept(given),
        );
      }
    }),
    { numRuns: 40 },
  );
  await threads.close();
});

test('a chat whose file bears another name is found by its own id', async () => {
  const disk = machine();
  disk.user('workspaceStorage/0a1b2c/chatSessions/copy of it.jsonl', chatLog(chatState('real-id', [{ ask: 'hello' }])));
  const threads = createThreads({ log: () => undefined, onCompact: () => undefined });
  const storage = join(temporary(), 'storage');
  threads.configure({
    stores: disk.stores,
    folders: [disk.folder],
    others: false,
    storage,
    embedder: null,
    waitMs: 10_000,
  });
  const read = {
    thread_id: 'real-id',
    caller_thread: undefined,
    include_tool_calls: false,
    start_message_num: 1,
    limit: 5,
    content_offset: 0,
    response_format: 'formatted',
  } as const;
  expect((await threads.methods.read(read)).messages_total).toBe(1);
  await threads.close();
});
