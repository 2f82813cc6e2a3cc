import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingsShape } from '../../src/core/settings.ts';
import { groups } from '../../src/tools/groups.ts';
import { tools } from '../../src/tools/index.ts';
import { commands } from '../../src/vscode/manifest.ts';

const folder = join(import.meta.dirname, '../../media/docs');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const textOf = (page: string) => readFileSync(join(folder, page), 'utf8');
const titles = Object.values(commands).map(({ title }) => title as string);
const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);

describe.each(pages)('the page %s', (page) => {
  const text = textOf(page);

  test('links only to pages that are there', () => {
    expect(named(text, /\]\(([\w-]+\.md)(?:#[\w-]+)?\)/g).filter((link) => !pages.includes(link))).toEqual([]);
  });

  test('names only settings, commands and groups that exist', () => {
    const settings = named(text, /`loci\.([a-zA-Z.]+)`/g);
    expect(settings.filter((name) => !Object.hasOwn(settingsShape, name))).toEqual([]);
    expect(named(text, /\*\*Loci: ([^*]+)\*\*/g).filter((title) => !titles.includes(title))).toEqual([]);
    expect(named(text, /`([a-z_]+_tools)`/g).filter((name) => !Object.hasOwn(groups, name))).toEqual([]);
  });

  test('names only tools that exist', () => {
    const called = named(text, /`(?:#?loci_)?([a-z]+(?:_[a-z]+)+)\(/g);
    expect(called.filter((name) => !tools.some((tool) => tool.name === name))).toEqual([]);
  });
});

test('every page is reached from the first', () => {
  const reached = new Set(['README.md']);
  for (const page of reached) for (const link of named(textOf(page), /\]\(([\w-]+\.md)/g)) reached.add(link);
  expect(pages.filter((page) => !reached.has(page))).toEqual([]);
});

test('every tool and setting is told of', () => {
  const all = pages.map(textOf).join('\n');
  expect(tools.filter(({ name }) => !all.includes(name)).map(({ name }) => name)).toEqual([]);
  expect(Object.keys(settingsShape).filter((name) => !all.includes(`loci.${name}`))).toEqual([]);
});
