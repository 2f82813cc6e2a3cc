import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prerequisitesOf } from '../../../src/core/skills/prerequisites.ts';
import type { Skill } from '../../../src/core/skills/registry.ts';
import { NOTHING, open, skill, temporary, write } from './folder.ts';

describe('places', () => {
  test('every folder is looked into, and each skill says where it is from', async () => {
    const at = open({
      '.agents/skills/in-agents/SKILL.md': skill('in-agents'),
      '.github/skills/in-github/SKILL.md': skill('in-github'),
      '.claude/skills/in-claude/SKILL.md': skill('in-claude'),
      'team/by-editor/SKILL.md': skill('by-editor'),
    });
    write(at.home, {
      '.agents/skills/my-agents/SKILL.md': skill('my-agents'),
      '.copilot/skills/my-copilot/SKILL.md': skill('my-copilot'),
      '.claude/skills/my-claude/SKILL.md': skill('my-claude'),
      'more/by-setting/SKILL.md': skill('by-setting'),
    });
    const extension = temporary();
    write(extension, { 'skills/from-extension/SKILL.md': skill('from-extension') });
    at.configure({
      ...NOTHING,
      folders: [{ name: 'ws', path: at.workspace }],
      home: at.home,
      skillFolders: ['~/more'],
      locations: { skill: { team: true, '.github/skills': true } },
      contributions: [
        { kind: 'skill', owner: 'acme.tools', path: join(extension, 'skills/from-extension/SKILL.md') },
        { kind: 'skill', owner: 'acme.bare', path: join(extension, 'skills/bare/SKILL.md'), description: 'Only said.' },
      ],
    });
    const { skills } = await at.list(undefined);
    expect(Object.fromEntries(skills.map(({ name, source }) => [name, source]))).toEqual({
      'in-agents': 'workspace',
      'in-github': 'workspace',
      'in-claude': 'workspace',
      'by-editor': 'setting',
      'by-setting': 'setting',
      'my-agents': 'user',
      'my-copilot': 'user',
      'my-claude': 'user',
      'from-extension': 'extension acme.tools',
      bare: 'extension acme.bare',
    });
    expect(await at.problems()).toEqual([]);
  });

  test('a place that the editor’s setting turns off is left out', async () => {
    const files = { '.github/skills/a/SKILL.md': skill('a'), '.claude/skills/b/SKILL.md': skill('b') };
    const at = open(files, { locations: { skill: { '.github/skills': false } } });
    at.configure({
      ...NOTHING,
      folders: [{ name: 'ws', path: at.workspace }],
      home: at.home,
      locations: { skill: { '.github/skills': false } },
    });
    expect(await at.names()).toEqual(['b']);
  });

  test('of two skills with one name the workspace’s is used, and the other is told why it is not', async () => {
    const at = open({ '.claude/skills/same/SKILL.md': skill('same') });
    write(at.home, { '.claude/skills/same/SKILL.md': skill('same') });
    const { skills, unused } = await at.list(undefined);
    expect(skills).toMatchObject([{ name: 'same', source: 'workspace' }]);
    expect(unused).toMatchObject([{ name: 'same', source: 'user', reason: 'shadowed' }]);
    expect(unused[0]!.diagnostics[0]!.message).toContain(skills[0]!.file);
  });

  test('an invalid skill does not take a name', async () => {
    const at = open({ '.agents/skills/same/SKILL.md': '---\nname: same\n---\n' });
    write(at.home, { '.claude/skills/same/SKILL.md': skill('same') });
    expect((await at.list(undefined)).skills).toMatchObject([{ name: 'same', source: 'user' }]);
  });

  test('a folder that is linked into two places is one skill', async () => {
    const at = open({ '.github/skills/one/SKILL.md': skill('one') });
    mkdirSync(join(at.workspace, '.claude'));
    symlinkSync('../.github/skills', join(at.workspace, '.claude/skills'));
    expect(await at.names()).toEqual(['one']);
    expect(await at.problems()).toEqual([]);
  });
});

