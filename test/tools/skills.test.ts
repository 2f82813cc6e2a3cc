import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../src/tools/tool.ts';
import { openWorkspace, resultBytes, sampleWorkspace, type Workspace } from './workspace.ts';

let ws: Workspace;
beforeAll(() => {
  ws = sampleWorkspace({ settings: { 'budget.calls': 0 } });
});
afterAll(() => ws.close());

const caller: Caller = { thread: 'thread-1', agent: undefined };

async function ask(name: string, input: object = {}, by: Caller = caller, at: Workspace = ws) {
  const { ok, result } = await at.call(name, input, undefined, { caller: by });
  if (!ok) throw new Error(`${result.error} ${result.next_step}`);
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the tool returns
  return result as any;
}

async function refuse(name: string, input: object, by: Caller = caller) {
  const { ok, result } = await ws.call(name, input, undefined, { caller: by });
  expect(ok).toBe(false);
  return result as { error: string; error_code: string; next_step: string; details: object };
}

describe('list_assigned_skills', () => {
  test('lists the valid skills with their standing, and says what is wrong with the others', async () => {
    const { skills, pagination, unused_skills } = await ask('list_assigned_skills', {}, { ...caller, thread: 'fresh' });
    expect(skills.map((skill: { name: string }) => skill.name)).toEqual([
      'excursion-report',
      'lot-trace',
      'safe-migration',
    ]);
    expect(skills[0]).toMatchObject({ source: 'workspace', active: false, read: false, prerequisites: ['lot-trace'] });
    expect(pagination).toMatchObject({ total: 3, has_more: false });
    expect(unused_skills).toMatchObject([
      {
        name: 'probe-swap',
        reason: 'invalid',
        problems: [expect.stringMatching(/^line 2, column 7: .*"swap-probe".*"probe-swap"/)],
      },
    ]);
  });

  test('pages, and stays below what the editor shows', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => {
        const name = `skill-${String(i).padStart(2, '0')}`;
        return [`.github/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${'é"'.repeat(400)}\n---\nBody`];
      }),
    );
    const large = openWorkspace(many);
    const met: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const result = await ask('list_assigned_skills', { limit: 100, offset }, caller, large);
      expect(resultBytes(result)).toBeLessThan(8000);
      met.push(...result.skills.map((skill: { name: string }) => skill.name));
      offset = result.pagination.next_offset;
    }
    expect(met).toEqual(Object.keys(many).map((path) => path.split('/')[2]));
    await large.close();
  });
});

describe('list_assigned_skill_files and read_assigned_skill_file', () => {
  test('show what a skill brings', async () => {
    const { files, pagination } = await ask('list_assigned_skill_files', { skill_name: 'excursion-report' });
    expect(files.map((file: { relative_path: string }) => file.relative_path)).toEqual([
      'SKILL.md',
      'references.md',
      'templates/report.md',
    ]);
    expect(pagination.total).toBe(3);
    const { content } = await ask('read_assigned_skill_file', {
      skill_name: 'excursion-report',
      relative_path: files[2].relative_path,
    });
    expect(content.length).toBe(files[2].size_bytes);
  });

  test('reading SKILL.md marks the skill as read in this thread, reading another file does not', async () => {
    const readIn = async (thread: string) => {
      const { skills } = await ask('list_assigned_skills', {}, { ...caller, thread });
      return skills.flatMap((skill: { name: string; read: boolean }) => (skill.read ? [skill.name] : []));
    };
    await ask('read_assigned_skill_file', { skill_name: 'safe-migration', relative_path: 'references/checklist.md' });
    expect(await readIn('thread-1')).toEqual([]);
    await ask('read_assigned_skill_file', { skill_name: 'safe-migration' });
    expect(await readIn('thread-1')).toEqual(['safe-migration']);
    expect(await readIn('thread-2')).toEqual([]);
  });

  test('refuse with the way on', async () => {
    const unknown = await refuse('read_assigned_skill_file', { skill_name: 'migration' });
    expect([unknown.error_code, unknown.next_step]).toEqual([
      'unknown_skill',
      expect.stringContaining('safe-migration'),
    ]);
    const invalid = await refuse('list_assigned_skill_files', { skill_name: 'probe-swap' });
    expect(invalid).toMatchObject({ error_code: 'invalid_skill', details: { diagnostics: [{ line: 2, column: 7 }] } });
    const outside = await refuse('read_assigned_skill_file', {
      skill_name: 'lot-trace',
      relative_path: '../README.md',
    });
    expect(outside.error_code).toBe('outside_skill');
  });
});

