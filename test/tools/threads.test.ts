import { appendFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatLog, chatState, jsonLines, type Machine, machine, request } from '../core/threads/chats.ts';
import { openWorkspace, resultBytes, type Workspace } from './workspace.ts';

/** Made up; in two parts so that no scanner takes it for a real one. */
const SECRET = `npm_${'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2'}`;
const LONG = Array.from({ length: 3000 }, (_, i) => `row ${i}: ünï 😀 value ${i * 7}`).join('\n');

const turns = [
  {
    ask: 'Which invoices are overdue in the north region?',
    rounds: [
      {
        id: 'r1',
        say: 'I will look.',
        calls: [
          {
            id: 'call_a',
            name: 'run_query',
            arguments: '{"sql":"select * from invoices"}',
            result: 'INV-4711 overdue 90 days',
          },
          { id: 'call_b', name: 'read_file', arguments: '{"path":"big.csv"}', result: LONG },
        ],
      },
      { id: 'r2', say: 'Invoice INV-4711 is overdue.' },
    ],
  },
  {
    ask: `Deploy with the token ${SECRET}`,
    rounds: [
      {
        id: 'r3',
        calls: [
          {
            id: 'call_c',
            name: 'run',
            arguments: JSON.stringify({ script: 'x'.repeat(9000) }),
            result: `used ${SECRET}`,
          },
        ],
      },
      { id: 'r4', say: 'Deployed.' },
    ],
  },
  { ask: '/compact', summary: { round: 'r2', text: 'Overdue invoices were looked up.' } },
  { ask: '/compact', summary: { round: 'r4', text: 'Invoices, then a deployment.' } },
  {
    ask: 'Thanks',
    rounds: [
      { id: 'r5', say: 'Glad to help.', calls: [{ id: 'call_d', name: 'note', arguments: '{}', result: 'noted' }] },
    ],
  },
];

let disk: Machine;
let ws: Workspace;
const id = 'aaaaaaaa-0000-4000-8000-000000000001';

beforeAll(() => {
  disk = machine();
  disk.chat(id, turns);
  disk.chat('bbbbbbbb-0000-4000-8000-000000000002', [
    { ask: 'Plan the database migration to Postgres 17', rounds: [{ id: 'x', say: 'First a dump, then a restore.' }] },
  ]);
  disk.user(
    'workspaceStorage/0a1b2c/chatSessions/reviewer.jsonl',
    chatLog({
      ...chatState('reviewer', []),
      requests: [
        {
          ...request({ ask: 'Review the migration script', rounds: [{ id: 'y', say: 'Looks fine.' }] }, 0),
          modeInfo: { isBuiltin: false, modeInstructions: { name: 'Reviewer' } },
        },
      ],
    }),
  );
  disk.user('workspaceStorage/0a1b2c/chatSessions/broken.jsonl', '{"kind":0,"v":');
  disk.user(
    'globalStorage/emptyWindowChatSessions/empty-1.jsonl',
    chatLog(chatState('empty-1', [{ ask: 'Migration of nothing' }])),
  );
  disk.workspace('ffff', '/somewhere/else');
  disk.user(
    'workspaceStorage/ffff/chatSessions/foreign.jsonl',
    chatLog(chatState('foreign', [{ ask: 'Foreign migration secrets' }])),
  );
  ws = open();
});
afterAll(() => ws.close());

function open(settings: Record<string, unknown> = {}): Workspace {
  return openWorkspace({}, { folder: disk.folder, chats: disk.stores, settings: { 'budget.calls': 0, ...settings } });
}

const caller = { thread: id, agent: undefined };

async function memory(input: object, who = caller) {
  const { ok, result } = await ws.call('manage_thread_memory', input, undefined, { caller: who });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the tool returns
  return { ok, ...result } as any;
}

/** Every part of a value, by following next_offset. */
async function whole(input: object, offset: string): Promise<{ text: string; parts: number }> {
  let text = '';
  let parts = 0;
  for (let next: number | null = 0; next !== null; parts++) {
    const answer = await memory({ ...input, [offset]: next });
    text += answer.value_chunk;
    next = answer.next_offset ?? null;
  }
  return { text, parts };
}

