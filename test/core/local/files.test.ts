import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { machine } from './machine.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value), 'utf8');

describe('read', () => {
  const pc = machine({
    'a.txt': 'one\ntwo\nthree\n',
    'no-end.txt': 'one\r\ntwo',
    'empty.txt': '',
    'utf16.txt': Buffer.from('\ufeffgrüße\nzwei', 'utf16le'),
    'bom.txt': '\ufeffx\n',
    'binary.bin': new Uint8Array([1, 2, 0, 4]),
    'long.txt': `${'ä'.repeat(9000)}\nnext`,
    'many.txt': Array.from({ length: 3000 }, (_, i) => `line ${i + 1}`).join('\n'),
  });

  test('a window of lines', async () => {
    expect(await pc.files('read', { path: 'a.txt' })).toMatchObject({
      status: 'ok',
      path: join(pc.home, 'a.txt'),
      content: 'one\ntwo\nthree\n',
      total_lines: 3,
      lines: 3,
      has_more: false,
    });
    expect(await pc.files('read', { path: '~/a.txt', start_line: 2, max_lines: 1 })).toMatchObject({
      content: 'two\n',
      has_more: true,
      next_start_line: 3,
    });
    expect(await pc.files('read', { path: 'a.txt', start_line: 9 })).toMatchObject({ content: '', has_more: false });
  });

  test.each([
    ['no-end.txt', 'one\r\ntwo', 2],
    ['empty.txt', '', 0],
    ['utf16.txt', 'grüße\nzwei', 2],
    ['bom.txt', 'x\n', 1],
  ])('%s as it stands', async (path, content, total_lines) => {
    expect(await pc.files('read', { path })).toMatchObject({ content, total_lines, has_more: false });
  });

  test.each(['long.txt', 'many.txt'])('%s in pages that add up to the whole', async (path) => {
    let [whole, start_line, start_char] = ['', 1, 0];
    for (let pages = 0; pages < 50; pages++) {
      const page = await pc.files('read', { path, start_line, start_char, max_lines: 2000 });
      expect(bytes(page)).toBeLessThan(8000);
      whole += page.content;
      if (!page.has_more) break;
      start_line = page.next_start_line;
      start_char = page.next_start_char ?? 0;
    }
    expect(whole).toBe(readFileSync(join(pc.home, path), 'utf8'));
  });

  test('a file of any lines in any windows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.constant('é'.repeat(5000))), { maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        async (lines, max_lines) => {
          const text = lines.map((line) => line.replace(/[\0\ufeff]/g, '').toWellFormed()).join('\n');
          pc.write({ 'any.txt': text });
          let [whole, start_line, start_char] = ['', 1, 0];
          for (let pages = 0; pages < 100; pages++) {
            const page = await pc.files('read', { path: 'any.txt', start_line, start_char, max_lines });
            whole += page.content;
            if (!page.has_more) break;
            start_line = page.next_start_line;
            start_char = page.next_start_char ?? 0;
          }
          expect(whole).toBe(text);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('a large file without reading it whole', async () => {
    pc.write({ 'large.log': 'first\nsecond\n' });
    truncateSync(join(pc.home, 'large.log'), 300 * 1024 * 1024);
    expect(await pc.files('read', { path: 'large.log' })).toMatchObject({ status: 'refused' });
    pc.write({ 'large.log': 'x'.repeat(200_000).concat('\n', 'tail\n') });
    expect(await pc.files('read', { path: 'large.log', start_line: 2 })).toMatchObject({ content: 'tail\n' });
  });

  test.each([
    ['binary.bin', 'refused'],
    ['', 'refused'],
    ['missing.txt', 'not_found'],
    ['a.txt/x', 'not_found'],
    ['a\0b', 'refused'],
    ['~root/x', 'refused'],
    ['/dev/zero', 'refused'],
    ['/proc/self/environ', 'refused'],
    ['/proc/self/root/etc/passwd', 'refused'],
    ['/dev/fd/0', 'refused'],
    ['/etc/shadow', 'refused'],
  ])('%j is %s', async (path, status) => {
    expect(await pc.files('read', { path })).toMatchObject({
      status,
      message: expect.any(String),
      next_step: expect.any(String),
    });
  });

  test.runIf(process.platform !== 'win32')('a pipe does not block', async () => {
    execFileSync('mkfifo', [join(pc.home, 'pipe')]);
    expect(await pc.files('read', { path: 'pipe' })).toMatchObject({ status: 'refused' });
  });

  test('links in a circle and to nowhere', async () => {
    symlinkSync('loop', join(pc.home, 'loop'));
    symlinkSync('nothing', join(pc.home, 'dangling'));
    expect(await pc.files('read', { path: 'loop' })).toMatchObject({ status: 'refused' });
    expect(await pc.files('read', { path: 'dangling' })).toMatchObject({ status: 'refused' });
  });
});

const secrets = [
  ...[
    '.ssh/id_ed25519',
    '.ssh/config',
    '.aws/credentials',
    '.azure/msal_token_cache.json',
    '.gnupg/key',
    '.kube/config',
  ],
  ...['.config/gcloud/credentials.db', '.config/gh/hosts.yml', '.docker/config.json', '.netrc', '.git-credentials'],
  ...['.databrickscfg', '.snowflake/config.toml', '.snowsql/config', '.dbt/profiles.yml', '.npmrc', '.pypirc'],
  ...['.terraform.d/credentials.tfrc.json', '.terraformrc', '.cargo/credentials.toml', '.m2/settings.xml'],
  ...['.gradle/gradle.properties', '.gem/credentials', '.vault-token', '.oci/config', '.config/op/config'],
  ...[
    '.claude/.credentials.json',
    '.claude.json',
    '.codex/auth.json',
    '.env',
    'p/.env',
    'p/.env.production',
    'p/.envrc',
  ],
  ...['.mozilla/firefox/x/cookies.sqlite', '.config/google-chrome/Default/Cookies', 'Library/Keychains/login.keychain'],
  ...['Library/Application Support/Google/Chrome/Default/Cookies', 'Library/Cookies/c', 'Library/Safari/History.db'],
  ...['AppData/Roaming/Microsoft/Credentials/x', 'AppData/Local/Google/Chrome/User Data/Default/Cookies'],
  ...['AppData/Roaming/Mozilla/Firefox/x', 'AppData/Roaming/GitHub CLI/hosts.yml', 'AppData/Roaming/gcloud/x'],
  ...['.loci/index.db', '.loci/logs/x.log', 'x/.ssh/id_rsa', 'backup/id_rsa'],
];

describe('closed', () => {
  const pc = machine({
    ...Object.fromEntries(secrets.map((path) => [path, 'hunter2 secret\n'])),
    'p/.env.example': 'A=\n',
    'p/open.txt': 'hunter2 open\n',
    '.claude/skills/s/SKILL.md': 'x\n',
    '.codex/config.toml': 'x\n',
    'Slides.key': 'x\n',
  });

  test.each(secrets)('%s cannot be read, written, moved or deleted', async (path) => {
    for (const each of [path, `./p/../${path}`, `~/${path}`]) {
      const answer = await pc.files('read', { path: each });
      expect(answer).toMatchObject({ status: 'refused' });
      expect(JSON.stringify(answer)).not.toContain('hunter2');
    }
    expect(await pc.files('write', { path, content: 'x', overwrite: true })).toMatchObject({ status: 'refused' });
    expect(await pc.files('delete', { path })).toMatchObject({ status: 'refused' });
    expect(await pc.files('move', { path, destination: 'out.txt' })).toMatchObject({ status: 'refused' });
    expect(await pc.files('move', { path: 'p/open.txt', destination: path })).toMatchObject({ status: 'refused' });
    expect(await pc.confirm('write', { path, content: 'x' })).toBeUndefined();
    expect(readFileSync(join(pc.home, path), 'utf8')).toBe('hunter2 secret\n');
  });

  test.each(['p/.env.example', '.claude/skills/s/SKILL.md', '.codex/config.toml', 'Slides.key'])(
    '%s is open',
    async (path) => {
      expect(await pc.files('read', { path })).toMatchObject({ status: 'ok' });
    },
  );

  test('links to what is closed are closed: of files, of folders, in the middle of a path', async () => {
    symlinkSync(join(pc.home, '.ssh/config'), join(pc.home, 'p/link.txt'));
    symlinkSync('../.ssh', join(pc.home, 'p/folder'));
    symlinkSync('/proc/self/environ', join(pc.home, 'p/environ'));
    for (const path of ['p/link.txt', 'p/folder/config', 'p/folder', 'p/environ']) {
      expect(await pc.files('read', { path })).toMatchObject({ status: 'refused' });
      expect(await pc.files('list', { path })).toMatchObject({ status: 'refused' });
      expect(await pc.files('search', { path, pattern: 'hunter2' })).toMatchObject({ status: 'refused' });
    }
    expect(await pc.files('write', { path: 'p/folder/authorized_keys', content: 'x' })).toMatchObject({
      status: 'refused',
    });
    expect(await pc.files('write', { path: 'p/link.txt', content: 'x', overwrite: true })).toMatchObject({
      status: 'refused',
    });
  });

  test('another name of a closed file is closed', async () => {
    linkSync(join(pc.home, '.aws/credentials'), join(pc.home, 'p/hard.txt'));
    linkSync(join(pc.home, 'p/open.txt'), join(pc.home, 'p/open2.txt'));
    expect(await pc.files('read', { path: 'p/hard.txt' })).toMatchObject({ status: 'refused' });
    expect(await pc.files('read', { path: 'p/open2.txt' })).toMatchObject({ status: 'ok' });
    const found = await pc.files('search', { path: 'p', pattern: 'hunter2', include_hidden: true });
    expect(found.matches.map(({ path }: { path: string }) => path).sort()).toEqual(['open.txt', 'open2.txt']);
  });

  test('a store that is itself a link is closed where it lies', async () => {
    const linked = machine({ 'vault/ssh/id': 'hunter2\n' });
    symlinkSync(join(linked.home, 'vault/ssh'), join(linked.home, '.ssh'));
    expect(await linked.files('read', { path: 'vault/ssh/id' })).toMatchObject({ status: 'refused' });
  });

  test('a search from the home folder shows nothing closed and says so', async () => {
    const found = await pc.files('search', { pattern: 'hunter2', include_hidden: true });
    expect(new Set(found.matches.map(({ path }: { path: string }) => path))).toEqual(
      new Set(['p/open.txt', 'p/open2.txt']),
    );
    expect(found.notes.join(' ')).toMatch(/closed files or folders/);
    const named = await pc.files('find', { pattern: 'id_rsa', include_hidden: true });
    expect(named.paths).toEqual([]);
  });

  test('a folder that holds closed files is not moved', async () => {
    expect(await pc.files('move', { path: '.config', destination: 'open' })).toMatchObject({ status: 'refused' });
    expect(pc.has('.config/gh/hosts.yml')).toBe(true);
  });

  test('a person can open credential stores, but not the data of Loci', async () => {
    const open = machine({ '.ssh/config': 'x\n', '.env': 'x\n', '.loci/index.db': 'x\n' }, { blockCredentials: false });
    expect(await open.files('read', { path: '.ssh/config' })).toMatchObject({ status: 'ok' });
    expect(await open.files('read', { path: '.env' })).toMatchObject({ status: 'ok' });
    expect(await open.files('read', { path: '.loci/index.db' })).toMatchObject({ status: 'refused' });
  });

  test('without trust nothing is available', async () => {
    const untrusted = machine({ 'a.txt': 'x' }, { trusted: false });
    expect(await untrusted.files('read', { path: 'a.txt' })).toMatchObject({ status: 'unavailable' });
    expect(await untrusted.confirm('delete', { path: 'a.txt' })).toBeUndefined();
    expect(await untrusted.files('delete', { path: 'a.txt' })).toMatchObject({ status: 'unavailable' });
    expect(untrusted.has('a.txt')).toBe(true);
  });
});

describe('list, find and search', () => {
  const pc = machine({
    'docs/a.md': 'Alpha TODO one\nnothing\ntodo two\n',
    'docs/b.py': '# TODO python\n',
    'docs/.hidden.md': 'TODO hidden\n',
    'docs/deep/er/c.md': 'x\n'.repeat(50).concat('TODO deep\n'),
    'docs/node_modules/m/d.md': 'TODO module\n',
    'docs/image.png': new Uint8Array([0x89, 0, 1, 0x54, 0x4f, 0x44, 0x4f]),
    'docs/wide.md': Buffer.from('\ufeffTODO wide', 'utf16le'),
    'docs/min.js': `${'a'.repeat(5000)}TODO${'b'.repeat(5000)}`,
    ...Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`full/${'f'.repeat(40)}-${i}.txt`, 'needle\n'])),
  });
  const found = (answer: { matches: { path: string; line: number }[] }) =>
    answer.matches.map(({ path, line }) => `${path}:${line}`);

  test('a search ignores letter case, hidden files and packages, and says what it left out', async () => {
    const answer = await pc.files('search', { path: 'docs', pattern: 'todo' });
    expect(found(answer)).toEqual(['a.md:1', 'a.md:3', 'b.py:1', 'min.js:1', 'wide.md:1', 'deep/er/c.md:51']);
    expect(answer.notes.join(' ')).toMatch(/1 folders of packages/);
    expect(answer.matches[3].text.length).toBeLessThan(400);
    expect(answer.matches[3].text).toContain('TODO');
    const hidden = await pc.files('search', { path: 'docs', pattern: 'TODO', include_hidden: true, file_glob: '*.md' });
    expect(found(hidden)).toEqual(['.hidden.md:1', 'a.md:1', 'a.md:3', 'wide.md:1', 'deep/er/c.md:51']);
    expect(found(await pc.files('search', { path: 'docs/node_modules', pattern: 'todo' }))).toEqual(['m/d.md:1']);
    expect(found(await pc.files('search', { path: 'docs/b.py', pattern: 'python' }))).toEqual([
      `${join(pc.home, 'docs/b.py')}:1`,
    ]);
  });

  test('a regular expression, and one that would never end', async () => {
    const answer = await pc.files('search', { path: 'docs', pattern: '^#\\s+todo', regex: true });
    expect(found(answer)).toEqual(['b.py:1']);
    pc.write({ 'evil/a.txt': `${'a'.repeat(60)}!` });
    expect(await pc.files('search', { path: 'evil', pattern: '(a+)+$', regex: true })).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('took longer'),
    });
    expect(await pc.files('search', { path: 'docs', pattern: '(', regex: true })).toMatchObject({ status: 'refused' });
    expect(await pc.files('search', { path: 'docs', pattern: '' })).toMatchObject({ status: 'refused' });
  });

  test('find by part of a name and by glob', async () => {
    const find = async (pattern: string) =>
      (await pc.files('find', { path: 'docs', pattern })).paths.map((path: string) => path.slice(pc.home.length + 6));
    expect(await find('*.md')).toEqual(['a.md', 'wide.md', 'deep/er/c.md']);
    expect(await find('DEEP')).toEqual(['deep/']);
    expect(await find('{a,b}.*')).toEqual(['a.md', 'b.py']);
    expect(await find('deep/*.md')).toEqual(['deep/er/c.md']);
  });

  test.each([
    ['list', 'entries', { path: 'full' }],
    ['find', 'paths', { path: 'full', pattern: '*' }],
    ['search', 'matches', { path: 'full', pattern: 'needle', max_results: 1000 }],
  ] as const)('%s pages through everything once', async (action, field, input) => {
    const seen: string[] = [];
    for (let offset = 0; ; ) {
      const page = await pc.files(action, { ...input, offset });
      expect(bytes(page)).toBeLessThan(8000);
      seen.push(...page[field].map((item: unknown) => JSON.stringify(item)));
      if (!page.has_more) break;
      offset = page.next_offset;
    }
    expect(seen).toHaveLength(500);
    expect(new Set(seen).size).toBe(500);
  });

  test('a list says what each entry is', async () => {
    const { entries, hidden_left_out, own_folder } = await pc.files('list', { path: 'docs' });
    expect(entries.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`)).toContain('deep folder');
    expect(entries.find(({ name }: { name: string }) => name === 'b.py')).toMatchObject({ type: 'file', size: 14 });
    expect(hidden_left_out).toBe(1);
    expect(own_folder).toBe(pc.own);
    expect(await pc.files('list', { path: 'docs/a.md' })).toMatchObject({ status: 'refused' });
    expect(await pc.files('list', { path: 'nowhere' })).toMatchObject({ status: 'not_found' });
  });

  test('an aborted search stops', async () => {
    await expect(pc.files('search', { pattern: 'x' }, AbortSignal.abort())).rejects.toThrow();
  });

  test('links are met, not followed', async () => {
    symlinkSync('..', join(pc.home, 'docs/deep/up'));
    expect((await pc.files('find', { path: 'docs', pattern: 'c.md' })).paths).toHaveLength(1);
    rmSync(join(pc.home, 'docs/deep/up'));
  });
});

describe('write, delete and move', () => {
  const pc = machine({ 'a.txt': 'old\n', 'full/x.txt': 'x', 'run.sh': '#!/bin/sh\n' });

  test('ask first, with the real path and the content', async () => {
    symlinkSync('full', join(pc.home, 'alias'));
    const question = await pc.confirm('write', { path: 'alias/new.md', content: 'Hi ```` there' });
    expect(question).toMatchObject({ title: 'Write this file?' });
    expect(question?.message).toContain(join(pc.home, 'full/new.md'));
    expect(question?.message).toMatch(/^`{5}$/m);
    expect(await pc.confirm('write', { path: 'a.txt', content: 'x', overwrite: true })).toMatchObject({
      title: 'Replace this file?',
    });
    expect(await pc.confirm('delete', { path: 'a.txt' })).toMatchObject({ title: 'Delete this file?' });
    expect(await pc.confirm('move', { path: 'a.txt', destination: 'b.txt' })).toMatchObject({
      title: 'Move this file?',
    });
    for (const action of ['list', 'read', 'search', 'find'] as const) {
      expect(await pc.confirm(action, { path: 'a.txt', pattern: 'x' })).toBeUndefined();
    }
  });

  test('inside the own folder nothing is asked', async () => {
    const path = join(pc.own, 'notes/today.md');
    expect(await pc.confirm('write', { path, content: 'x' })).toBeUndefined();
    expect(await pc.files('write', { path, content: 'x' })).toMatchObject({ status: 'ok', path, bytes: 1 });
    expect(await pc.files('read', { path })).toMatchObject({ content: 'x' });
    expect(await pc.confirm('move', { path, destination: join(pc.own, 'b.md') })).toBeUndefined();
    expect(await pc.confirm('move', { path, destination: 'b.md' })).toBeDefined();
    expect(await pc.confirm('delete', { path })).toBeUndefined();
    symlinkSync(pc.home, join(pc.own, 'out'));
    expect(await pc.confirm('write', { path: join(pc.own, 'out/x.md'), content: 'x' })).toBeDefined();
  });

  test('a path that leads elsewhere since it was confirmed is refused', async () => {
    symlinkSync(join(pc.home, 'full'), join(pc.home, 'here'));
    const input = { path: 'here/y.txt', content: 'x' };
    await pc.confirm('write', input);
    rmSync(join(pc.home, 'here'));
    symlinkSync(pc.home, join(pc.home, 'here'));
    expect(await pc.files('write', input)).toMatchObject({ status: 'refused' });
    expect(pc.has('y.txt')).toBe(false);
  });

  test('writing is all or nothing and replaces only when told', async () => {
    expect(await pc.files('write', { path: 'a.txt', content: 'new' })).toMatchObject({ status: 'refused' });
    expect(readFileSync(join(pc.home, 'a.txt'), 'utf8')).toBe('old\n');
    expect(await pc.files('write', { path: 'a.txt', content: 'new', overwrite: true })).toMatchObject({ status: 'ok' });
    expect(readFileSync(join(pc.home, 'a.txt'), 'utf8')).toBe('new');
    chmodSync(join(pc.home, 'run.sh'), 0o755);
    await pc.files('write', { path: 'run.sh', content: '#!/bin/bash\n', overwrite: true });
    expect(statSync(join(pc.home, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(await pc.files('write', { path: 'new/folder/f.txt', content: '' })).toMatchObject({
      status: 'ok',
      bytes: 0,
    });
    const names = (await pc.files('list', { include_hidden: true })).entries.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name.includes('.tmp'))).toEqual([]);
  });

  test.each([
    ['no content', { path: 'c.txt' }],
    ['more than 1 MB', { path: 'c.txt', content: 'é'.repeat(600_000) }],
    ['a folder', { path: 'full', content: 'x', overwrite: true }],
    ['no path', { path: '', content: 'x' }],
    ['a path below a file', { path: 'a.txt/x', content: 'x' }],
    ['a name that is too long', { path: 'n'.repeat(300), content: 'x' }],
  ])('a write with %s is refused', async (_, input) => {
    expect((await pc.files('write', input)).status).toMatch(/refused|not_found/);
  });

  test('delete takes files, links and empty folders', async () => {
    pc.write({ 'd/f.txt': 'x' });
    symlinkSync('a.txt', join(pc.home, 'link'));
    expect(await pc.files('delete', { path: 'd' })).toMatchObject({ status: 'refused' });
    expect(await pc.files('delete', { path: 'd/f.txt' })).toMatchObject({ status: 'ok' });
    expect(await pc.files('delete', { path: 'd' })).toMatchObject({ status: 'ok' });
    expect(await pc.files('delete', { path: 'link' })).toMatchObject({ status: 'ok' });
    expect(pc.has('a.txt')).toBe(true);
    expect(await pc.files('delete', { path: 'gone' })).toMatchObject({ status: 'not_found' });
  });

  test.each(['~', '/', '..', '~/.loci/files'])('delete and move refuse %s', async (path) => {
    expect(await pc.files('delete', { path })).toMatchObject({ status: 'refused' });
    expect(await pc.files('move', { path, destination: '/tmp/loci-elsewhere' })).toMatchObject({ status: 'refused' });
  });

  test('move never overwrites', async () => {
    pc.write({ 'm/1.txt': '1', 'm/2.txt': '2' });
    expect(await pc.files('move', { path: 'm/1.txt', destination: 'm/2.txt' })).toMatchObject({ status: 'refused' });
    expect(await pc.files('move', { path: 'm/1.txt', destination: 'n/o/3.txt' })).toMatchObject({
      status: 'ok',
      destination: join(pc.home, 'n/o/3.txt'),
    });
    expect([pc.has('m/1.txt'), pc.has('n/o/3.txt')]).toEqual([false, true]);
    expect(await pc.files('move', { path: 'm', destination: 'm/inside' })).toMatchObject({ status: 'refused' });
    expect(await pc.files('move', { path: 'm', destination: 'moved' })).toMatchObject({ status: 'ok' });
    expect(pc.has('moved/2.txt')).toBe(true);
    expect(await pc.files('move', { path: 'moved/2.txt', destination: '' })).toMatchObject({ status: 'refused' });
  });

  test('a link is moved as a link', async () => {
    symlinkSync('a.txt', join(pc.home, 'l1'));
    await pc.files('move', { path: 'l1', destination: 'l2' });
    expect(realpathSync(join(pc.home, 'l2'))).toBe(join(pc.home, 'a.txt'));
  });

  test.runIf(process.getuid?.() !== 0)('what the system does not allow is refused', async () => {
    pc.write({ 'locked.txt': 'x' });
    chmodSync(join(pc.home, 'locked.txt'), 0);
    expect(await pc.files('read', { path: 'locked.txt' })).toMatchObject({ status: 'refused' });
  });

  test('two writers of one new file: one wins', async () => {
    const answers = await Promise.all([1, 2, 3].map((n) => pc.files('write', { path: 'race.txt', content: `${n}` })));
    expect(answers.filter(({ status }) => status === 'ok')).toHaveLength(1);
    writeFileSync(join(pc.home, 'race.txt'), 'x');
  });
});
