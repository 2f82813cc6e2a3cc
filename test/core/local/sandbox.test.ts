import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Reach } from '../../../src/core/local/sandbox.ts';
import { machine } from './machine.ts';

const needed = process.platform === 'linux' ? ['bwrap', 'socat', 'rg'] : ['sandbox-exec'];
const missing = needed.filter((name) => spawnSync('which', [name]).status !== 0);
const isAvailable = process.platform !== 'win32' && missing.length === 0;
if (!isAvailable) console.warn(`NOT TESTED: commands in the sandbox. This machine has no ${missing.join(', no ')}.`);

test('signing in and what cannot be parsed need no sandbox', async () => {
  const pc = machine();
  expect(await pc.run('gh auth login')).toMatchObject({ status: 'needs_person', command: 'gh auth login' });
  expect(await pc.run('echo "')).toMatchObject({ status: 'refused' });
  expect(await pc.asked('gh auth login')).toBeUndefined();
  expect(await pc.asked('echo "')).toBeUndefined();
});

test('without trust nothing runs', async () => {
  const pc = machine({}, { trusted: false });
  expect(await pc.run('ls')).toMatchObject({ status: 'unavailable' });
  expect(await pc.asked('rm x')).toBeUndefined();
});

test('a machine without what the sandbox needs runs nothing', async () => {
  const pc = machine();
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    const answer = await pc.run('ls');
    if (process.platform === 'darwin') return;
    expect(answer).toMatchObject({ status: 'unavailable', next_step: expect.stringContaining('never run outside') });
    expect(await pc.asked('rm x')).toBeUndefined();
  } finally {
    process.env.PATH = path;
  }
});

