import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UserError } from '../../../src/core/errors.ts';
import { NOTHING, open, skill, temporary, write } from './folder.ts';

const FOLDER = '.github/skills/demo';

function demo(files: Readonly<Record<string, string | Uint8Array>> = {}, text = skill('demo')) {
  const inside = Object.entries(files).map(([path, content]) => [`${FOLDER}/${path}`, content]);
  const at = open({ [`${FOLDER}/SKILL.md`]: text, ...Object.fromEntries(inside) });
  const read = (path = 'SKILL.md', start_char = 0, max_chars: number | null = null) =>
    at.read({ name: 'demo', path, start_char, max_chars });
  const refusal = async (path: string): Promise<UserError> => {
    try {
      await read(path);
    } catch (error) {
      return error as UserError;
    }
    throw new Error(`${path} was read`);
  };
  return { ...at, read, refusal };
}

describe('a file is read', () => {
  test('whole when it is short, with front matter', async () => {
    const page = await demo().read();
    expect(page).toEqual({
      skill_name: 'demo',
      relative_path: 'SKILL.md',
      source: 'package',
      content: skill('demo'),
      start_char: 0,
      returned_chars: skill('demo').length,
      total_chars: skill('demo').length,
      truncated: false,
      next_start_char: null,
    });
  });

  test('in pages that fit a result, each naming the call that reads on', async () => {
    const text = skill('demo', '', 'A line of instructions that says something.\n'.repeat(1000));
    const { read } = demo({}, text);
    const first = await read();
    expect(JSON.stringify(first).length).toBeLessThan(8000);
    expect(first.truncated).toBe(true);
    expect(first.continuation_hint).toBe(
      `read_assigned_skill_file(skill_name="demo", relative_path="SKILL.md", start_char=${first.next_start_char})`,
    );
    expect(first.truncation_note).toContain(`${text.length - first.returned_chars} of ${text.length}`);
    const large = await read('SKILL.md', 0, 50_000);
    expect(large).toMatchObject({ truncated: false, content: text });
    expect((await read('SKILL.md', text.length)).content).toBe('');
    await expect(read('SKILL.md', text.length + 1)).rejects.toMatchObject({ code: 'past_the_end' });
  });

  test('in pages that together are the file, whatever is in it', async () => {
    const at = demo();
    const content = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', 'é', '東', '🦪'), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 9 }), async (text, size) => {
        write(at.workspace, { [`${FOLDER}/any.md`]: text });
        let read = '';
        for (let start: number | null = 0; start !== null; ) {
          const page = await at.read('any.md', start, size);
          expect(page.content.length).toBeLessThanOrEqual(size + 1);
          expect(page.content.isWellFormed()).toBe(true);
          read += page.content;
          start = page.next_start_char;
        }
        expect(read).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  test('by other spellings of its path', async () => {
    const { read } = demo({ 'references/guide one.md': 'Guide' });
    for (const path of [
      'references/guide one.md',
      './references/guide one.md',
      'references\\guide one.md',
      ' references//guide one.md ',
    ])
      expect((await read(path)).content).toBe('Guide');
    expect((await read('')).relative_path).toBe('SKILL.md');
  });

  test('of an extension that only describes its skill', async () => {
    const at = open();
    at.configure({
      ...NOTHING,
      folders: [],
      home: at.home,
      contributions: [
        { kind: 'skill', owner: 'acme.tools', path: '/nowhere/plan/SKILL.md', name: 'plan', description: 'Plans.' },
      ],
    });
    expect(await at.read({ name: 'plan', path: 'SKILL.md', start_char: 0, max_chars: null })).toMatchObject({
      content: 'Plans.',
      source: 'description_fallback',
      message: 'Served skill description (no package file present).',
    });
    await expect(at.read({ name: 'plan', path: 'x.md', start_char: 0, max_chars: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await at.port.activation('plan', 5000)).toMatchObject({ primary_file_content: 'Plans.' });
  });
});

describe('a file is refused', () => {
  test('when it is not there, with what may be meant', async () => {
    const { refusal } = demo({ 'references/Guide.md': 'Guide' });
    const missing = await refusal('guide.md');
    expect([missing.code, missing.next]).toEqual(['not_found', expect.stringContaining('references/Guide.md')]);
    expect((await refusal('skill.md')).next).toContain('SKILL.md');
    expect((await refusal('references')).code).toBe('not_a_file');
    expect((await refusal('a\0b')).code).toBe('unreadable');
    expect((await refusal('x'.repeat(5000))).code).toBe('unreadable');
  });

  test.each(['../other/SKILL.md', '/etc/passwd', 'a/../../../x', 'C:\\x', '..', '..\\..\\x'])(
    'when its path leads out: %s',
    async (path) => {
      expect((await demo().refusal(path)).code).toBe('outside_skill');
    },
  );

  test('when a link leads out of the workspace or to keys, or it is huge or binary', async () => {
    const outside = temporary();
    write(outside, { 'notes.md': 'Notes' });
    const { refusal, read, workspace } = demo({
      '.env': 'TOKEN=1',
      'server.pem': 'x',
      'secret.env.example': 'TOKEN=',
      'huge.csv': 'x'.repeat(4_000_001),
      'data.bin': Uint8Array.from({ length: 3000 }, (_, i) => i % 5),
    });
    write(workspace, { 'docs/guide.md': 'Guide', '.env': 'TOKEN=2' });
    const link = (name: string, target: string) => symlinkSync(target, join(workspace, FOLDER, name));
    link('out.md', join(outside, 'notes.md'));
    link('guide.md', '../../../docs/guide.md');
    link('innocent.md', '../../../.env');
    link('loop.md', 'loop.md');
    expect((await read('guide.md')).content).toBe('Guide');
    expect((await read('secret.env.example')).content).toBe('TOKEN=');
    const codes = await Promise.all(
      ['out.md', 'innocent.md', '.env', 'server.pem', 'huge.csv', 'data.bin', 'loop.md'].map(
        async (path) => (await refusal(path)).code,
      ),
    );
    expect(codes).toEqual([
      'link_outside',
      'secret_file',
      'secret_file',
      'secret_file',
      'too_large',
      'binary',
      'unreadable',
    ]);
  });

  test('when its skill is unknown or invalid, with the reason', async () => {
    const at = open({
      '.github/skills/lot-trace/SKILL.md': skill('lot-trace'),
      '.github/skills/bad/SKILL.md': skill('other'),
    });
    const read = (name: string) => at.read({ name, path: 'SKILL.md', start_char: 0, max_chars: null });
    await expect(read('trace')).rejects.toMatchObject({
      code: 'unknown_skill',
      next: 'Did you mean lot-trace? Call list_assigned_skills to see what there is.',
    });
    await expect(read('bad')).rejects.toMatchObject({
      code: 'invalid_skill',
      message: expect.stringContaining('line 2, column 7'),
    });
  });
});

test('the list of files has sizes and names what is never read', async () => {
  const { files } = demo({ 'scripts/run.sh': 'echo', '.env': 'x', 'node_modules/a/index.js': 'x' });
  const list = await files({ name: 'demo' });
  expect(list.files.map(({ path, size }) => [path, size])).toEqual([
    ['SKILL.md', skill('demo').length],
    ['scripts/run.sh', 4],
  ]);
  expect(list.skipped).toMatchObject([{ path: '.env', reason: 'credential_store' }]);
});

test('activation hands over the primary file within its room, and names the others', async () => {
  const long = skill('demo', '', 'Words of the skill.\n'.repeat(500));
  const { port } = demo({ 'the-path.md': 'Step 1' }, long);
  const given = await port.activation('demo', 1000);
  expect(JSON.stringify(given.primary_file_content).length).toBeLessThanOrEqual(1000);
  expect(given).toMatchObject({
    primary_file_truncated: true,
    primary_file_next_start_char: given.primary_file_content.length,
    supplementary_files: [{ path: 'the-path.md', bytes: 6 }],
  });
  expect(await demo().port.activation('demo', 5000)).toMatchObject({
    primary_file_truncated: false,
    primary_file_next_start_char: null,
    supplementary_files: [],
  });
});
