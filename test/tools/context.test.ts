import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ForeignTools } from '../../src/tools/run.ts';
import { openWorkspace, resultBytes, sampleWorkspace, type Workspace } from './workspace.ts';

const free = { 'budget.calls': 0 };
let ws: Workspace;
beforeAll(async () => {
  ws = sampleWorkspace({ settings: free });
  await ws.ask('list_contents');
});
afterAll(() => ws.close());

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the tool returns
type Result = any;

/** Calls as an agent does: in a thread. */
async function inThread(thread: string, name: string, input: object = {}, workspace = ws): Promise<Result> {
  return (await workspace.call(name, input, undefined, { caller: { thread, agent: undefined } })).result;
}
const manage = (thread: string, input: object, workspace = ws) => inThread(thread, 'manage_context', input, workspace);

describe('SEARCH_CONTEXT', () => {
  test('finds a group by a word of its own, by a tool inside, and by meaning', async () => {
    const byWord = await manage('s', { query: 'the policy of an agent' });
    expect(byWord.tool_groups[0]).toMatchObject({ active: false, available: true, owner: 'loci' });
    const names = (result: Result) => result.tool_groups.map(({ name }: { name: string }) => name);
    expect(names(await manage('s', { query: 'set_agent_capability_policy' }))[0]).toBe('agent_manager_tools');
    expect(names(await manage('s', { query: 'restrict what an agent is allowed to do' }))).toContain(
      'agent_manager_tools',
    );
  });

  test('reports no stop words as evidence', async () => {
    const { tool_groups } = await manage('s', { query: 'what is the policy of the agent' });
    const found = tool_groups.find(({ name }: { name: string }) => name === 'agent_manager_tools');
    expect(found.matched_terms).toEqual(expect.arrayContaining(['policy', 'agent']));
    for (const stop of ['what', 'is', 'the', 'of']) expect(found.matched_terms).not.toContain(stop);
  });

  test('finds passages of the knowledge bases, with what read_knowledge_base_doc takes', async () => {
    const { knowledge_bases, tool_groups } = await manage('s', { query: 'TIDE-4041', search_scope: 'knowledge_bases' });
    expect(knowledge_bases[0]).toMatchObject({ index_name: 'ws', doc_path: expect.stringMatching(/\.md$/) });
    expect(knowledge_bases[0].preview).toContain('TIDE-4041');
    expect(tool_groups).toEqual([]);
  });

  test('an empty query lists everything but private groups', async () => {
    const { tool_groups } = await manage('s', { search_scope: 'tools' });
    const names = tool_groups.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['context_tools', 'knowledge_tools', 'agent_manager_tools']));
    expect(names).not.toContain('upgrade_advisor_tools');
  });

  test('following next_offset meets everything once', async () => {
    const seen: string[] = [];
    let offset: number | null = 0;
    for (let pages = 0; offset !== null && pages < 50; pages++) {
      const page: Result = await manage('s', { query: 'delivery data agent', limit: 7, offset });
      expect(resultBytes(page)).toBeLessThan(8000);
      for (const { name } of page.tool_groups) seen.push(name);
      for (const { doc_path, preview } of page.knowledge_bases) seen.push(`${doc_path} ${preview}`);
      expect(page.next_offset !== null).toBe(page.capabilities_has_more || page.knowledge_bases_has_more);
      offset = page.next_offset;
    }
    expect(offset).toBeNull();
    expect(seen.length).toBeGreaterThan(10);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('activating a group', () => {
  const call = { tool_name: 'set_agent_capability_policy', arguments: { agent: 'default', tool_access_mode: 'all' } };

  test('is what makes its tools callable, in that thread only', async () => {
    const before = await inThread('a', 'call_tool', call);
    expect(before).toMatchObject({ success: false, error_code: 'tool_group_inactive' });
    expect(before.next_step).toContain('active_tool_groups="agent_manager_tools"');
    const added = await manage('a', { action: 'ADD_CONTEXT', active_tool_groups: 'agent_manager_tools' });
    expect(added).toMatchObject({ success: true, new_tool_groups_added: ['agent_manager_tools'] });
    expect(added.tool_group_hints[0].tools[1].parameters).toContain('agent: string');
    expect(await inThread('a', 'call_tool', call)).toMatchObject({ error_code: 'needs_confirmation' });
    const confirmed = { caller: { thread: 'a', agent: undefined }, confirmed: true };
    expect((await ws.call('call_tool', call, undefined, confirmed)).result).toMatchObject({ success: true });
    expect(await inThread('b', 'call_tool', call)).toMatchObject({ error_code: 'tool_group_inactive' });
    const again = await manage('a', { action: 'ADD_CONTEXT', active_tool_groups: 'agent_manager_tools' });
    expect(again.new_tool_groups_added).toEqual([]);
  });

  test('lasts over a restart, and REMOVE_CONTEXT and RESET_ACTIVE end it', async () => {
    const own = openWorkspace({ 'a.md': '# A\n' });
    await manage('t', { action: 'ADD_CONTEXT', active_tool_groups: 'wiki_tools, lineage_tools' }, own);
    await own.close();
    const later = openWorkspace({}, { folder: own.folder, storage: own.storage });
    const kept = await manage('t', { action: 'GET_DEFAULTS' }, later);
    expect(kept.thread.active_tool_groups).toEqual(['knowledge_tools', 'wiki_tools', 'lineage_tools']);
    const removed = await manage('t', { action: 'REMOVE_CONTEXT', active_tool_groups: 'wiki_tools,goal_tools' }, later);
    expect(removed).toMatchObject({ removed_tool_groups: ['wiki_tools'], not_active: ['goal_tools'] });
    const reset = await manage('t', { action: 'RESET_ACTIVE' }, later);
    expect(reset.active_tool_groups).toEqual(['knowledge_tools']);
    await later.close();
  });

  test('SET_CONTEXT replaces; the default group can go, the always-on one cannot', async () => {
    const set = await manage('c', { action: 'SET_CONTEXT', active_tool_groups: 'goal_tools' });
    expect(set).toMatchObject({ active_tool_groups: ['goal_tools'], removed_tool_groups: ['knowledge_tools'] });
    expect(await inThread('c', 'find', { name: 'glossary' })).toMatchObject({ error_code: 'tool_group_inactive' });
    const fixed = await manage('c', { action: 'REMOVE_CONTEXT', active_tool_groups: 'context_tools' });
    expect(fixed).toMatchObject({ success: false, details: { always_on_tool_groups: ['context_tools'] } });
  });

  test('a person at the command line, without a thread, needs none', async () => {
    expect((await ws.call('find', { name: 'glossary' })).ok).toBe(true);
    const { result } = await ws.call('manage_context', { action: 'ADD_CONTEXT', active_tool_groups: 'wiki_tools' });
    expect(result).toMatchObject({ success: false, error_code: 'thread_unknown' });
  });
});

describe('a request that cannot be granted whole changes nothing and says why', () => {
  test('without a recognised setting, naming the arguments it did not know', async () => {
    const result = await manage('d', { action: 'ADD_CONTEXT', tool_groups: 'wiki_tools', session_id: 'x', run_id: 1 });
    expect(result).toMatchObject({ success: false, details: { unrecognized_arguments: ['tool_groups'] } });
    expect(result.error).toContain('tool_groups');
    expect(result.error).not.toContain('session_id');
  });

  test('unknown, private and policy-denied groups and skills are told apart', async () => {
    const confirmed = { confirmed: true };
    await ws.call(
      'set_agent_capability_policy',
      { agent: 'default', tool_access_mode: 'denylist', tool_access_list: ['wiki_tools'] },
      undefined,
      confirmed,
    );
    const result = await manage('e', {
      action: 'ADD_CONTEXT',
      active_tool_groups: 'lineage_tools,wiki_tools,upgrade_advisor_tools,no_such_tools',
      active_skills: 'no-such-skill',
    });
    expect(result).toMatchObject({
      success: false,
      error_code: 'request_rejected',
      details: {
        unknown_tool_groups: ['upgrade_advisor_tools', 'no_such_tools'],
        policy_denied_tool_groups: ['wiki_tools'],
        unknown_skills: ['no-such-skill'],
      },
    });
    expect((await manage('e', { action: 'GET_DEFAULTS' })).thread.active_tool_groups).toEqual(['knowledge_tools']);
    const { tool_groups } = await manage('e', { search_scope: 'tools' });
    expect(tool_groups.map(({ name }: { name: string }) => name)).not.toContain('wiki_tools');
    await ws.call('set_agent_capability_policy', { agent: 'default', tool_access_mode: 'all' }, undefined, confirmed);
  });

  test('a policy holds for threads under way', async () => {
    await manage('p', { action: 'ADD_CONTEXT', active_tool_groups: 'agent_manager_tools' });
    const policy = { agent: 'default', tool_access_mode: 'allowlist', tool_access_list: ['knowledge_tools'] };
    await ws.call('set_agent_capability_policy', policy, undefined, { confirmed: true });
    const denied = await inThread('p', 'set_agent_context_defaults', { agent: 'default', model_tier: 'fast' });
    expect(denied).toMatchObject({ error_code: 'policy_denied', details: { tool_access_mode: 'allowlist' } });
    expect((await inThread('p', 'find', { name: 'glossary' })).success).toBe(true);
    await ws.call('set_agent_capability_policy', { agent: 'default', tool_access_mode: 'all' }, undefined, {
      confirmed: true,
    });
  });

  test('more default groups than the cap', async () => {
    const own = openWorkspace({}, { settings: { 'context.maxDefaultToolGroups': 2 } });
    const wanted = 'wiki_tools,lineage_tools,goal_tools';
    const result = await manage('f', { action: 'SET_DEFAULTS', active_tool_groups: wanted }, own);
    expect(result.details).toEqual({
      max_tool_groups: 2,
      requested_tool_groups: 3,
      tool_groups: ['wiki_tools', 'lineage_tools', 'goal_tools'],
    });
    await own.close();
  });

  test('settings that make no sense', async () => {
    const add = (input: object) => manage('g', { action: 'ADD_CONTEXT', ...input });
    expect(await add({ model_tier: 'huge' })).toMatchObject({ error_code: 'invalid_input' });
    expect(await add({ tool_profile_overrides: { no_tool: 'basic' } })).toMatchObject({
      details: { unknown_tools: ['no_tool'] },
    });
    expect(await add({ context_budget_policy: { reserved_headroom_pct: 120 } })).toMatchObject({ success: false });
    const fine = await add({ model_tier: 'fast', tool_profile_overrides: { find: 'basic' } });
    expect(fine).toMatchObject({ model_tier: 'fast', tool_profile_overrides: { find: 'basic' } });
  });
});

test('defaults hold for threads that start later', async () => {
  const own = openWorkspace({});
  await manage('old', { action: 'ADD_CONTEXT', model_tier: 'main' }, own);
  await manage('x', { action: 'SET_DEFAULTS', active_tool_groups: 'wiki_tools', model_tier: 'fast' }, own);
  const groupsOf = async (thread: string) => (await manage(thread, { action: 'GET_DEFAULTS' }, own)).thread;
  expect(await groupsOf('old')).toMatchObject({ active_tool_groups: ['knowledge_tools'], model_tier: 'main' });
  expect(await groupsOf('new')).toMatchObject({ active_tool_groups: ['wiki_tools'], model_tier: 'fast' });
  await own.close();
});

test('a record that cannot be read is set aside, not lost', async () => {
  const own = openWorkspace({});
  await manage('h', { action: 'ADD_CONTEXT', active_tool_groups: 'wiki_tools' }, own);
  const folder = join(own.storage, 'context');
  const [workspace] = readdirSync(folder);
  const threads = join(folder, workspace!, 'threads');
  const [file] = readdirSync(threads);
  writeFileSync(join(threads, file!), '{"version": 2}');
  const { thread } = await manage('h', { action: 'GET_DEFAULTS' }, own);
  expect(thread.active_tool_groups).toEqual(['knowledge_tools']);
  expect(readFileSync(join(threads, `${file}.unreadable`), 'utf8')).toBe('{"version": 2}');
  await own.close();
});

describe('tools of others', () => {
  const foreign: ForeignTools = {
    list: () => [
      { name: 'jira_search', description: 'Search issues in Jira.', owner: 'acme.jira', parameters: ['jql: string'] },
    ],
    call: async (name, input) => ({ data: { tool_name: name, content: JSON.stringify(input) } }),
  };
  const as = (thread: string) => ({ caller: { thread, agent: undefined }, foreign });

  test('are found with their owner, and called once activated', async () => {
    const found = (await ws.call('manage_context', { query: 'jira issues' }, undefined, as('j'))).result as Result;
    expect(found.tool_groups[0]).toMatchObject({ name: 'acme.jira', owner: 'acme.jira', tools: ['jira_search'] });
    const input = { tool_name: 'jira_search', arguments: { jql: 'x' } };
    expect((await ws.call('call_tool', input, undefined, as('j'))).result).toMatchObject({
      error_code: 'tool_group_inactive',
    });
    const add = { action: 'ADD_CONTEXT', active_tool_groups: 'acme.jira' };
    expect((await ws.call('manage_context', add, undefined, as('j'))).ok).toBe(true);
    expect((await ws.call('call_tool', input, undefined, as('j'))).result).toMatchObject({ content: '{"jql":"x"}' });
  });

  test('more functions than a provider takes are refused with their counts', async () => {
    const many: ForeignTools = {
      ...foreign,
      list: () =>
        Array.from({ length: 130 }, (_, i) => ({
          name: `t${i}`,
          description: 'A tool.',
          owner: 'big.one',
          parameters: [],
        })),
    };
    const add = { action: 'ADD_CONTEXT', active_tool_groups: 'big.one' };
    const { result } = await ws.call('manage_context', add, undefined, { ...as('k'), foreign: many });
    expect(result).toMatchObject({ error_code: 'function_cap_exceeded', details: { provider_function_cap: 128 } });
  });
});

test('call_tool knows the names of the specification, refuses itself and names what does not exist', async () => {
  expect(await inThread('l', 'call_tool', { tool_name: 'loci_find', arguments: { name: 'glossary' } })).toMatchObject({
    success: true,
    index_status: { status: 'ready' },
  });
  expect(await inThread('l', 'call_tool', { tool_name: 'manage_context_state' })).toMatchObject({
    action: 'SEARCH_CONTEXT',
  });
  expect(await inThread('l', 'call_tool', { tool_name: 'call_tool' })).toMatchObject({ error_code: 'invalid_input' });
  expect(await inThread('l', 'call_tool', { tool_name: 'nope' })).toMatchObject({ error_code: 'unknown_tool' });
});