describe('manage_thread_memory', () => {
  test('GET_STATUS tells usage, compactions and what can be got back', async () => {
    const status = await memory({ detailed_breakdown: true });
    expect(status).toMatchObject({
      ok: true,
      action: 'GET_STATUS',
      thread_id: id,
      messages_total: 14,
      messages_hidden: 9,
      total_compressions: 2,
      has_been_compressed: true,
      has_thread_compression_passes: true,
      compression_history: { count: 2, visible_event_count: 2, total_event_count: 2 },
      compression_artifacts: { compactions: 2, compressed_tool_results: 3, archived_params: 1, recoverable_blocks: 6 },
      usage: { basis: 'estimated', window_tokens: 50_000 },
      projected_next_call: { basis: 'estimated' },
    });
    expect(status.compression_history.events).toMatchObject([
      { recovery_id: 'compaction-1', hidden_start_message_num: 1, hidden_end_message_num: 5 },
      { recovery_id: 'compaction-2', hidden_start_message_num: 6, hidden_end_message_num: 9 },
    ]);
    const { buckets, used_tokens: used } = status.projected_next_call;
    expect(buckets.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0)).toBe(used);
  });

  test('COMPRESS asks the editor', async () => {
    expect(await memory({ action: 'COMPRESS', compression_version: 'V9' })).toMatchObject({
      ok: true,
      request: 'compact',
      status: 'requested',
      compression_version: 'V6',
      target_percentage: 50,
    });
  });

  test('LIST_RECOVERABLE_BLOCKS shows the last compaction, and those inside it when asked', async () => {
    const outer = await memory({ action: 'LIST_RECOVERABLE_BLOCKS' });
    expect(outer.blocks.map(({ handle }: { handle: string }) => handle)).toEqual([
      'compaction-2',
      'call_c',
      'arguments:call_c',
    ]);
    expect(outer.nested_blocks).toBe(3);
    const all = await memory({ action: 'LIST_RECOVERABLE_BLOCKS', include_nested: true });
    expect(all.total).toBe(6);
    expect(all.blocks).toContainEqual({
      kind: 'tool_result',
      handle: 'call_a',
      layer: 1,
      tool_name: 'run_query',
      tool_call_id: 'call_a',
      message_index: 2,
      result_message_index: 3,
      chars: 24,
    });
    const rest = await memory({ action: 'LIST_RECOVERABLE_BLOCKS', include_nested: true, hidden_offset: 4 });
    expect(rest.blocks).toEqual(all.blocks.slice(4));
  });

  test('GET_COMPRESSED_TOOL_RESULT gives a hidden result back word by word, in parts that stay small', async () => {
    expect(await memory({ action: 'GET_COMPRESSED_TOOL_RESULT', result_tool_call_id: 'call_a' })).toMatchObject({
      status: 'recovered',
      tool_name: 'run_query',
      message_index: 2,
      result_message_index: 3,
      value_chunk: 'INV-4711 overdue 90 days',
      has_more: false,
      next_offset: null,
    });
    const read = { action: 'GET_COMPRESSED_TOOL_RESULT', result_tool_call_id: 'call_b' };
    expect((await whole(read, 'result_offset')).text).toBe(LONG);
    expect((await whole({ ...read, result_max_chars: 1 + 2 * 4999 }, 'result_offset')).text).toBe(LONG);
    const all = await memory({ ...read, result_max_chars: 0 });
    expect(all.value_chunk.length).toBe(50_000);
    expect((await memory({ ...read, result_max_chars: 40_000 })).value_chunk.length).toBe(12_000);
    expect(resultBytes(await memory(read))).toBeLessThan(8000);
    expect((await memory({ action: 'GET_COMPRESSED_TOOL_RESULT', result_message_index: 4 })).tool_call_id).toBe(
      'call_b',
    );
  });

  test('a result that is still visible is quoted, and said to be', async () => {
    expect(await memory({ action: 'GET_COMPRESSED_TOOL_RESULT', result_tool_call_id: 'call_d' })).toMatchObject({
      status: 'not_compressed',
      nothing_lost: true,
      value_chunk: 'noted',
    });
  });

  test('GET_COMPRESSED_PARAM_ARCHIVE gives the arguments back', async () => {
    const read = { action: 'GET_COMPRESSED_PARAM_ARCHIVE', archive_ref: 'arguments:call_c' };
    const { text, parts } = await whole(read, 'archive_offset');
    expect([text, parts]).toEqual([turns[1]!.rounds![0]!.calls![0]!.arguments, 3]);
    expect(await memory({ ...read, archive_ref: 'call_c', archive_max_chars: 5 })).toMatchObject({
      value_chunk: '{"scr',
    });
  });

  test('GET_HIDDEN_MESSAGES by number, by compaction, in pages and in parts', async () => {
    const one = await memory({ action: 'GET_HIDDEN_MESSAGES', start_message_num: 3, end_message_num: 3 });
    expect(one.messages).toMatchObject([
      { message_num: 3, role: 'tool', value_chunk: 'INV-4711 overdue 90 days', hidden: true },
    ]);
    const own = await memory({ action: 'GET_HIDDEN_MESSAGES', recovery_id: 'compaction-2' });
    expect(own.messages.map(({ message_num: number }: { message_num: number }) => number)).toEqual([6, 7, 8, 9]);
    let text = '';
    for (let next: number | null = 0; next !== null; ) {
      const range = { start_message_num: 4, end_message_num: 4, message_offset: next };
      const part = await memory({ action: 'GET_HIDDEN_MESSAGES', ...range });
      expect(resultBytes(part)).toBeLessThan(8000);
      text += part.messages[0].value_chunk;
      next = part.messages[0].next_offset;
    }
    expect(text).toBe(LONG);
    const numbers: number[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const page = await memory({ action: 'GET_HIDDEN_MESSAGES', hidden_offset: next, hidden_max_messages: 3 });
      numbers.push(...page.messages.map(({ message_num: number }: { message_num: number }) => number));
      next = page.next_offset;
    }
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const visible = await memory({ action: 'GET_HIDDEN_MESSAGES', start_message_num: 14, end_message_num: 14 });
    expect(visible).toMatchObject({ status: 'not_compressed', nothing_lost: true });
    const node = await memory({ action: 'GET_HIDDEN_MESSAGES', hidden_node_id: one.messages[0].node_id });
    expect(node.messages[0].message_num).toBe(3);
    expect((await memory({ action: 'GET_HIDDEN_MESSAGES', hidden_message_index: 5 })).messages[0].value_chunk).toBe(
      'Invoice INV-4711 is overdue.',
    );
  });

  test.each([
    ['compaction-1', 'recovery_id'],
    ['call_a', 'tool_call_id'],
    ['arguments:call_c', 'archive_ref'],
    ['3', 'message_numbers'],
    ['2-4', 'message_numbers'],
    ['request_0/1', 'hidden_node_id'],
  ])('RECOVER knows what %s is', async (recover_handle, kind) => {
    expect(await memory({ action: 'RECOVER', recover_handle })).toMatchObject({ ok: true, recovered_as: kind });
  });

  test.each([
    ['all', 'INV-4711', [3, 5]],
    ['hidden', 'INV-4711', [3, 5]],
    ['visible', 'INV-4711', []],
    ['visible', 'Glad to help', [13]],
    ['summary', 'deployment', [9]],
    ['artifact', 'INV-4711', [3]],
    ['raw', 'select * from', [2]],
    ['raw', 'row 2999: ünï', [4]],
  ])('SEARCH_MESSAGES in %s for %s', async (search_scope, query, expected) => {
    const { results } = await memory({ action: 'SEARCH_MESSAGES', query, search_scope });
    const exact = results.filter(({ match }: { match: string }) => match === 'exact');
    expect(exact.map(({ start_message_num: number }: { start_message_num: number }) => number).sort()).toEqual(
      expected,
    );
  });

  test('SEARCH_MESSAGES finds by words and meaning too, within a range of numbers', async () => {
    const { results } = await memory({ action: 'SEARCH_MESSAGES', query: 'late bills of the north' });
    expect(results[0].start_message_num).toBe(1);
    const later = await memory({
      action: 'SEARCH_MESSAGES',
      query: 'overdue',
      start_message_num: 4,
      end_message_num: 6,
    });
    expect(later.results[0].start_message_num).toBe(5);
  });

  test('secrets are named, not shown, and everything around them is kept', async () => {
    const result = await memory({ action: 'GET_COMPRESSED_TOOL_RESULT', result_tool_call_id: 'call_c' });
    expect([result.value_chunk, result.redacted]).toEqual(['used [redacted:npm-token]', 1]);
    const answers = [
      result,
      await memory({ action: 'GET_HIDDEN_MESSAGES', recovery_id: 'compaction-2' }),
      await memory({ action: 'SEARCH_MESSAGES', query: SECRET, search_scope: 'raw' }),
      await memory({ action: 'SEARCH_MESSAGES', query: 'deploy token' }),
      await ws.ask('read_thread', { thread_id: id, include_tool_calls: true, start_message_num: 6 }),
      await ws.ask('search_threads', { query: 'deploy with the token', include_summary: true }),
      await ws.ask('find_threads', { result_text: 'used', include_summary: true }),
    ];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain(SECRET);
      expect(answer.redacted).toBeGreaterThan(0);
    }
  });

  test.each([
    [{ action: 'GET_COMPRESSED_TOOL_RESULT' }, 'missing_handle'],
    [{ action: 'GET_COMPRESSED_TOOL_RESULT', result_tool_call_id: 'nope' }, 'unknown_tool_call'],
    [{ action: 'GET_COMPRESSED_TOOL_RESULT', result_message_index: 1 }, 'no_tool_result'],
    [{ action: 'GET_COMPRESSED_TOOL_RESULT', result_message_index: 2 }, 'no_tool_result'],
    [{ action: 'GET_COMPRESSED_PARAM_ARCHIVE' }, 'missing_handle'],
    [{ action: 'RECOVER' }, 'missing_handle'],
    [{ action: 'RECOVER', recover_handle: '__proto__' }, 'unknown_tool_call'],
    [{ action: 'SEARCH_MESSAGES' }, 'empty_query'],
    [{ action: 'GET_HIDDEN_MESSAGES', start_message_num: 99 }, 'bad_range'],
    [{ action: 'GET_HIDDEN_MESSAGES', recovery_id: 'compaction-9' }, 'unknown_handle'],
    [{ action: 'GET_STATUS', thread_id: 'nope' }, 'unknown_thread'],
    [{ action: 'GET_STATUS', thread_id: 'foreign' }, 'other_workspace'],
    [{ action: 'GET_STATUS', thread_id: '../../secrets' }, 'unknown_thread'],
    [{ action: 'NONSENSE' }, 'invalid_input'],
  ])('refuses %o', async (input, code) => {
    expect(await memory(input)).toMatchObject({ ok: false, error_code: code });
  });

  test('asks which thread is meant where that cannot be told', async () => {
    const answer = await memory({}, { thread: undefined, agent: undefined } as never);
    expect(answer).toMatchObject({ ok: false, error_code: 'thread_unknown' });
    expect(answer.details.candidates.map(({ thread_id: one }: { thread_id: string }) => one)).toContain(id);
    expect((await memory({ thread_id: id }, { thread: undefined, agent: undefined } as never)).messages_total).toBe(14);
  });
});

