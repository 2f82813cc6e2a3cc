import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChat } from '../../src/core/chat/chat.ts';
import type { NewMessage } from '../../src/core/chat/transcript.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const THREAD = '0f9c2c1e-8a55-4a7e-9d0f-3f7f1c0b7a11';
const log = `{"results":[${Array.from({ length: 60 }, (_, i) => `{"path":"docs/${i}.md","content":"zeile ${i} \\ud83c\\udf89"}`)}]}`;

const said: readonly NewMessage[] = [
  { role: 'user', text: 'How often is a probe calibrated?' },
  { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'loci_search_knowledge', arguments: '{"query":"probe"}' }] },
  { role: 'tool', text: log, answers: { id: 'c1', name: 'loci_search_knowledge', arguments: '{"query":"probe"}' } },
  { role: 'assistant', text: `Every 180 days. ${'It says so in the handbook. '.repeat(40)}` },
  { role: 'user', text: 'And who does it?' },
  { role: 'assistant', text: 'The hub.' },
];

describe('a chat with @loci', () => {
  let workspace: Workspace;
  const memory = (input: object) => workspace.ask('manage_thread_memory', { thread_id: THREAD, ...input });

  beforeAll(async () => {
    workspace = openWorkspace({ 'a.md': '# A' });
    const chat = createChat({ now: Date.now, neverCompress: async () => [] });
    chat.configure({ storage: workspace.storage, workspace: workspace.folder });
    const transcript = await chat.transcript(THREAD);
    for (const message of said) await transcript.say(message);
    await transcript.append({
      kind: 'usage',
      after: transcript.history.messages.at(-1)!.id,
      model: 'Scripted',
      window: 10_000,
      promptTokens: 2000,
      buckets: [
        { name: 'System instructions', tokens: 300 },
        { name: 'Tool results', tokens: 1700 },
      ],
    });
  });
  afterAll(() => workspace.close());

  test('is a thread like others, with what its loop measured', async () => {
    expect(await memory({})).toMatchObject({
      source: 'loci',
      title: 'How often is a probe calibrated?',
      messages_total: 6,
      usage: { basis: 'measured', used_tokens: 2000, window_tokens: 10_000, usage_percentage: 20 },
      has_been_compressed: false,
    });
    const { results } = await workspace.ask('search_threads', {
      query: 'probe calibrated',
      response_format: 'structured',
    });
    expect(results[0]).toMatchObject({ thread_id: THREAD, source: 'loci' });
  });

  test('is really compressed, by a door without a model too', async () => {
    const result = await memory({ action: 'COMPRESS', target_percentage: 10, compression_version: 'V9' });
    expect(result).toMatchObject({
      action: 'COMPRESS',
      thread_id: THREAD,
      status: 'compressed',
      compression_version: 'V6',
      window: 10_000,
      messages_hidden: 4,
      recovery_id: 'compaction-1',
      warnings: ['There is no compressor V9; V6 stands.'],
    });
    expect(result.tokens_after).toBeLessThan(result.tokens_before);
    expect(await memory({})).toMatchObject({
      messages_hidden: 4,
      total_compressions: 1,
      usage: { basis: 'measured', used_tokens: result.tokens_after },
    });
  });

  test('gives everything back, byte for byte', async () => {
    const { blocks } = await memory({ action: 'LIST_RECOVERABLE_BLOCKS' });
    expect(blocks).toContainEqual(expect.objectContaining({ kind: 'tool_result', handle: 'c1', chars: log.length }));
    let text = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const chunk = await memory({
        action: 'GET_COMPRESSED_TOOL_RESULT',
        result_tool_call_id: 'c1',
        result_offset: offset,
      });
      expect(chunk.status).toBe('recovered');
      text += chunk.value_chunk;
      offset = chunk.next_offset;
    }
    expect(text).toBe(log);
    const { messages } = await memory({ action: 'GET_HIDDEN_MESSAGES', start_message_num: 4, end_message_num: 4 });
    expect(messages[0].value_chunk).toBe(said[3]!.text);
    const { results } = await memory({ action: 'SEARCH_MESSAGES', query: '180 days', search_scope: 'hidden' });
    expect(results[0]).toMatchObject({ start_message_num: 4, hidden: true });
  });

  test('tells how full the window was over time', async () => {
    const timeline = await workspace.app.threads.timeline({ thread_id: THREAD, caller_thread: undefined });
    expect(timeline).toMatchObject({ window: 10_000, compactions: [{ id: 'compaction-1', hidden_to: 4 }] });
    expect(timeline.points).toHaveLength(6);
    const totals = timeline.points.map(({ total }) => total);
    expect(totals).toEqual([...totals].sort((a, b) => a - b));
    expect(timeline.compactions[0]!.total).toBeLessThan(totals.at(-1)!);
  });

  test('that does not exist is not compressed', async () => {
    const refusal = await workspace.refuse('manage_thread_memory', { action: 'COMPRESS', thread_id: randomUUID() });
    expect(refusal.error_code).toBe('unknown_thread');
  });
});
