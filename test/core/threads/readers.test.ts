import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadThread } from '../../../src/core/threads/load.ts';
import { hiddenCount, isHidden, type Thread } from '../../../src/core/threads/model.ts';
import type { FileFormat } from '../../../src/core/threads/stores.ts';
import { chatLog, chatState, jsonLines, request, temporary } from './chats.ts';

const folder = temporary();
let files = 0;

async function read(content: string, format: FileFormat): Promise<Thread> {
  const path = join(folder, `${files++}`);
  writeFileSync(path, content);
  return (await loadThread({ path, format, id: 'from-name', place: 'current' })).thread;
}

const brief = (thread: Thread) => thread.messages.map(({ number, role, text }) => [number, role, text]);

describe('a chat of VS Code', () => {
  test('is read round by round, with calls, results, agent, model and times', async () => {
    const state = chatState('s-1', [
      {
        ask: 'Which table holds orders?',
        rounds: [
          {
            id: 'r1',
            say: 'Let me look.',
            calls: [
              { id: 'c1__vscode-1', name: 'list_tables', arguments: '{"schema": "sales"}', result: 'orders' },
              { id: 'c2__vscode-2', name: 'count_rows', arguments: '{}', result: '42' },
            ],
          },
          { id: 'r2', say: 'orders, with 42 rows.' },
        ],
        extra: {
          promptTokens: 1000,
          completionTokens: 50,
          promptTokenDetails: [{ category: 'System', label: 'System Instructions', percentageOfPrompt: 25 }],
          variableData: {
            variables: [
              { kind: 'file', name: 'a b.sql', value: { scheme: 'file', path: '/code/a b.sql' } },
              {
                kind: 'file',
                name: 'sel',
                value: {
                  uri: { scheme: 'file', path: '/code/x.ts' },
                  range: { startLineNumber: 3, endLineNumber: 9 },
                },
              },
              { kind: 'image', name: 'shot.png', value: { 0: 137 } },
            ],
          },
        },
      },
    ]);
    const thread = await read(chatLog(state), 'vscode-log');
    expect(brief(thread)).toEqual([
      [1, 'user', 'Which table holds orders?'],
      [2, 'assistant', 'Let me look.'],
      [3, 'tool', 'orders'],
      [4, 'tool', '42'],
      [5, 'assistant', 'orders, with 42 rows.'],
    ]);
    expect(thread.messages[1]).toMatchObject({
      calls: [
        { id: 'c1__vscode-1', name: 'list_tables', arguments: '{"schema": "sales"}' },
        { id: 'c2__vscode-2', name: 'count_rows', arguments: '{}' },
      ],
      model: 'model',
      agent: 'agent',
    });
    expect(thread.messages[3]?.answers).toEqual({ id: 'c2__vscode-2', name: 'count_rows', arguments: '{}' });
    expect(thread.messages[0]?.attachments).toEqual([
      { kind: 'file', name: 'a b.sql', uri: 'file:///code/a%20b.sql' },
      { kind: 'file', name: 'sel', uri: 'file:///code/x.ts', lines: [3, 9] },
      { kind: 'image', name: 'shot.png' },
    ]);
    expect(thread).toMatchObject({
      id: 's-1',
      title: 'Which table holds orders?',
      window: 50_000,
      agents: ['agent'],
      usage: {
        promptTokens: 1000,
        outputTokens: 50,
        message: 5,
        buckets: [{ name: 'System Instructions', tokens: 250 }],
      },
    });
  });

  test.each([
    ['1', { sessionId: 'old', requests: [{ message: 'hello', response: [{ value: 'hi' }] }] }, 'hello'],
    [
      '2',
      {
        version: 2,
        sessionId: 'old',
        computedTitle: 'Greeting',
        requests: [{ message: { text: 'hello' }, response: [{ kind: 'markdownContent', content: { value: 'hi' } }] }],
      },
      'Greeting',
    ],
    [
      '3',
      {
        version: 3,
        sessionId: 'old',
        customTitle: 'Mine',
        requests: [{ message: { text: 'hello' }, response: [{ value: 'h' }, { value: 'i' }] }],
      },
      'Mine',
    ],
  ])('of version %s is read from JSON', async (_, state, title) => {
    const thread = await read(JSON.stringify(state), 'vscode-json');
    expect([thread.id, thread.title, brief(thread)]).toEqual([
      'old',
      title,
      [
        [1, 'user', 'hello'],
        [2, 'assistant', 'hi'],
      ],
    ]);
  });

  test('a turn under way, or of another participant, is read from what the panel shows', async () => {
    const state = chatState('s', []);
    const shown = {
      requestId: 'r',
      agent: { id: 'acme.helper' },
      message: { text: '@helper do it' },
      response: [
        { value: 'See ' },
        { kind: 'inlineReference', inlineReference: { scheme: 'file', path: '/code/run.ts' } },
        { value: ' first.' },
        {
          kind: 'toolInvocationSerialized',
          toolId: 'run',
          toolCallId: 'c1',
          isComplete: true,
          resultDetails: { input: '{"a":1}', output: [{ type: 'embed', isText: true, value: 'ran' }] },
        },
        { kind: 'thinking', value: 'hm' },
        { value: 'Done.' },
        { kind: 'textEditGroup', uri: { scheme: 'file', path: '/code/run.ts' }, edits: [] },
      ],
    };
    const thread = await read(chatLog({ ...state, requests: [shown] }), 'vscode-log');
    expect(brief(thread)).toEqual([
      [1, 'user', '@helper do it'],
      [2, 'assistant', 'See `run.ts` first.'],
      [3, 'assistant', ''],
      [4, 'tool', 'ran'],
      [5, 'assistant', 'Done.'],
      [6, 'assistant', ''],
    ]);
    expect(thread.agents).toEqual(['acme.helper']);
    expect(thread.messages[5]?.attachments).toEqual([{ kind: 'edit', name: 'run.ts', uri: 'file:///code/run.ts' }]);
  });

  test('names custom agents by their file or title', async () => {
    const modes = [
      { isBuiltin: false, telemetryModeId: 'custom', modeInstructions: { name: 'Reviewer', content: '' } },
      { isBuiltin: false, modeInstructions: { uri: { scheme: 'file', path: '/x/data-keeper.agent.md' } } },
      { isBuiltin: true, modeId: 'ask', kind: 'ask' },
    ];
    const requests = modes.map((modeInfo, i) => ({ ...request({ ask: 'q' }, i), modeInfo }));
    const thread = await read(chatLog({ ...chatState('s', []), requests }), 'vscode-log');
    expect(thread.agents).toEqual(['Reviewer', 'data-keeper', 'ask']);
    expect(thread.customAgents).toEqual(['Reviewer', 'data-keeper']);
  });

  test('a result of several parts, and of a prompt tree, is their text', async () => {
    const tree = {
      node: {
        type: 1,
        children: [
          { type: 2, text: 'first' },
          { type: 1, children: [{ type: 2, text: 'second', lineBreakBefore: true }] },
        ],
      },
    };
    const content = [{ value: 'a' }, { value: 'b' }, { value: tree }, { mimeType: 'image/png', data: 'AAAA' }];
    const state = chatState('s', [{ ask: 'q', rounds: [{ id: 'r', calls: [{ id: 'c', name: 't', arguments: '' }] }] }]);
    const line = { kind: 1, k: ['requests', 0, 'result', 'metadata', 'toolCallResults', 'c'], v: { content } };
    const thread = await read(chatLog(state) + jsonLines([line]), 'vscode-log');
    expect(thread.messages[2]?.text).toBe('abfirst\nsecond[image/png, 4 characters]');
  });

  test('a result that was cut off into the next turn is found there', async () => {
    const state = chatState('s', [
      { ask: 'q', rounds: [{ id: 'r', calls: [{ id: 'c', name: 't', arguments: '' }] }] },
      { ask: 'go on' },
    ]);
    const line = {
      kind: 1,
      k: ['requests', 1, 'result', 'metadata', 'toolCallResults', 'c'],
      v: { content: [{ value: 'late' }] },
    };
    const thread = await read(chatLog(state) + jsonLines([line]), 'vscode-log');
    expect(brief(thread)[2]).toEqual([3, 'tool', 'late']);
  });

  test('a compaction hides everything up to and including the round it names', async () => {
    const state = chatState('s', [
      {
        ask: 'one',
        rounds: [
          { id: 'r1', calls: [{ id: 'c1', name: 't', arguments: '{}', result: 'x' }] },
          { id: 'r2', say: 'two' },
          { id: 'r3', say: 'three' },
        ],
      },
      { ask: '/compact', summary: { round: 'r2', text: 'They counted.' } },
      { ask: 'four', rounds: [{ id: 'r4', say: 'five' }] },
    ]);
    const thread = await read(chatLog(state), 'vscode-log');
    expect(thread.compactions).toMatchObject([
      { id: 'compaction-1', hiddenTo: 4, summary: 'They counted.', trigger: 'manual', boundary: 'exact' },
    ]);
    expect(thread.messages.filter(({ number }) => isHidden(thread, number)).map(({ text }) => text)).toEqual([
      'one',
      '',
      'x',
      'two',
    ]);
  });

  test('several compactions of one turn, and one whose round is gone', async () => {
    const state = chatState('s', [
      { ask: 'one', rounds: [{ id: 'r1', say: 'two' }] },
      { ask: 'three', rounds: [{ id: 'r2', say: 'four' }] },
      { ask: '/compact', summary: { round: 'lost', text: 'C' } },
    ]);
    const summaries = [
      { toolCallRoundId: 'r1', text: 'A', source: 'background', contextLengthBefore: 900 },
      { toolCallRoundId: 'r2', text: 'B' },
    ];
    const line = { kind: 1, k: ['requests', 1, 'result', 'metadata', 'summaries'], v: summaries };
    const { compactions } = await read(chatLog(state) + jsonLines([line]), 'vscode-log');
    expect(compactions).toMatchObject([
      { summary: 'A', hiddenTo: 2, trigger: 'automatic', tokensBefore: 900 },
      { summary: 'B', hiddenTo: 4 },
      { summary: 'C', hiddenTo: 4, boundary: 'assumed' },
    ]);
  });
});

