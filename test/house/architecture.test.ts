import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

interface Import {
  readonly from: string;
  /** A path in the project, or a package's name. */
  readonly to: string;
  readonly isFile: boolean;
}

/** Every import of a file, type imports and dynamic ones too. */
function importsOf(file: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith('.')
      ? { from: file, to: normalize(join(dirname(file), fileName)), isFile: true }
      : { from: file, to: packageName(fileName), isFile: false },
  );
}

function packageName(name: string): string {
  if (name.startsWith('node:') || builtinModules.includes(name)) return 'node:*';
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

const imports = files.flatMap(importsOf);

/** The room a file belongs to: where the table of import directions has a row for it. */
function room(path: string): string {
  const parts = path.split('/');
  if (parts.length === 2) return 'door';
  if (parts[1] === 'core') {
    if (parts.length > 3) return `core/${parts[2]}`;
    return /^(?:app|worker-app)\.ts$/.test(parts[2]!) ? 'core/app' : 'core';
  }
  if (parts[1] === 'tools') return parts.length > 3 ? 'tools/group' : 'tools';
  return parts[1]!;
}

/** The domains of the core: none knows another; what one needs of a sibling it is given. */
const domains = [
  'advisor',
  'capabilities',
  'chat',
  'docs',
  'goals',
  'graph',
  'indexes',
  'kb',
  'local',
  'runtime',
  'skills',
  'sql',
  'threads',
  'wiki',
].map((name) => `core/${name}`);

/** Rooms each room may import from, besides itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  door: ['core/app', 'core', 'core/util', 'core/sql', 'node', 'vscode', 'tools'],
  vscode: ['core/app', 'core', 'core/util', ...domains, 'tools'],
  node: ['core/app', 'core', 'core/util', ...domains, 'tools'],
  tools: ['core/app', 'core', 'core/util', 'core/redact', ...domains, 'tools/group'],
  'tools/group': ['tools', 'core', 'core/util'],
  'core/app': ['core', 'core/util', 'core/search', 'core/redact', ...domains],
  core: ['core/util'],
  ...Object.fromEntries(domains.map((domain) => [domain, ['core', 'core/util', 'core/search', 'core/redact']])),
  'core/redact': ['core', 'core/util'],
  'core/search': ['core', 'core/util'],
  'core/util': ['core'],
  build: ['core', 'core/app', 'core/search', 'tools', 'tools/group', 'vscode'],
};

describe('imports point down', () => {
  test('the walk sees the whole project', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports.filter(({ isFile }) => isFile).length).toBeGreaterThan(200);
  });

  test('each room imports only from the rooms it may', () => {
    const wrong = imports.filter(({ from, to, isFile }) => {
      const [here, there] = [room(from), room(to)];
      return isFile && here !== there && !allowed[here]?.includes(there);
    });
    expect(wrong).toEqual([]);
  });

  test('no door and no tool imports another', () => {
    const siblings = imports.filter(
      ({ from, to, isFile }) => isFile && room(from) === room(to) && ['door', 'tools/group'].includes(room(from)),
    );
    expect(siblings).toEqual([]);
  });

  test('nothing but the scripts imports build/', () => {
    expect(imports.filter(({ from, to, isFile }) => isFile && room(to) === 'build' && room(from) !== 'build')).toEqual(
      [],
    );
  });

  test('only the VS Code door knows the editor, and tools know neither Node nor Orama', () => {
    const users = (name: string) => imports.filter(({ to }) => to === name).map(({ from }) => from);
    expect(users('vscode').filter((file) => room(file) !== 'vscode' && file !== 'src/extension.ts')).toEqual([]);
    const inTools = imports.filter(({ from, isFile }) => !isFile && room(from).startsWith('tools'));
    expect(inTools.filter(({ to }) => to !== 'zod')).toEqual([]);
  });

  test('each package has one owner folder', () => {
    const owners = new Map<string, Set<string>>();
    for (const { from, to, isFile } of imports) {
      if (isFile || ['node:*', 'zod', 'vscode'].includes(to) || room(from) === 'build') continue;
      owners.set(to, (owners.get(to) ?? new Set()).add(dirname(from).split('/').slice(0, 3).join('/')));
    }
    expect([...owners].filter(([, folders]) => folders.size > 1).map(([name]) => name)).toEqual([]);
  });
});

describe('files', () => {
  const lengthOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1;

  test('are at most 300 lines long, doors at most 60', () => {
    const limit = (file: string) => (room(file) === 'door' ? 60 : 300);
    expect(files.filter((file) => lengthOf(file) > limit(file))).toEqual([]);
  });

  test('have kebab-case names that say what they hold', () => {
    const names = files.map((file) => file.split('/').at(-1)!);
    expect(names.filter((name) => !/^[a-z][a-z0-9-]*\.ts$/.test(name))).toEqual([]);
    expect(names.filter((name) => /^(?:utils?|helpers?|constants|common|misc)\.ts$/.test(name))).toEqual([]);
  });
});