describe.runIf(isAvailable)('in the sandbox', () => {
  const pc = machine({
    'proj/a.txt': 'hello\n',
    'proj/.env': 'SECRET=hunter2\n',
    'proj/sub/.env.local': 'SECRET=hunter2\n',
    'proj/sub/.env.example': 'SECRET=\n',
    '.ssh/id_rsa': 'hunter2\n',
    '.aws/credentials': 'hunter2\n',
    '.config/gh/hosts.yml': 'hunter2-gh\n',
    '.loci/index.db': 'hunter2\n',
    'Documents/d.txt': 'other project\n',
    'bin/gh': '#!/bin/sh\ncat ~/.config/gh/hosts.yml; cat ~/.aws/credentials\n',
  });
  const proj = join(pc.home, 'proj');

  test('a read runs at once, with its folder, exit code and time', async () => {
    expect(await pc.asked('pwd; cat a.txt | wc -l', proj)).toBeUndefined();
    expect(await pc.run('pwd; cat a.txt | wc -l; cat ~/Documents/d.txt', proj)).toMatchObject({
      status: 'ok',
      exit_code: 0,
      output: `${proj}\n1\nother project\n`,
      truncated: false,
      duration_seconds: expect.any(Number),
    });
    expect(await pc.run('cat nothing', proj)).toMatchObject({ status: 'failed', exit_code: 1 });
  });

  test('without a folder it runs in a fresh empty one, which is gone afterwards', async () => {
    const { output } = await pc.run('pwd; ls -A');
    expect(output).toMatch(/^\/\S*loci-run-\w+\/work\n$/);
    expect(existsSync(output.trim())).toBe(false);
  });

  test.each([
    'cat ~/.ssh/id_rsa',
    'cat .env',
    'head sub/.env.local',
    'grep SECRET ./.env',
    'cat ../.aws/credentials',
    'ls ~/.ssh',
    'cat /proc/self/environ',
    'cat ~/.s*/*',
    'cat .e*',
    'grep -rh hunter2 ~',
    'find ~/.ssh -type f',
    'rg --hidden --no-ignore hunter2 ~',
  ])('a read cannot get at what is closed: %s', async (command) => {
    const answer = await pc.run(command, proj);
    expect(answer.status).toMatch(/refused|failed|ok/);
    expect(answer.output ?? '').not.toContain('hunter2');
  });

  test('a closed file that is named is refused with its path', async () => {
    expect(await pc.run('cat .env', proj)).toMatchObject({
      status: 'refused',
      refused_paths: [{ path: join(proj, '.env'), refused_by: 'sandbox' }],
    });
    expect(await pc.run('cat sub/.env.example', proj)).toMatchObject({ status: 'ok', output: 'SECRET=\n' });
  });

  test.each([
    'cat .env ~/.ssh/id_rsa ~/.aws/credentials ~/.config/gh/hosts.yml ~/.loci/index.db > all; cat all',
    'cp -r ~ copy; grep -rh hunter2 copy',
    'ln -s ~/.ssh/id_rsa l; cat l',
    'python3 -c "print(open(\'.env\').read())"',
    'bash -c "cat ~/.s\'\'sh/id_rsa"',
    'cd ~/.aws && cat credentials',
    'cat /proc/1/environ | tr "\\0" "\\n"; cat /proc/*/root$HOME/.ssh/id_rsa',
    'mount --bind ~/.ssh x; unshare -r cat ~/.ssh/id_rsa',
  ])('an approved command cannot either: %s', async (command) => {
    expect(await pc.asked(command, proj)).toBeDefined();
    const answer = await pc.run(command, proj);
    expect(answer.output).not.toContain('hunter2');
  });

  test('a command stays confined when another one ends', async () => {
    const long = pc.run('sleep 1; cat .env ../.ssh/id_rsa; echo x > ../evil; echo end', proj);
    const short = await Promise.all(Array.from({ length: 4 }, () => pc.run('cat a.txt', proj)));
    expect(short.map(({ output }) => output)).toEqual(Array(4).fill('hello\n'));
    const { output } = await long;
    expect(output).not.toContain('hunter2');
    expect(output).toContain('end');
    expect(pc.has('evil')).toBe(false);
  });

  test('closed files that a command names are told, though it sees them as missing', async () => {
    const { output, refused_paths } = await pc.run('cat ~/.ssh/id_rsa > x', proj);
    expect(output).toMatch(/No such file/);
    expect(refused_paths).toEqual([{ path: join(pc.home, '.ssh/id_rsa'), refused_by: 'sandbox' }]);
  });

  test('an approved command writes in its folder and its temporary folder alone', async () => {
    const command =
      'echo new > made.txt; echo t > $TMPDIR/t && cat $TMPDIR/t; echo x > ~/evil; echo x > ../evil; echo x > /tmp/loci-evil; touch ~/Documents/evil';
    const answer = await pc.run(command, proj);
    expect(readFileSync(join(proj, 'made.txt'), 'utf8')).toBe('new\n');
    expect(answer.output).toMatch(/^t\n/);
    expect([pc.has('evil'), pc.has('Documents/evil'), existsSync('/tmp/loci-evil')]).toEqual([false, false, false]);
    expect(answer.refused_paths).toEqual(
      expect.arrayContaining([{ path: join(pc.home, 'evil'), refused_by: 'sandbox' }]),
    );
  });

  test('a read cannot write, even in its folder', async () => {
    // sort writes to its temporary folder only; a program that tried more would be stopped by the read-only mount.
    await pc.run('git status', proj);
    execFileSync('git', ['init', '-q'], { cwd: proj });
    execFileSync('git', ['config', 'core.fsmonitor', 'touch pwned; false'], { cwd: proj });
    execFileSync('git', ['config', 'diff.external', 'touch pwned'], { cwd: proj });
    expect(await pc.run('git status --short', proj)).toMatchObject({ status: 'ok' });
    await pc.run('git diff', proj);
    expect(pc.has('proj/pwned')).toBe(false);
  });

  test('no variable of the editor reaches a command', async () => {
    process.env.LOCI_TEST_TOKEN = 'hunter2';
    process.env.BASH_ENV = '/tmp/evil.sh';
    try {
      const { output } = await pc.run('node -p "JSON.stringify(Object.keys(process.env))"', proj);
      expect(output).not.toMatch(/LOCI_TEST_TOKEN|BASH_ENV/);
      expect((await pc.run('set', proj)).output_withheld).toBe(true);
    } finally {
      delete process.env.LOCI_TEST_TOKEN;
      delete process.env.BASH_ENV;
    }
  });

  test('this computer is not reached over the network, whatever it is called', async () => {
    const server = createServer((_, response) => response.end('hunter2')).listen(0);
    const { port } = server.address() as AddressInfo;
    const hosts = ['localhost', '127.0.0.1', '127.1', '2130706433', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1'];
    const urls = [...hosts, '169.254.169.254', 'metadata.google.internal', 'x.localhost'].map(
      (host) => `http://${host}:${port}/`,
    );
    const proxied = urls.map((url) => `curl -sS -m 3 --noproxy "" -x "$HTTP_PROXY" ${url}`);
    const direct = urls.map((url) => `curl -sS -m 3 --noproxy "*" ${url}`);
    const { output } = await pc.run([...proxied, ...direct].join('; '), proj, 60);
    server.close();
    expect(output).not.toContain('hunter2');
  }, 90_000);

  test('sockets of services on this computer cannot be opened', async () => {
    const { output } = await pc.run(`python3 -c 'import socket; socket.socket(socket.AF_UNIX)'`, proj);
    expect(output).toMatch(/not permitted/);
  });

  test('a command reaches the hosts that it may, and a read not even the proxy', async () => {
    const sandbox = createSandbox();
    const env = { PATH: process.env.PATH!, TMPDIR: '/tmp' };
    const run = async (source: string, reach: Reach) => {
      const command = { source, folder: proj, env, unreadable: [], writable: [], reach, timeoutMs: 20_000 };
      return (await sandbox.run(command)).output;
    };
    const ask = (host: string) => `curl -sS -m 5 -o /dev/null -w '%{http_code}' http://${host}/ 2>&1`;
    const [allowed, other] = await Promise.all(
      ['here.example.test', 'there.example.test'].map((host) => run(ask(host), ['here.example.test'])),
    );
    const none = await run(`env; ${ask('here.example.test')}`, 'none');
    await sandbox.close();
    // The name does not exist, which only one that may be looked up shows.
    expect(allowed).toMatch(/50[24]$/);
    expect(other).toMatch(/403$/);
    expect(none).not.toMatch(/proxy|SANDBOX/i);
    expect(none).toMatch(/000$/);
  });

  test("a CLI's sign-in is there for that CLI alone", async () => {
    const path = process.env.PATH;
    execFileSync('chmod', ['+x', join(pc.home, 'bin/gh')]);
    process.env.PATH = `${join(pc.home, 'bin')}:${path}`;
    try {
      const own = await pc.run('gh pr list', proj);
      expect(own.output).toContain('hunter2-gh');
      expect(own.output.replaceAll('hunter2-gh', '')).not.toContain('hunter2');
      const mentioned = await pc.run('echo gh; cat ~/.config/gh/hosts.yml > x; cat x', proj);
      expect(mentioned.output).not.toContain('hunter2');
    } finally {
      process.env.PATH = path;
    }
  });

  test('the time limit ends it with all it started', async () => {
    const mark = `31${process.pid}`;
    const answer = await pc.run(`sleep ${mark} & (sleep ${mark}; true) & echo begun; sleep ${mark}`, proj, 1);
    expect(answer).toMatchObject({ status: 'timed_out', exit_code: null, output: 'begun\n' });
    expect(spawnSync('pgrep', ['-f', `sleep ${mark}`]).stdout.toString()).toBe('');
  });

  test('a background job does not keep the answer waiting', async () => {
    expect(await pc.run('sleep 100 & echo done', proj, 60)).toMatchObject({ status: 'ok', output: 'done\n' });
  });

  test('the signal ends it', async () => {
    const abort = new AbortController();
    const running = pc.run('sleep 30', proj, 60, abort.signal);
    setTimeout(() => abort.abort(), 500);
    await expect(running).rejects.toThrow();
  });

  test('long output goes on in a file that local_files reads', async () => {
    pc.write({ 'proj/long.txt': Array.from({ length: 5000 }, (_, i) => `row ${i + 1}`).join('\n') });
    const answer = await pc.run('cat long.txt', proj);
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(8000);
    expect(answer).toMatchObject({ status: 'ok', truncated: true });
    let [whole, line] = ['', 1];
    for (let more = true; more; ) {
      const page = await pc.files('read', { path: answer.output_file, start_line: line });
      whole += page.content;
      more = page.has_more;
      line = page.next_start_line;
    }
    expect(whole).toBe(readFileSync(join(proj, 'long.txt'), 'utf8').slice(0, 20_000));
    expect(
      whole
        .split('\n')
        .slice(0, answer.next_start_line - 1)
        .join('\n'),
    ).toBe(answer.output.trimEnd());
  });

  test('an approved command shows the last 1,500 characters', async () => {
    const { output, truncated } = await pc.run('seq 1 3000', proj);
    expect(output).toHaveLength(1500);
    expect(output).toMatch(/2999\n3000\n$/);
    expect(truncated).toBe(true);
  });

  test('endless output is stopped being kept', async () => {
    const answer = await pc.run('yes', proj, 2);
    expect(answer).toMatchObject({ status: 'timed_out', truncated: true });
  });

  test('output is redacted', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const { output } = await pc.run(`echo ${token}`, proj);
    expect(output).not.toContain(token);
    expect(output).toContain('[redacted:');
  });

  test('output that may hold credentials is withheld', async () => {
    expect(await pc.run('printenv HOME', proj)).toMatchObject({ status: 'ok', output: '', output_withheld: true });
  });

  test.each([
    ['relative', 'proj'],
    ['the home folder', '~home'],
    ['above it', '/'],
    ['a hidden folder', '~home/.config'],
    ['~/Library', '~home/Library/x'],
    ['a credential store', '~home/.ssh'],
    ['the data of Loci', '~home/.loci'],
    ['a file', '~home/proj/a.txt'],
    ['missing', '~home/nowhere'],
    ['a folder of the system', '/etc'],
    ['a link to the home folder', '~home/proj/home'],
  ])('working_directory: %s is refused', async (_, folder) => {
    mkdirSync(join(pc.home, 'Library/x'), { recursive: true });
    if (!pc.has('proj/home')) symlinkSync(pc.home, join(proj, 'home'));
    const path = folder.replace('~home', pc.home);
    expect(await pc.run('ls', path)).toMatchObject({ status: 'refused' });
    expect(await pc.asked('rm x', path)).toBeUndefined();
  });

  test('an expired sign-in says how to renew it', async () => {
    const path = process.env.PATH;
    pc.write({
      'bin/aws': '#!/bin/sh\necho "The SSO session associated with this profile has expired" >&2; exit 255\n',
    });
    execFileSync('chmod', ['+x', join(pc.home, 'bin/aws')]);
    process.env.PATH = `${join(pc.home, 'bin')}:${path}`;
    try {
      expect(await pc.run('aws --profile dev s3 ls')).toMatchObject({
        status: 'needs_sign_in',
        exit_code: 255,
        login_command: 'aws sso login --profile dev',
      });
    } finally {
      process.env.PATH = path;
    }
  });
});
