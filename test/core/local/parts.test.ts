import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { environment } from '../../../src/core/local/environment.ts';
import { nameGlob } from '../../../src/core/local/name-glob.ts';
import { isInternetHost } from '../../../src/core/local/network.ts';
import { createTurns } from '../../../src/core/local/turns.ts';

describe('names by glob', () => {
  test('agree with picomatch', () => {
    const glob = fc.array(fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[^a]', '{a,b}'), {
      minLength: 1,
      maxLength: 6,
    });
    const name = fc.array(fc.constantFrom('a', 'b', 'c', '.'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(glob, name, (globs, names) => {
        const [pattern, text] = [globs.join(''), names.join('')];
        // What stands for dots and for one star after another, glob libraries settle differently.
        fc.pre(!/^\.+$/.test(text) && !pattern.includes('**'));
        expect(nameGlob(pattern)(text)).toBe(
          picomatch.isMatch(text, pattern, { dot: true, nonegate: true, bash: true }),
        );
      }),
      { numRuns: 2000 },
    );
  });

  test('in linear time', () => {
    expect(nameGlob(`${'*a'.repeat(100)}b`)('a'.repeat(255))).toBe(false);
    expect(nameGlob('{a,b}'.repeat(60))('x')).toBe(false);
  });

  test('letter case does not matter, brackets may stay open', () => {
    expect(nameGlob('*.PDF')('Report.pdf')).toBe(true);
    expect(nameGlob('[x')('[x')).toBe(true);
    expect(nameGlob('📁?')('📁é')).toBe(true);
  });
});

describe('hosts on the internet', () => {
  test.each(['github.com', 'api.github.com', '140.82.112.3', '2606:50c0:8000::153', '10.0.0.5', 'example.com.'])(
    '%s is',
    (host) => {
      expect(isInternetHost(host)).toBe(true);
    },
  );

  const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  test.each([
    ...[
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      '127.0.0.1',
      '127.8.8.8',
      '0.0.0.0',
      '::1',
      '[::1]',
      '::',
    ],
    ...['169.254.169.254', 'fe80::1', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192', '224.0.0.1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:a9fe:a9fe',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2130706433',
      '0x7f000001',
      '127.1',
    ],
    ...['metadata.google.internal', 'metadata', 'printer.local', ...own],
  ])('%s is not', (host) => expect(isInternetHost(host)).toBe(false));
});

describe('variables of a command', () => {
  const options = { home: '/home/p', temporary: '/tmp/t', folder: '/work/p', isRead: true };

  test('hold no secret and no path that an agent could write to', () => {
    const env = {
      PATH: '/usr/bin:.:node_modules/.bin:/work/p/bin:/bin',
      GH_TOKEN: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      BASH_ENV: 'x',
      'BASH_FUNC_ls%%': '() { id; }',
      LD_PRELOAD: 'x',
      SSH_AUTH_SOCK: 'x',
      NODE_OPTIONS: 'x',
      GIT_SSH_COMMAND: 'x',
      LC_ALL: 'de_DE.UTF-8',
      AWS_PROFILE: 'dev',
    };
    const made = environment(options, env);
    expect(made).toMatchObject({ PATH: '/usr/bin:/bin', LC_ALL: 'de_DE.UTF-8', AWS_PROFILE: 'dev', HOME: '/home/p' });
    expect(Object.values(made)).not.toContain('x');
    expect(Object.keys(made).filter((name) => /TOKEN|SECRET|BASH|LD_|SOCK|OPTIONS|SSH/.test(name))).toEqual([]);
    expect(environment({ ...options, isRead: false }, env).PATH).toBe('/usr/bin:/work/p/bin:/bin');
  });
});

test('calls of one kind run together, of different kinds never', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(3)), { maxLength: 12 }), async (calls) => {
      const inTurn = createTurns<string>();
      const running: string[] = [];
      const done = await Promise.all(
        calls.map(([kind, turns]) =>
          inTurn(kind, async () => {
            running.push(kind);
            expect(new Set(running).size).toBe(1);
            for (let i = 0; i < turns; i++) await Promise.resolve();
            running.splice(running.indexOf(kind), 1);
            return kind;
          }),
        ),
      );
      expect(done).toEqual(calls.map(([kind]) => kind));
    }),
  );
});

test('a call that is aborted while it waits leaves the line', async () => {
  const inTurn = createTurns<string>();
  let end = () => {};
  const first = inTurn('a', () => new Promise<void>((resolve) => (end = resolve)));
  const abort = new AbortController();
  const second = inTurn('b', async () => 'b', abort.signal);
  const third = inTurn('a', async () => 'third');
  abort.abort();
  await expect(second).rejects.toThrow();
  end();
  await first;
  expect(await third).toBe('third');
});