describe('many recoverable blocks', () => {
  test('come in pages that stay small and give each once', async () => {
    const calls = Array.from({ length: 120 }, (_, i) => ({
      id: `call_${i}`,
      name: 'probe',
      arguments: '{}',
      result: `result ${i}`,
    }));
    disk.chat('many', [
      { ask: 'go', rounds: [{ id: 'm', calls }] },
      { ask: '/compact', summary: { round: 'm', text: 'S' } },
    ]);
    const handles: string[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const page = await memory({ action: 'LIST_RECOVERABLE_BLOCKS', thread_id: 'many', hidden_offset: next });
      expect(resultBytes(page)).toBeLessThan(8000);
      handles.push(...page.blocks.map(({ handle }: { handle: string }) => handle));
      next = page.next_offset;
    }
    expect(handles).toEqual(['compaction-1', ...calls.map((call) => call.id)]);
  });
});

describe('read_thread', () => {
  test.each([true, false])('pages give every message once (tool calls: %s)', async (include_tool_calls) => {
    const found = new Map<number, string>();
    let next = { start_message_num: 1, content_offset: 0 };
    for (;;) {
      const page = await ws.ask('read_thread', {
        thread_id: id,
        include_tool_calls,
        response_format: 'structured',
        ...next,
      });
      expect(resultBytes(page)).toBeLessThan(8000);
      for (const { message_num: number, content } of page.messages)
        found.set(number, (found.get(number) ?? '') + content);
      if (!page.has_more) break;
      next = { start_message_num: page.next_message_num, content_offset: page.next_content_offset };
    }
    expect(found.get(1)).toBe('Which invoices are overdue in the north region?');
    expect(found.has(4)).toBe(include_tool_calls);
    if (include_tool_calls) expect(found.get(4)).toBe(LONG);
    expect([...found.keys()]).toHaveLength(include_tool_calls ? 14 : 9);
  });

  test('as text, shows who said what, and which messages the model no longer sees', async () => {
    const { content } = await ws.ask('read_thread', {
      thread_id: 'bbbbbbbb-0000-4000-8000-000000000002',
      thread_bot_id: 'agent',
    });
    expect(content).toMatch(
      /^#1 user .*\nPlan the database migration to Postgres 17\n\n#2 assistant \(agent\) .*\nFirst a dump, then a restore\.$/,
    );
    const { content: compacted } = await ws.ask('read_thread', { thread_id: id });
    expect(compacted).toMatch(/^#1 user .*, hidden\n/);
  });

  test('reads on while the chat grows', async () => {
    const path = disk.chat('growing', [{ ask: 'begin' }]);
    expect((await ws.ask('read_thread', { thread_id: 'growing' })).messages_total).toBe(1);
    appendFileSync(path, jsonLines([{ kind: 2, k: ['requests'], v: [request({ ask: 'and on' }, 1)] }]));
    const more = await ws.ask('read_thread', { thread_id: 'growing', response_format: 'structured' });
    expect(more.messages.map(({ content }: { content: string }) => content)).toEqual(['begin', 'and on']);
  });
});

describe('search_threads', () => {
  const search = (input: object) => ws.ask('search_threads', { response_format: 'structured', ...input });
  const ids = (answer: { results: { thread_id: string }[] }) => answer.results.map(({ thread_id: one }) => one);

  test('finds a thread by what it was about, and says what was not searched', async () => {
    const answer = await search({ query: 'moving the database to a newer Postgres', include_summary: true });
    expect(answer.results[0]).toMatchObject({
      thread_id: 'bbbbbbbb-0000-4000-8000-000000000002',
      agent_id: 'agent',
      source: 'vscode',
      summary: expect.stringContaining('First a dump'),
    });
    expect(answer.coverage).toMatchObject({
      unreadable: 1,
      other_workspaces_not_searched: 1,
      other_agents_not_searched: { Reviewer: 1 },
    });
    expect(answer.coverage.unreadable_files[0].path).toContain('broken.jsonl');
  });

  test('finds what compaction hid and what tools returned', async () => {
    expect(ids(await search({ query: 'INV-4711' }))).toEqual([id]);
  });

  test("takes the caller's agent, the agents it is told, or all; never the caller's own thread", async () => {
    expect(ids(await search({ query: 'migration' }))).not.toContain('reviewer');
    expect(ids(await search({ query: 'migration', agent_ids: ['reviewer'] }))).toEqual(['reviewer']);
    expect(ids(await search({ query: 'migration', bot_ids: ['*'] }))).toContain('reviewer');
    const { result } = await ws.call(
      'search_threads',
      { query: 'INV-4711', response_format: 'structured' },
      undefined,
      { caller },
    );
    expect(ids(result as never)).not.toContain(id);
  });

  test("another workspace's threads are found only where the setting allows", async () => {
    expect(ids(await search({ query: 'foreign migration' }))).not.toContain('foreign');
    const open_to_all = open({ 'threads.otherWorkspaces': true });
    const answer = await open_to_all.ask('search_threads', {
      query: 'foreign migration',
      response_format: 'structured',
    });
    expect(ids(answer)).toContain('foreign');
    expect((await open_to_all.ask('read_thread', { thread_id: 'foreign' })).content).toContain('Foreign migration');
    await open_to_all.close();
  });

  test('as text by default, below the size that the editor passes on', async () => {
    const answer = await ws.ask('search_threads', { query: 'migration', limit: 50 });
    expect(answer.content).toMatch(/^1\. .*\n {3}thread_id /);
    expect(resultBytes(answer)).toBeLessThan(8000);
  });

  test('says so when nothing matches', async () => {
    expect(await search({ query: 'zzzzqqqq' })).toMatchObject({
      results: [],
      note: expect.stringContaining('No thread matches'),
    });
    expect((await ws.refuse('search_threads', { query: ' ? ' })).error_code).toBe('empty_query');
    expect((await ws.refuse('search_threads', { query: 'x', limit: 51 })).error_code).toBe('invalid_input');
  });

  test('a saved index answers the same after a restart', async () => {
    const before = await search({ query: 'overdue invoices' });
    const { storage } = ws;
    await ws.close();
    ws = openWorkspace({}, { folder: disk.folder, chats: disk.stores, storage, settings: { 'budget.calls': 0 } });
    expect(await search({ query: 'overdue invoices' })).toEqual(before);
  });
});

describe('find_threads', () => {
  const find = (input: object) => ws.ask('find_threads', input);

  test('filters in stages and tells what each leaves', async () => {
    const answer = await find({ tool_name: 'run_', result_text: 'inv-4711', text: 'invoices' });
    expect(answer.results).toMatchObject([
      { thread_id: id, result: { message_num: 3, tool_name: 'run_query', tool_call_id: 'call_a' } },
    ]);
    expect(answer.stages.map(({ filter }: { filter: string }) => filter)).toEqual([
      'agents',
      'tool_name',
      'text',
      'result_text',
    ]);
  });

  test('lists every thread, newest first, in pages', async () => {
    const all = await find({});
    const times = all.results.map(({ updated }: { updated: string }) => updated);
    expect(times).toEqual([...times].sort().reverse());
    const first = await find({ limit: 2 });
    const rest = await find({ offset: first.pagination.next_offset });
    expect([...first.results, ...rest.results]).toEqual(all.results);
  });

  test('takes dates and workspaces', async () => {
    expect((await find({ since: '2999-01-01' })).results).toEqual([]);
    expect((await find({ until: '2001-01-01' })).results).toEqual([]);
    expect((await find({ since: '2025-01-01', workspace: 'ACME' })).results.length).toBeGreaterThan(1);
    expect((await find({ workspace: 'nowhere' })).results).toEqual([]);
    expect((await ws.refuse('find_threads', { since: 'yesterday' })).error_code).toBe('bad_time');
  });
});

describe('stores', () => {
  test('a folder reached by a symbolic link is the same folder', async () => {
    const other = machine();
    other.chat('one', [{ ask: 'hello there' }]);
    const link = join(other.folder, '..', 'link');
    symlinkSync(other.folder, link);
    const there = openWorkspace({}, { folder: link, chats: other.stores });
    expect((await there.ask('read_thread', { thread_id: 'one' })).messages_total).toBe(1);
    await there.close();
  });

  test('a call from within a thread reaches it, wherever its file lies', async () => {
    const { ok, result } = await ws.call('manage_thread_memory', {}, undefined, {
      caller: { thread: 'foreign', agent: undefined },
    });
    expect([ok, result.messages_total]).toEqual([true, 1]);
  });

  test('a session seen in several stores is one thread; suffixed folders and multi-root workspaces count', async () => {
    const other = machine();
    const workspaceFile = other.user(
      'team.code-workspace',
      JSON.stringify({ folders: [{ path: other.folder }, { path: '/elsewhere' }] }),
    );
    other.user(
      'workspaceStorage/0a1b2c-1/GitHub.copilot-chat/transcripts/one.jsonl',
      jsonLines([
        { type: 'session.start', data: { sessionId: 'one' }, id: '1' },
        { type: 'user.message', data: { content: 'from the transcript' }, id: '2' },
      ]),
    );
    other.user(
      'workspaceStorage/0a1b2c-1/GitHub.copilot-chat/transcripts/two.jsonl',
      jsonLines([{ type: 'user.message', data: { content: 'only in the transcript' }, id: '2' }]),
    );
    other.chat('one', [{ ask: 'from the chat' }]);
    other.user('workspaceStorage/9d/workspace.json', JSON.stringify({ workspace: pathToFileURL(workspaceFile).href }));
    other.user(
      'workspaceStorage/9d/chatSessions/multi.json',
      JSON.stringify(chatState('multi', [{ ask: 'multi root' }])),
    );
    other.home('.copilot/session-state/cli-1/workspace.yaml', `id: cli-1\ncwd: ${other.folder}\n`);
    other.home(
      '.copilot/session-state/cli-1/events.jsonl',
      jsonLines([{ type: 'user.message', data: { content: 'cli here' }, id: '1' }]),
    );
    other.home(
      '.copilot/session-state/cli-2/events.jsonl',
      jsonLines([
        { type: 'session.start', data: { context: { cwd: '/elsewhere' } }, id: '0' },
        { type: 'user.message', data: { content: 'cli elsewhere' }, id: '1' },
      ]),
    );
    const project = other.folder.replace(/[^a-zA-Z0-9]/g, '-');
    const claude = (cwd: string, text: string, more = {}) =>
      jsonLines([{ type: 'user', uuid: 'u', sessionId: 's', cwd, message: { content: text }, ...more }]);
    other.home(`.claude/projects/${project}/cc-1.jsonl`, claude(other.folder, 'claude here').replace('"s"', '"cc-1"'));
    other.home(
      `.claude/projects/${project}-x/cc-2.jsonl`,
      claude(`${other.folder}-x`, 'a neighbour').replace('"s"', '"cc-2"'),
    );
    other.home(
      `.claude/projects/${project}/cc-1/subagents/agent-9.jsonl`,
      claude(other.folder, 'sub task', { isSidechain: true }),
    );
    const there = openWorkspace({}, { folder: other.folder, chats: other.stores });
    const { results } = await there.ask('find_threads', {});
    expect(
      results.map(({ thread_id: one, title }: { thread_id: string; title: string }) => `${one}: ${title}`).sort(),
    ).toEqual([
      'cc-1: claude here',
      'cli-1: cli here',
      'multi: multi root',
      'one: from the chat',
      'two: only in the transcript',
    ]);
    const hidden = await there.ask('find_threads', { include_hidden: true, text: 'sub task' });
    expect(hidden.results[0]).toMatchObject({ thread_id: 'agent-9', background: true });
    expect((await there.refuse('read_thread', { thread_id: 'cc-2' })).error_code).toBe('other_workspace');
    expect((await there.refuse('manage_thread_memory', { action: 'COMPRESS', thread_id: 'cc-1' })).error_code).toBe(
      'cannot_compress',
    );
    await there.close();
  });
});
