import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleWorkspace, type Workspace } from './workspace.ts';

// What a person does and sees in the sidebar, through the same services as the views.

let ws: Workspace;
beforeAll(async () => {
  ws = sampleWorkspace({ settings: { 'context.maxDefaultToolGroups': 3 } });
  await ws.ask('list_contents');
});
afterAll(() => ws.close());

const nobody = { thread: undefined, agent: undefined };
const group = (name: string, on: boolean) => ({ kind: 'tool_group' as const, name, on, foreign: [] });
const skill = (name: string, on: boolean) => ({ kind: 'skill' as const, name, on, foreign: [] });

async function groupNamed(name: string, thread?: string) {
  const all = await ws.app.capabilities.groups({ thread, agent: undefined, foreign: [] });
  return all.find((one) => one.name === name)!;
}

describe('a person switches', () => {
  test('a group on and off in one chat', async () => {
    await ws.app.capabilities.switchInThread({ ...group('wiki_tools', true), thread: 'p' });
    expect([(await groupNamed('wiki_tools', 'p')).active, (await groupNamed('wiki_tools', 'q')).active]).toEqual([
      true,
      false,
    ]);
    await ws.app.capabilities.switchInThread({ ...group('wiki_tools', false), thread: 'p' });
    expect((await groupNamed('wiki_tools', 'p')).active).toBe(false);
  });

  test('a skill with its prerequisites, which does not count as read', async () => {
    await ws.app.capabilities.switchInThread({ ...skill('excursion-report', true), thread: 's' });
    const { active, read } = await ws.app.capabilities.skills({ thread: 's', agent: undefined });
    expect([active, read]).toEqual([['lot-trace', 'excursion-report'], []]);
  });

  test('what new chats start with, up to the cap, and down to nothing', async () => {
    await ws.app.capabilities.switchDefault(group('wiki_tools', true));
    expect((await groupNamed('wiki_tools', 'new')).active).toBe(true);
    await ws.app.capabilities.switchDefault(group('goal_tools', true));
    const fourth = ws.app.capabilities.switchDefault(group('agent_manager_tools', true));
    await expect(fourth).rejects.toMatchObject({ code: 'default_groups_cap_exceeded' });
    for (const name of ['wiki_tools', 'goal_tools', 'knowledge_tools']) {
      await ws.app.capabilities.switchDefault(group(name, false));
    }
    expect((await groupNamed('knowledge_tools', 'newer')).active).toBe(false);
    await ws.app.capabilities.switchDefault(group('knowledge_tools', true));
    await ws.app.capabilities.switchDefault(skill('lot-trace', true));
    await ws.app.capabilities.switchDefault(skill('lot-trace', false));
    expect((await ws.app.capabilities.skills(nobody)).standard).toEqual([]);
  });

  test('what the agent may use at all', async () => {
    await ws.app.capabilities.switchAllowed(group('wiki_tools', false));
    expect((await groupNamed('wiki_tools')).denied).toBe(true);
    await expect(
      ws.app.capabilities.switchInThread({ ...group('wiki_tools', true), thread: 'p' }),
    ).rejects.toMatchObject({
      code: 'request_rejected',
    });
    await ws.app.capabilities.switchAllowed(group('wiki_tools', true));
    expect((await groupNamed('wiki_tools')).denied).toBe(false);
    await ws.app.capabilities.switchAllowed(skill('lot-trace', false));
    expect((await ws.app.capabilities.skills(nobody)).denied).toEqual(['lot-trace']);
    await ws.app.capabilities.switchAllowed(skill('lot-trace', true));
    expect((await ws.app.capabilities.skills(nobody)).denied).toEqual([]);
    await expect(ws.app.capabilities.switchAllowed(group('context_tools', false))).rejects.toMatchObject({
      code: 'always_on',
    });
  });

  test('nothing that is unknown', async () => {
    const unknown = ws.app.capabilities.switchInThread({ ...skill('nothing', true), thread: 'p' });
    await expect(unknown).rejects.toMatchObject({ code: 'request_rejected', details: { unknown_skills: ['nothing'] } });
  });
});

test('the window hears of the chat that calls', async () => {
  const heard: string[] = [];
  ws.app.on('thread', ({ thread }) => void heard.push(thread));
  await ws.call('find', { name: 'glossary' }, undefined, { caller: { thread: 'talking', agent: undefined } });
  await expect.poll(() => heard).toContain('talking');
});

test('a person browses knowledge bases by absolute path', async () => {
  const { items } = await ws.app.knowledge.tree({ id: null });
  expect(items).toMatchObject([{ kind: 'BASE', name: 'ws', path: ws.folder }]);
  const top = await ws.app.knowledge.tree({ id: items[0]!.path_part_id });
  expect(top.items.map(({ name }) => name)).toEqual(['.github', 'data', 'docs', 'notebooks', 'sql', 'README.md']);
  expect(top.items.at(-1)).toMatchObject({
    kind: 'DOCUMENT',
    path: `${ws.folder}/README.md`,
    title: expect.any(String),
  });
  expect(items[0]!.documents).toBe(
    top.items.reduce((sum, { kind, documents = 1 }) => sum + (kind === 'FOLDER' ? documents : 1), 0),
  );
  expect(await ws.app.knowledge.tree({ id: top.items.at(-1)!.path_part_id })).toEqual({ items: [], omitted: 0 });
});