describe('events of Copilot', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  let ids = 0;
  const event = (type: string, data: object) => ({ type, data, id: `e${++ids}`, timestamp: at(ids) });

  test('become messages, with what compaction hid', async () => {
    const content = jsonLines([
      event('session.start', { sessionId: 'cli-1', selectedModel: 'gpt', context: { cwd: '/code/acme' } }),
      event('user.message', { content: 'hello', attachments: [{ type: 'file', path: '/a.ts', displayName: 'a.ts' }] }),
      event('assistant.message', {
        content: '',
        toolRequests: [{ toolCallId: 't1', name: 'bash', arguments: { command: 'ls' } }],
      }),
      event('tool.execution_start', { toolCallId: 't1', toolName: 'bash', arguments: { command: 'ls' } }),
      event('tool.execution_complete', { toolCallId: 't1', success: true, result: { content: 'a.ts' } }),
      event('session.compaction_start', { conversationTokens: 900, systemTokens: 100 }),
      event('assistant.message', { content: 'One file.', toolRequests: [] }),
      event('session.compaction_complete', {
        success: true,
        summaryContent: 'They listed.',
        preCompactionTokens: 1000,
        tokenLimit: 8000,
      }),
      event('unknown.kind', { anything: 1 }),
    ]);
    const thread = await read(content, 'copilot-cli');
    expect(brief(thread)).toEqual([
      [1, 'user', 'hello'],
      [2, 'assistant', ''],
      [3, 'tool', 'a.ts'],
      [4, 'assistant', 'One file.'],
    ]);
    expect(thread.messages[1]?.calls).toEqual([{ id: 't1', name: 'bash', arguments: '{"command":"ls"}' }]);
    expect(thread).toMatchObject({
      id: 'cli-1',
      source: 'copilot-cli',
      folder: '/code/acme',
      agents: ['copilot-cli'],
      window: 8000,
      compactions: [{ hiddenTo: 3, summary: 'They listed.', tokensBefore: 1000, boundary: 'assumed' }],
    });
  });

  test('a failed tool tells why, and a failed compaction hides nothing', async () => {
    const content = jsonLines([
      event('user.message', { content: 'hello' }),
      event('tool.execution_complete', { toolCallId: 't9', success: false, error: { message: 'not found' } }),
      event('session.compaction_complete', { success: false }),
    ]);
    const thread = await read(content, 'copilot-transcript');
    expect(thread.messages[1]).toMatchObject({ text: 'not found', failed: true, answers: { name: 'unknown_tool' } });
    expect(thread.compactions).toEqual([]);
    expect([thread.id, thread.agents]).toEqual(['from-name', ['agent']]);
  });
});

