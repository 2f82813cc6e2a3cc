import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createDependencies } from '../../../src/core/docs/dependencies/dependencies.ts';
import { docComments } from '../../../src/core/docs/dependencies/doc-comments.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci-dependencies-'));
  made.push(folder);
  return folder;
}

function put(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const npm = (name: string, version: string, more: object = {}) => JSON.stringify({ name, version, ...more });

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

/** Gathers for a workspace, and gives the base's folder. */
async function gathered(workspace: string, storage = temporary()): Promise<string> {
  const logged: string[] = [];
  const dependencies = createDependencies({ changed: async () => {}, log: (message) => logged.push(message) });
  await dependencies.configure({ enabled: true, storage, folders: [{ name: 'ws', path: workspace }] });
  await dependencies.settled();
  expect(logged).toEqual([]);
  return dependencies.bases(1_000_000)[0]!.root;
}

describe('documents of dependencies', () => {
  test('are those of the installed version: README, changelog, docs and doc comments, not code or licence', async () => {
    const workspace = temporary();
    put(workspace, {
      'package.json': npm('app', '1.0.0', {
        dependencies: { tide: '^2.0.0', gone: '1.0.0' },
        devDependencies: { '@sea/salt': '*' },
      }),
      'node_modules/tide/package.json': npm('tide', '2.3.1', { dependencies: { deep: '1' } }),
      'node_modules/tide/README.md': '# Tide\n',
      'node_modules/tide/CHANGELOG': '2.3.1: faster\n',
      'node_modules/tide/LICENSE.md': 'MIT',
      'node_modules/tide/docs/guide/start.md': '# Start\n',
      'node_modules/tide/index.js': 'module.exports = 1',
      'node_modules/tide/lib/index.d.ts':
        '/** Height of the tide, in metres. */\nexport declare function height(at: Date): number;\n',
      'node_modules/tide/lib/index.d.cts':
        '/** The same again. */\nexport declare function height(at: Date): number;\n',
      'node_modules/deep/package.json': npm('deep', '1.0.0'),
      'node_modules/deep/README.md': '# Deep\n',
      'node_modules/@sea/salt/package.json': npm('@sea/salt', '0.1.0'),
      'node_modules/@sea/salt/readme.md': '# Salt\n',
    });
    const root = await gathered(workspace);
    expect(below(root)).toEqual([
      'README.md',
      'npm/@sea/salt@0.1.0/readme.md',
      'npm/tide@2.3.1/CHANGELOG.md',
      'npm/tide@2.3.1/README.md',
      'npm/tide@2.3.1/docs/guide/start.md',
      'npm/tide@2.3.1/types/lib/index.d.ts.md',
    ]);
    const types = readFileSync(join(root, 'npm/tide@2.3.1/types/lib/index.d.ts.md'), 'utf8');
    expect(types).toBe(
      '# tide 2.3.1: lib/index.d.ts\n\n## height\n\n```ts\nexport declare function height(at: Date): number\n```\n\nHeight of the tide, in metres.\n',
    );
    const coverage = readFileSync(join(root, 'README.md'), 'utf8');
    expect(coverage).toContain('| tide | 2.3.1 | npm | 4 | 1 |  |');
    expect(coverage).toContain('- gone, wanted by package.json');
  });

  test('follow an update, and leave what is no longer installed', async () => {
    const workspace = temporary();
    const storage = temporary();
    put(workspace, {
      'package.json': npm('app', '1.0.0', { dependencies: { tide: '*' } }),
      'node_modules/tide/package.json': npm('tide', '1.0.0'),
      'node_modules/tide/README.md': 'one',
    });
    await gathered(workspace, storage);
    put(workspace, { 'node_modules/tide/package.json': npm('tide', '2.0.0'), 'node_modules/tide/README.md': 'two' });
    const root = await gathered(workspace, storage);
    expect(below(root)).toEqual(['README.md', 'npm/tide@2.0.0/README.md']);
  });

  test('of a monorepo are found from each package, its own packages left out', async () => {
    const workspace = temporary();
    put(workspace, {
      'packages/a/package.json': npm('a', '1.0.0', { dependencies: { tide: '*', b: '*' } }),
      'packages/a/node_modules/tide/package.json': npm('tide', '3.0.0'),
      'packages/a/node_modules/tide/README.md': 'three',
      'packages/b/package.json': npm('b', '1.0.0', { dependencies: { tide: '*' } }),
      'packages/b/README.md': 'own',
      'node_modules/tide/package.json': npm('tide', '2.0.0'),
      'node_modules/tide/README.md': 'two',
    });
    symlinkSync(join(workspace, 'packages/b'), join(workspace, 'node_modules/b'));
    expect(below(await gathered(workspace))).toEqual([
      'README.md',
      'npm/tide@2.0.0/README.md',
      'npm/tide@3.0.0/README.md',
    ]);
  });

  test('of a virtual environment are those that were asked for', async () => {
    const workspace = temporary();
    const site = '.venv/lib/python3.12/site-packages';
    const metadata = (name: string) =>
      `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.2\nSummary: About ${name}\n\n# ${name}\n\nUse it.\n`;
    put(workspace, {
      '.venv/pyvenv.cfg': '',
      [`${site}/brine-1.2.dist-info/METADATA`]: metadata('brine'),
      [`${site}/brine-1.2.dist-info/REQUESTED`]: '',
      [`${site}/helper-1.2.dist-info/METADATA`]: metadata('helper'),
    });
    const root = await gathered(workspace);
    expect(below(root)).toEqual(['README.md', 'python/brine@1.2/README.md']);
    expect(readFileSync(join(root, 'python/brine@1.2/README.md'), 'utf8')).toBe(
      '# brine 1.2\n\nAbout brine\n\n# brine\n\nUse it.\n',
    );
  });

  test('a hostile manifest or package costs itself alone', async () => {
    const workspace = temporary();
    put(workspace, {
      'package.json': npm('app', '1.0.0', { dependencies: { '../../../etc': '*', '..': '*', bad: '*', tide: '*' } }),
      'sub/package.json': '{ not json',
      'node_modules/bad/package.json': npm('bad', '../../../../x'),
      'node_modules/bad/README.md': 'x'.repeat(2_000_000),
      'node_modules/tide/package.json': npm('tide', '1.0.0'),
      'node_modules/tide/README.md': 'one',
      'node_modules/tide/index.d.ts': '/** '.repeat(100_000),
    });
    const storage = temporary();
    const root = await gathered(workspace, storage);
    expect(below(root)).toEqual(['README.md', 'npm/tide@1.0.0/README.md']);
    expect(readdirSync(storage)).toEqual(['dependencies']);
  });

  test('are not gathered unless the setting is on', async () => {
    const storage = temporary();
    const dependencies = createDependencies({ changed: async () => {}, log: () => {} });
    await dependencies.configure({ enabled: false, storage, folders: [{ name: 'ws', path: temporary() }] });
    expect(dependencies.bases(1)).toEqual([]);
    expect(readdirSync(storage)).toEqual([]);
  });
});

test('doc comments come with the declaration they stand before', () => {
  const source = `/** Not before a declaration. */
/**
 * A tide table.
 *
 * @example
 * new Table()
 */
export interface Table<T extends Row = Row> {
  /** Rows, by time. */
  readonly rows: T[];
  /** @internal */
  secret: number;
}
/** Unclosed`;
  expect(docComments(source)).toEqual([
    { declaration: 'export interface Table<T extends Row = Row>', text: 'A tide table.\n\n@example\nnew Table()' },
    { declaration: 'readonly rows: T[]', text: 'Rows, by time.' },
  ]);
});
