import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundle, root } from './bundle.ts';

let temporary: string;
beforeAll(async () => {
  await bundle();
  temporary = mkdtempSync(join(tmpdir(), 'loci mcp '));
  cpSync(join(root, 'test/fixtures/sample-workspace'), join(temporary, 'ws'), { recursive: true });
}, 120_000);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

// biome-ignore lint/suspicious/noExplicitAny: a message of the protocol, looked into by the tests
type Message = any;

interface Client {
  request(method: string, params?: object): Promise<Message>;
  call(name: string, input?: object): Promise<{ isError: boolean; result: Message }>;
  names(): Promise<string[]>;
  readonly notified: string[];
}

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child === undefined || child.exitCode !== null) return;
  child.stdin?.end();
  await once(child, 'close');
});

/** A client as the protocol's text describes it, on plain lines; `confirm` answers what the server asks the person. */
async function connect(confirm?: boolean, ...options: string[]): Promise<Client> {
  const storage = mkdtempSync(join(temporary, 'storage '));
  const args = [join(root, 'dist/mcp.js'), '--workspace', join(temporary, 'ws'), '--storage', storage, ...options];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child = server;
  const waiting = new Map<number, (message: Message) => void>();
  const notified: string[] = [];
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: server.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method === 'elicitation/create') {
      send({ id: message.id, result: { action: 'accept', content: { confirm } } });
    } else if (message.method) notified.push(message.method);
    else waiting.get(message.id)?.(message);
  });
  let next = 1;
  const request = (method: string, params: object = {}) =>
    new Promise<Message>((resolve) => {
      waiting.set(next, resolve);
      send({ id: next++, method, params });
    });
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: confirm === undefined ? {} : { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    request,
    notified,
    async call(name, input = {}) {
      const { result } = await request('tools/call', { name, arguments: input });
      return { isError: result.isError === true, result: JSON.parse(result.content[0].text) };
    },
    names: async () => (await request('tools/list')).result.tools.map(({ name }: { name: string }) => name),
  };
}

describe('the MCP server', () => {
  test('offers the tools of the active groups, described and annotated', async () => {
    const client = await connect();
    const { result } = await client.request('tools/list');
    const find = result.tools.find(({ name }: { name: string }) => name === 'find');
    expect(find).toMatchObject({ annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } });
    const names = await client.names();
    expect(names).toEqual(expect.arrayContaining(['manage_context', 'call_tool', 'search_knowledge']));
    expect(names).not.toContain('set_agent_capability_policy');
  });

  test('answers a search, and says what is wrong with a call', async () => {
    const client = await connect();
    const { isError, result } = await client.call('search_keyword', { query: 'TIDE-4041' });
    expect(isError).toBe(false);
    expect(result.results[0].content).toContain('TIDE-4041');
    expect(await client.call('find')).toMatchObject({ isError: true, result: { error_code: 'invalid_input' } });
    expect(await client.call('no_such_tool')).toMatchObject({ isError: true, result: { error_code: 'unknown_tool' } });
  });

  test('offers a group once it is active, and tells the client so', async () => {
    const client = await connect();
    const add = { action: 'ADD_CONTEXT', active_tool_groups: 'agent_manager_tools' };
    expect((await client.call('manage_context_state', add)).result).toMatchObject({ success: true });
    expect(client.notified).toContain('notifications/tools/list_changed');
    expect(await client.names()).toContain('set_agent_capability_policy');
  });

  const policy = { agent: 'default', tool_access_mode: 'all' };
  const add = { action: 'ADD_CONTEXT', active_tool_groups: 'agent_manager_tools' };

  test.each([
    [true, { success: true }],
    [false, { success: false, error_code: 'needs_confirmation' }],
    [undefined, { success: false, error_code: 'needs_confirmation' }],
  ])('asks the person before a write: %s', async (confirm, expected) => {
    const client = await connect(confirm);
    await client.call('manage_context', add);
    expect((await client.call('set_agent_capability_policy', policy)).result).toMatchObject(expected);
  });

  test('keeps its context under the thread it is given', async () => {
    const client = await connect(undefined, '--thread', 'mine');
    await client.call('manage_context', add);
    const { result } = await client.call('manage_context', { action: 'GET_DEFAULTS' });
    expect(result.thread).toMatchObject({ thread_id: 'mine' });
  });

  test('ends when its client goes', async () => {
    await connect();
    child!.stdin!.end();
    const [code] = await once(child!, 'close');
    expect(code).toBe(0);
  });
});