describe('a transcript of Claude Code', () => {
  const record = (uuid: string, type: string, more: object) => ({
    uuid,
    type,
    sessionId: 'cc-1',
    cwd: '/code/acme',
    isSidechain: false,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...more,
  });
  const said = (uuid: string, text: string) => record(uuid, 'user', { message: { role: 'user', content: text } });
  const answered = (uuid: string, id: string, content: object[]) =>
    record(uuid, 'assistant', {
      message: { id, model: 'claude', content, usage: { input_tokens: 10, cache_read_input_tokens: 90 } },
    });

  test('puts the blocks of one answer together and pairs calls with results', async () => {
    const content = jsonLines([
      { type: 'summary', summary: 'Old title', leafUuid: 'x' },
      said('u1', 'list the files'),
      answered('a1', 'm1', [{ type: 'thinking', thinking: 'hm' }]),
      answered('a2', 'm1', [{ type: 'text', text: 'Looking.' }]),
      answered('a3', 'm1', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }]),
      record('u2', 'user', {
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a.ts' }] }] },
      }),
      answered('a4', 'm2', [{ type: 'text', text: 'One file.' }]),
      record('u3', 'user', { isMeta: true, message: { content: 'Caveat: generated' } }),
      { type: 'ai-title', aiTitle: 'Listing files', sessionId: 'cc-1' },
    ]);
    const thread = await read(content, 'claude-code');
    expect(brief(thread)).toEqual([
      [1, 'user', 'list the files'],
      [2, 'assistant', 'Looking.'],
      [3, 'tool', 'a.ts'],
      [4, 'assistant', 'One file.'],
      [5, 'system', 'Caveat: generated'],
    ]);
    expect(thread.messages[1]?.calls).toEqual([{ id: 't1', name: 'Bash', arguments: '{"command":"ls"}' }]);
    expect(thread).toMatchObject({
      id: 'cc-1',
      title: 'Listing files',
      folder: '/code/acme',
      background: false,
      usage: { promptTokens: 100 },
    });
  });

  test('a compaction hides what came before its boundary, but for what it kept', async () => {
    const content = jsonLines([
      said('u1', 'one'),
      answered('a1', 'm1', [{ type: 'text', text: 'two' }]),
      said('u2', 'three'),
      answered('a2', 'm2', [{ type: 'text', text: 'four' }]),
      record('b', 'system', {
        subtype: 'compact_boundary',
        compactMetadata: { trigger: 'manual', preTokens: 500, preservedSegment: { headUuid: 'u2', tailUuid: 'a2' } },
      }),
      record('s', 'user', { isCompactSummary: true, message: { content: 'Summary: one and two.' } }),
      said('u3', 'five'),
    ]);
    const thread = await read(content, 'claude-code');
    expect(thread.compactions).toMatchObject([
      { summary: 'Summary: one and two.', hiddenTo: 4, kept: [3, 4], trigger: 'manual', tokensBefore: 500 },
    ]);
    expect(hiddenCount(thread)).toBe(2);
    expect(brief(thread).at(-1)).toEqual([5, 'user', 'five']);
  });

  test("a subagent's own file is a background thread under its own id", async () => {
    const content = jsonLines([{ ...said('u1', 'sub task'), isSidechain: true }]);
    expect(await read(content, 'claude-code')).toMatchObject({ id: 'from-name', background: true });
  });
});