describe('what keeps a skill from being found is said', () => {
  test.each([
    ['a file name in the wrong case', '.github/skills/a/skill.md', '1:1 error wrong_case'],
    ['a folder too deep', '.github/skills/group/a/SKILL.md', '1:1 error too_deep'],
    ['no folder of its own', '.github/skills/SKILL.md', '1:1 error no_folder'],
    ['a folder without SKILL.md', '.github/skills/a/readme.md', '1:1 hint no_skill_file'],
  ])('%s', async (_, path, expected) => {
    const at = open({ [path]: skill('a') });
    expect(await at.names()).toEqual([]);
    expect(await at.problems()).toEqual([expected]);
  });

  test('binary, huge and unreadable files', async () => {
    const at = open({
      '.github/skills/binary/SKILL.md': Uint8Array.from({ length: 5000 }, (_, i) => i % 7),
      '.github/skills/huge/SKILL.md': skill('huge', '', 'x'.repeat(1_000_001)),
      '.github/skills/folder/SKILL.md/x.md': 'x',
      '.github/skills/bom/SKILL.md': `\uFEFF${skill('bom')}`,
      '.github/skills/crlf/SKILL.md': skill('crlf').replaceAll('\n', '\r\n'),
      '.github/skills/utf16/SKILL.md': Buffer.from(`\uFEFF${skill('utf16')}`, 'utf16le'),
    });
    expect(await at.names()).toEqual(['bom', 'crlf', 'utf16']);
    expect(await at.problems('binary/SKILL.md')).toEqual(['1:1 error binary']);
    expect(await at.problems('huge/SKILL.md')).toEqual(['1:1 error too_large']);
    expect(await at.problems('folder/SKILL.md')).toEqual(['1:1 error not_a_file']);
    expect(await at.problems('bom/SKILL.md')).toEqual(['1:1 warning byte_order_mark']);
    expect(await at.problems('crlf/SKILL.md')).toEqual([]);
    const { content } = await at.read({ name: 'crlf', path: 'SKILL.md', start_char: 0, max_chars: null });
    expect(content).toBe(skill('crlf'));
  });

  test.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
    const at = open({ '.github/skills/locked/SKILL.md': skill('locked') });
    chmodSync(join(at.workspace, '.github/skills/locked/SKILL.md'), 0);
    expect(await at.problems()).toEqual(['1:1 error unreadable']);
  });

  test('links that lead out of the workspace are not followed; the person’s own may lead anywhere', async () => {
    const outside = temporary();
    write(outside, { 'evil/SKILL.md': skill('evil'), 'mine/SKILL.md': skill('mine'), 'file.md': skill('linked') });
    const at = open({ '.github/skills/linked/readme.txt': 'x' });
    symlinkSync(join(outside, 'evil'), join(at.workspace, '.github/skills/evil'));
    symlinkSync(join(outside, 'file.md'), join(at.workspace, '.github/skills/linked/SKILL.md'));
    symlinkSync('nowhere', join(at.workspace, '.github/skills/dangling'));
    mkdirSync(join(at.home, '.claude/skills'), { recursive: true });
    symlinkSync(join(outside, 'mine'), join(at.home, '.claude/skills/mine'));
    expect(await at.names()).toEqual(['mine']);
    expect(await at.problems('skills/evil')).toEqual(['1:1 error link_outside']);
    expect(await at.problems('linked/SKILL.md')).toEqual(['1:1 error link_outside']);
  });

  test('a prerequisite that is not there', async () => {
    const at = open({ '.github/skills/a/SKILL.md': skill('a', 'metadata:\n  prerequisites: b c\n') });
    write(at.workspace, { '.github/skills/b/SKILL.md': skill('b') });
    expect(await at.problems('a/SKILL.md')).toEqual(['5:3 warning missing_prerequisite']);
  });
});

describe('changes on disk are seen at the next call', () => {
  test('a new, changed, broken, mended, renamed and deleted skill', async () => {
    const at = open();
    const path = '.github/skills/a/SKILL.md';
    expect(await at.names()).toEqual([]);
    write(at.workspace, { [path]: skill('a') });
    expect(await at.names()).toEqual(['a']);
    write(at.workspace, { [path]: skill('a').replace('What', 'That') });
    expect((await at.list(undefined)).skills[0]!.description).toBe('That a is for.');
    write(at.workspace, { [path]: 'broken' });
    expect(await at.names()).toEqual([]);
    write(at.workspace, { [path]: skill('a') });
    expect(await at.names()).toEqual(['a']);
    renameSync(join(at.workspace, '.github/skills/a'), join(at.workspace, '.github/skills/b'));
    expect(await at.problems()).toEqual(['2:7 error name_not_folder']);
    rmSync(join(at.workspace, '.github/skills/b'), { recursive: true });
    expect(await at.problems()).toEqual([]);
    const seen = at.changes();
    await at.names();
    expect(at.changes()).toBe(seen);
  });

  test('other settings are told of, and the same ones are not', async () => {
    const at = open({ 'more/a/SKILL.md': skill('a') });
    const before = at.changes();
    const settings = { ...NOTHING, home: at.home, skillFolders: [join(at.workspace, 'more')] };
    at.configure(settings);
    at.configure({ ...settings });
    expect(at.changes()).toBe(before + 1);
    expect(await at.names()).toEqual(['a']);
  });

  test('only paths in its places make it look again', async () => {
    const at = open({ '.github/skills/a/SKILL.md': skill('a') });
    await at.names();
    const seen = at.changes();
    write(at.workspace, { '.github/skills/b/SKILL.md': skill('b'), 'docs/x.md': 'x' });
    await at.changed({ paths: [join(at.workspace, 'docs/x.md')] });
    expect(at.changes()).toBe(seen);
    await at.changed({ paths: [join(at.workspace, '.github/skills/b/SKILL.md')] });
    expect(at.changes()).toBe(seen + 1);
  });

  test('calls at the same time agree', async () => {
    const at = open({ '.github/skills/a/SKILL.md': skill('a') });
    const before = at.changes();
    const all = await Promise.all(Array.from({ length: 20 }, () => at.names()));
    expect(new Set(all.map((names) => names.join()))).toEqual(new Set(['a']));
    expect(at.changes()).toBe(before + 1);
  });
});

