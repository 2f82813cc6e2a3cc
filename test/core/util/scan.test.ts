import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isCredentialStore } from '../../../src/core/util/paths.ts';
import { membership, type ScanRoot, scan } from '../../../src/core/util/scan.ts';

const isDocument = (path: string) => path.endsWith('.md');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loci scan ü-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text = 'x') => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const base = (more: Partial<ScanRoot> = {}): ScanRoot => ({
  root,
  exclude: [],
  maxBytes: 1000,
  ...more,
});
const pathsOf = async (more: Partial<ScanRoot> = {}) =>
  (await scan(base(more), isDocument)).files.map((file) => file.path);

test('takes documents only, sorted, with their size', async () => {
  put('b.md', 'four');
  put('a b/漢字.md');
  put('code.ts');
  put('node_modules/x/readme.md');
  put('.git/notes.md');
  const { files, skipped } = await scan(base(), isDocument);
  expect(files.map(({ path, size }) => [path, size])).toEqual([
    ['a b/漢字.md', 1],
    ['b.md', 4],
  ]);
  expect(skipped).toEqual([]);
});

describe('.gitignore', () => {
  test('nested files add to and take back what those above say', async () => {
    put('.gitignore', 'drafts/\n*.gen.md\n');
    put('sub/.gitignore', '!keep.gen.md\nlocal.md\n');
    for (const path of ['drafts/a.md', 'x.gen.md', 'sub/keep.gen.md', 'sub/local.md', 'local.md', 'sub/y.gen.md'])
      put(path);
    expect(await pathsOf()).toEqual(['local.md', 'sub/keep.gen.md']);
  });

  test('those above the root count, up to the repository', async () => {
    put('.gitignore', 'outer.md\n');
    mkdirSync(join(root, 'repo/.git'), { recursive: true });
    put('repo/.gitignore', 'secret.md\n/docs/only-here.md\n');
    for (const path of ['outer.md', 'secret.md', 'only-here.md', 'a.md']) put(`repo/docs/${path}`);
    expect(await pathsOf({ root: join(root, 'repo/docs') })).toEqual(['a.md', 'outer.md']);
  });

  test('a folder named as a base is read although its repository ignores it', async () => {
    mkdirSync(join(root, '.git'));
    put('.gitignore', 'build/\n');
    put('build/docs/a.md');
    expect(await pathsOf({ root: join(root, 'build/docs') })).toEqual(['a.md']);
    expect(await pathsOf()).toEqual([]);
  });
});

test('globs leave out files and folders, and include takes other kinds', async () => {
  put('docs/archive/old.md');
  put('docs/new.md');
  put('sql/view.sql');
  expect(await pathsOf({ exclude: ['docs/archive'] })).toEqual(['docs/new.md']);
  expect(await pathsOf({ exclude: ['**/archive/**'] })).toEqual(['docs/new.md']);
  expect(await pathsOf({ include: ['**/*.sql'] })).toEqual(['sql/view.sql']);
});

test('a single file is a base', async () => {
  put('guide.md');
  put('other.md');
  expect(await pathsOf({ root: join(root, 'guide.md') })).toEqual(['guide.md']);
});

test('files over the size cap are reported, not silently left out', async () => {
  put('big.md', 'x'.repeat(1001));
  put('fits.md', 'x'.repeat(1000));
  const { files, skipped } = await scan(base(), isDocument);
  expect(files.map((file) => file.path)).toEqual(['fits.md']);
  expect(skipped).toMatchObject([{ path: 'big.md', reason: 'too_large' }]);
});

test('links: loops end, what leads outside is reported, what leads inside is met once', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'loci outside-'));
  try {
    writeFileSync(join(outside, 'x.md'), 'x');
    put('docs/a.md');
    symlinkSync('.', join(root, 'docs/loop'));
    symlinkSync('self.md', join(root, 'self.md'));
    symlinkSync('docs/a.md', join(root, 'inside.md'));
    symlinkSync(join(outside, 'x.md'), join(root, 'out.md'));
    symlinkSync(outside, join(root, 'more'));
    symlinkSync('nowhere.md', join(root, 'broken.md'));
    const { files, skipped } = await scan(base(), isDocument);
    expect(files.map((file) => file.path)).toEqual(['docs/a.md']);
    expect(skipped.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
      'more link_outside',
      'out.md link_outside',
    ]);
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
});

test('credential stores are never read', async () => {
  expect(isCredentialStore(join(homedir(), '.ssh'))).toBe(true);
  expect(isCredentialStore(join(homedir(), '.aws/deep/er'))).toBe(true);
  expect(isCredentialStore(join(homedir(), '.sshx'))).toBe(false);
  expect(isCredentialStore(join(homedir(), 'docs'))).toBe(false);
  const home = process.env.HOME;
  try {
    process.env.HOME = root;
    put('.ssh/notes.md');
    put('docs/a.md');
    const whole = await scan(base(), isDocument);
    expect(whole.files.map((file) => file.path)).toEqual(['docs/a.md']);
    expect(whole.skipped).toMatchObject([{ path: '.ssh', reason: 'credential_store' }]);
    const alone = await scan(base({ root: join(root, '.ssh') }), isDocument);
    expect(alone).toMatchObject({ files: [], skipped: [{ reason: 'credential_store' }] });
  } finally {
    process.env.HOME = home;
  }
});

test('a missing root is an error, an aborted scan stops', async () => {
  await expect(scan(base({ root: join(root, 'none') }), isDocument)).rejects.toThrow(/ENOENT/);
  await expect(scan(base(), isDocument, AbortSignal.abort())).rejects.toThrow(/abort/i);
});

test('membership knows a path without listing', () => {
  const { file, folder } = membership(base({ exclude: ['drafts/**'] }), isDocument);
  expect(file('a/b.md')).toBe(true);
  expect(file('drafts/b.md')).toBe(false);
  expect(folder('a/node_modules')).toBe(false);
});

test('files of keys and passwords are refused and reported, even where a glob takes them', async () => {
  const secret = ['.env', '.env.production', '.netrc', '.npmrc', '.bash_history', 'id_rsa', 'proj/server.pem'];
  const open = ['.env.example', 'environment.txt', 'id_rsa.pub', 'pem.txt'];
  for (const path of [...secret, ...open]) put(path);
  const { files, skipped } = await scan(base({ include: ['**/*'] }), isDocument);
  expect(files.map(({ path }) => path).sort()).toEqual([...open].sort());
  expect(skipped.map(({ path, reason }) => [path, reason]).sort()).toEqual(
    secret.map((path) => [path, 'credential_store']).sort(),
  );
});

test('the operating system’s own folders are no knowledge bases', async () => {
  expect((await scan(base({ root: '/etc', include: ['**/*'] }), isDocument)).files).toEqual([]);
});
