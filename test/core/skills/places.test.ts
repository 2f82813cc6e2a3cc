import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placesOf } from '../../../src/core/skills/places.ts';
import { NOTHING } from './folder.ts';

const folders = [
  { name: 'a', path: '/ws/a' },
  { name: 'b', path: '/ws/b' },
];
const here = { ...NOTHING, folders, home: '/home/me' };
const paths = (kind: 'skill' | 'agent' | 'prompt', more: Partial<typeof here> = {}) =>
  placesOf(kind, { ...here, ...more }).map(({ path, source }) => `${source} ${path}`);

test('skills are looked for as the editor does, in each workspace folder and at home', () => {
  expect(paths('skill')).toEqual([
    'workspace /ws/a/.agents/skills',
    'workspace /ws/b/.agents/skills',
    'workspace /ws/a/.github/skills',
    'workspace /ws/b/.github/skills',
    'workspace /ws/a/.claude/skills',
    'workspace /ws/b/.claude/skills',
    'user /home/me/.agents/skills',
    'user /home/me/.copilot/skills',
    'user /home/me/.claude/skills',
  ]);
});

test('agents and prompts too, with those of the editor’s profile', () => {
  expect(paths('agent', { profile: '/profile/prompts' })).toEqual([
    'workspace /ws/a/.github/agents',
    'workspace /ws/b/.github/agents',
    'workspace /ws/a/.claude/agents',
    'workspace /ws/b/.claude/agents',
    'workspace /ws/a/.github/chatmodes',
    'workspace /ws/b/.github/chatmodes',
    'user /home/me/.copilot/agents',
    'user /home/me/.claude/agents',
    'user /profile/prompts',
  ]);
  expect(paths('prompt', { profile: '/profile/prompts' })).toEqual([
    'workspace /ws/a/.github/prompts',
    'workspace /ws/b/.github/prompts',
    'user /profile/prompts',
  ]);
});

test('settings add folders and switch others off', () => {
  const locations = {
    skill: { '.agents/skills': false, '~/.claude/skills': false, 'tools/skills': true, '~/kit': true, off: false },
  };
  const found = paths('skill', { locations, skillFolders: ['shared', '/abs/skills', '~/mine'] });
  expect(found.filter((place) => !/github|copilot|workspace|user/.test(place))).toEqual([
    'setting /ws/a/tools/skills',
    'setting /ws/b/tools/skills',
    'setting /home/me/kit',
    'setting /ws/a/shared',
    'setting /abs/skills',
    'setting /home/me/mine',
  ]);
  expect(found).not.toContain('workspace /ws/a/.agents/skills');
  expect(found).not.toContain('user /home/me/.claude/skills');
});

test('a place named twice is one, where it wins first', () => {
  const found = paths('skill', { skillFolders: ['.github/skills', '~/.claude/skills'] });
  expect(new Set(found.map((place) => place.split(' ').at(-1))).size).toBe(found.length);
  expect(found).toContain('workspace /ws/a/.github/skills');
  expect(found).toContain('setting /home/me/.claude/skills');
});

test('an extension’s skill is its folder, whether that or its SKILL.md is named', () => {
  const path = join('/ext', 'skills', 'plan');
  const contributions = [
    { kind: 'skill' as const, owner: 'acme.one', path: join(path, 'SKILL.md') },
    { kind: 'skill' as const, owner: 'acme.two', path: join('/ext', 'skills', 'build') },
    { kind: 'agent' as const, owner: 'acme.one', path: '/ext/agents/a.agent.md' },
  ];
  expect(placesOf('skill', { ...NOTHING, home: '/home/me', contributions }).slice(3)).toMatchObject([
    { source: 'extension acme.one', path },
    { source: 'extension acme.two', path: '/ext/skills/build' },
  ]);
  expect(placesOf('agent', { ...NOTHING, contributions }).at(-1)).toMatchObject({ path: '/ext/agents/a.agent.md' });
});