describe('agents and prompts', () => {
  test('are found by the names that the editor goes by', async () => {
    const at = open({
      '.github/agents/README.md': '# Agents',
      '.github/agents/reviewer.agent.md':
        '---\ndescription: Reviews.\ntools: [search, read]\nmodel: [a, b]\n---\nReview.',
      '.github/agents/plain.md': '---\nname: Plain One\ndescription: P\n---\n',
      '.claude/agents/helper.md': '---\nname: helper\ndescription: Helps.\ntools: Read, Grep\nmodel: opus\n---\n',
      '.github/prompts/explain.prompt.md': '---\ndescription: Explains.\nmode: ask\n---\nExplain.',
      '.github/prompts/bare.prompt.md': 'Just do it.',
      '.github/prompts/notes.md': 'no prompt',
      '.github/agents/broken.agent.md': '---\ntools: [\n---\n',
    });
    const agents = await at.agents(undefined);
    expect(agents.map(({ name }) => name)).toEqual(['Plain One', 'reviewer', 'helper']);
    expect(agents[1]).toMatchObject({ description: 'Reviews.', tools: ['search', 'read'], model: ['a', 'b'] });
    expect(agents[2]).toMatchObject({ tools: ['Read', 'Grep'], model: ['opus'], source: 'workspace' });
    expect(await at.prompts(undefined)).toMatchObject([
      { name: 'bare', description: '' },
      { name: 'explain', description: 'Explains.', agent: 'ask' },
    ]);
    expect(await at.problems('broken.agent.md')).toEqual(['3:1 error bad_yaml']);
    expect(await at.port.agents()).toEqual(['Plain One', 'reviewer', 'helper']);
    expect((await at.port.prompts()).map(({ path }) => path.split('/').at(-1))).toEqual([
      'bare.prompt.md',
      'explain.prompt.md',
    ]);
  });
});

describe('prerequisites', () => {
  test('come each after its own, once, without those asked for', async () => {
    const needs = (names: string) => `prerequisites: [${names}]\n`;
    const at = open({
      '.github/skills/top/SKILL.md': skill('top', needs('mid, base')),
      '.github/skills/mid/SKILL.md': skill('mid', needs('base, gone')),
      '.github/skills/base/SKILL.md': skill('base', needs('top')),
    });
    expect(await at.port.prerequisites(['top'])).toEqual({ order: ['base', 'mid'], missing: ['gone'] });
    expect(await at.port.prerequisites(['top', 'mid'])).toEqual({ order: ['base'], missing: ['gone'] });
    expect(await at.port.prerequisites([])).toEqual({ order: [], missing: [] });
  });

  test('every graph gives each reachable skill once, and prerequisites first where there is no cycle', () => {
    const names = [...'abcdefgh'];
    const graph = fc.array(fc.subarray(names), { minLength: names.length, maxLength: names.length });
    fc.assert(
      fc.property(graph, fc.subarray(names, { minLength: 1 }), fc.boolean(), (edges, asked, acyclic) => {
        const needs = (i: number) => (acyclic ? edges[i]!.filter((name) => names.indexOf(name) > i) : edges[i]!);
        const skills = new Map(names.map((name, i) => [name, { name, prerequisites: needs(i) } as unknown as Skill]));
        const { order, missing } = prerequisitesOf(asked, skills);
        const reached = new Set(asked);
        for (const name of reached) for (const needed of skills.get(name)!.prerequisites) reached.add(needed);
        expect(missing).toEqual([]);
        expect([...order].sort()).toEqual([...reached].filter((name) => !asked.includes(name)).sort());
        if (!acyclic) return;
        for (const [place, name] of order.entries()) {
          for (const needed of skills.get(name)!.prerequisites) {
            if (!asked.includes(needed)) expect(order.indexOf(needed)).toBeLessThan(place);
          }
        }
      }),
    );
  });

  test('a chain of ten thousand is followed to its end', () => {
    const skills = new Map(
      Array.from({ length: 10_000 }, (_, i) => [`s${i}`, { prerequisites: [`s${i + 1}`] } as unknown as Skill]),
    );
    const { order, missing } = prerequisitesOf(['s0'], skills);
    expect([order.length, order[0], missing]).toEqual([9999, 's9999', ['s10000']]);
  });
});

test('a skill that an extension promises but does not bring is told of', async () => {
  const at = open();
  at.configure({
    ...NOTHING,
    folders: [],
    home: at.home,
    contributions: [{ kind: 'skill', owner: 'acme.tools', path: join(at.home, 'ext/gone/SKILL.md') }],
  });
  expect(await at.problems()).toEqual(['1:1 error not_found']);
});