describe('activation', () => {
  const by: Caller = { thread: 'activation', agent: undefined };

  test('hands over SKILL.md and its prerequisites’, once, and marks them read', async () => {
    const first = await ask('manage_context', { action: 'ADD_CONTEXT', active_skills: 'excursion-report' }, by);
    expect(first).toMatchObject({
      new_skills_added: ['excursion-report'],
      auto_activated_skills: ['lot-trace'],
      inlined_skills: expect.arrayContaining(['excursion-report', 'lot-trace']),
    });
    const hint = first.skill_activation_hints.find(
      (one: { skill_name: string }) => one.skill_name === 'excursion-report',
    );
    expect(hint).toMatchObject({
      primary_file_inlined: true,
      primary_file_truncated: false,
      primary_file_next_start_char: null,
    });
    expect(hint.primary_file_content).toContain('Fill `templates/report.md`');
    expect(resultBytes(first)).toBeLessThan(8000);
    const again = await ask(
      'manage_context',
      { action: 'ADD_CONTEXT', active_skills: 'excursion-report,safe-migration' },
      by,
    );
    expect(again.skill_activation_hints.map((one: { skill_name: string }) => one.skill_name)).toEqual([
      'safe-migration',
    ]);
    const { skills } = await ask('list_assigned_skills', {}, by);
    expect(skills.every((skill: { active: boolean; read: boolean }) => skill.active && skill.read)).toBe(true);
  });

  test('is found by meaning, and a new package is seen at once', async () => {
    const search = async (query: string) =>
      (await ask('manage_context', { query, search_scope: 'skills' }, by)).skills as {
        name: string;
        matched_terms?: string[];
      }[];
    const [found] = await search('the rename of a column in a migration');
    expect(found).toMatchObject({
      name: 'safe-migration',
      matched_terms: expect.not.arrayContaining(['the', 'of', 'a', 'in']),
    });
    ws.write({
      '.agents/skills/tide-table/SKILL.md': '---\nname: tide-table\ndescription: Work out high water.\n---\nDo.',
    });
    expect((await search('high water'))[0]!.name).toBe('tide-table');
    rmSync(join(ws.folder, '.agents'), { recursive: true });
    expect((await search('high water')).map(({ name }) => name)).not.toContain('tide-table');
  });

  test('of an invalid skill is refused with what is wrong', async () => {
    const { details } = await refuse(
      'manage_context',
      { action: 'ADD_CONTEXT', active_skills: 'probe-swap,nothing' },
      by,
    );
    expect(details).toMatchObject({
      unknown_skills: ['nothing'],
      invalid_skills: [{ name: 'probe-swap', problem: expect.stringMatching(/^line 2, column 7: /) }],
    });
  });

  test('is denied by policy, in reading too', async () => {
    const agent: Caller = { thread: 'steward', agent: 'data-steward' };
    await ask('manage_context', { action: 'ADD_CONTEXT', active_tool_groups: 'agent_manager_tools' }, by);
    const policy = { agent: 'data-steward', skill_access_mode: 'denylist', skill_access_list: ['lot-trace'] };
    const { ok, result } = await ws.call('set_agent_capability_policy', policy, undefined, {
      caller: by,
      confirmed: true,
    });
    expect(ok, JSON.stringify(result)).toBe(true);
    const denied = await refuse('read_assigned_skill_file', { skill_name: 'lot-trace' }, agent);
    expect(denied).toMatchObject({ error_code: 'policy_denied', details: { policy_denied_skills: ['lot-trace'] } });
    const listed = await ask('list_assigned_skills', {}, agent);
    expect(listed).toMatchObject({ denied_by_policy: 1 });
    expect(listed.skills.map((skill: { name: string }) => skill.name)).not.toContain('lot-trace');
  });
});
