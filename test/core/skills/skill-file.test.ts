import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/core/skills/diagnostic.ts';
import { itemsOf } from '../../../src/core/skills/fields.ts';
import { readSkillFile } from '../../../src/core/skills/skill-file.ts';

/** Findings as `line:column severity code`. */
function check(text: string, folder = 'demo'): string[] {
  return diagnose('SKILL.md', text, readSkillFile(text, folder).findings).map(
    ({ line, column, severity, code }) => `${line}:${column} ${severity} ${code}`,
  );
}

function messages(text: string, folder = 'demo'): string {
  return readSkillFile(text, folder)
    .findings.map(({ message }) => message)
    .join('\n');
}

const front = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nDo it.\n`;

describe('a valid SKILL.md', () => {
  test('gives every field', () => {
    const text = front(
      'name: demo',
      'description: "Shows: all fields."',
      'license: MIT',
      'compatibility: Needs git',
      'metadata:',
      '  owner: data',
      '  version: 1.2',
      '  tags: [a, b]',
      'allowed-tools: Read Bash(git add:*) Grep',
      'argument-hint: "[file]"',
      'user-invocable: false',
      'disable-model-invocation: true',
      'prerequisites: [first, second, first]',
    );
    expect(check(text)).toEqual([]);
    expect(readSkillFile(text, 'demo')).toMatchObject({
      body: 'Do it.\n',
      fields: {
        name: 'demo',
        description: 'Shows: all fields.',
        license: 'MIT',
        compatibility: 'Needs git',
        metadata: { owner: 'data', version: '1.2', tags: 'a, b' },
        allowed_tools: ['Read', 'Bash(git add:*)', 'Grep'],
        argument_hint: '[file]',
        user_invocable: false,
        model_invocable: false,
        prerequisites: ['first', 'second'],
      },
    });
  });

  test('may name its prerequisites under metadata, as text', () => {
    const text = front('name: demo', 'description: D', 'metadata:', '  prerequisites: one, two');
    expect(check(text)).toEqual([]);
    expect(readSkillFile(text, 'demo').fields.prerequisites).toEqual(['one', 'two']);
  });

  test('may leave out the quotes of an argument hint', () => {
    const text = front('name: demo', 'description: D', 'argument-hint: [file]');
    expect(check(text)).toEqual([]);
    expect(readSkillFile(text, 'demo').fields.argument_hint).toBe('[file]');
  });

  test('keeps block texts and comments', () => {
    const text = front('# ours', 'name: demo # the folder', 'description: >-', '  Two lines', '  of text.');
    expect(check(text)).toEqual([]);
    expect(readSkillFile(text, 'demo').fields.description).toBe('Two lines of text.');
  });
});

describe('what is wrong is told with its line and column', () => {
  test.each([
    ['nothing at all', '', ['1:1 error no_front_matter']],
    ['no front matter', '# Title\n', ['1:1 error no_front_matter']],
    ['front matter that starts late', '\n\n---\nname: demo\n---\n', ['3:1 error no_front_matter']],
    ['front matter without an end', '---\nname: demo\n', ['1:1 error unclosed_front_matter']],
    ['an empty one', '---\n---\nText', ['1:1 error missing_name', '1:1 error missing_description']],
    ['no name', front('description: D'), ['1:1 error missing_name']],
    ['an empty name', front('name:', 'description: D'), ['2:1 error missing_name']],
    ['a name of spaces', front('name: "  "', 'description: D'), ['2:7 error empty_name']],
    ['a name that is a number', front('name: 123', 'description: D'), ['2:7 error name_not_text']],
    ['a name that is a list', front('name: [a]', 'description: D'), ['2:7 error name_not_text']],
    ['capitals', front('name: Demo', 'description: D'), ['2:7 error name_characters']],
    ['a leading hyphen', front('name: -demo', 'description: D'), ['2:7 error name_hyphens']],
    ['a trailing hyphen', front('name: demo-', 'description: D'), ['2:7 error name_hyphens']],
    ['two hyphens', front('name: de--mo', 'description: D'), ['2:7 error name_hyphens']],
    ['another name than the folder', front('name: other', 'description: D'), ['2:7 error name_not_folder']],
    ['no description', front('name: demo'), ['1:1 error missing_description']],
    ['an empty description', front('name: demo', 'description: ""'), ['3:14 error empty_description']],
    ['a description that is no text', front('name: demo', 'description: yes: no'), ['3:14 error bad_yaml']],
    ['a wrong type', front('name: demo', 'description: D', 'user-invocable: often'), ['4:17 warning not_boolean']],
    [
      'metadata that is no mapping',
      front('name: demo', 'description: D', 'metadata: x'),
      ['4:11 warning not_a_mapping'],
    ],
    ['an unknown field', front('name: demo', 'description: D', 'colour: red'), ['4:1 hint unknown_field']],
    ['a field given twice', front('name: demo', 'name: demo', 'description: D'), ['3:1 error bad_yaml']],
    ['a tab', front('name: demo', 'description: D', 'metadata:', '\tx: y'), ['5:1 error bad_yaml']],
    ['an unknown tag', front('name: !!js/function demo', 'description: D'), ['2:7 error bad_yaml']],
    ['no instructions', '---\nname: demo\ndescription: D\n---\n\n', ['6:1 hint empty_body']],
  ])('%s', (_, text, expected) => {
    expect(check(text)).toEqual(expected);
  });

  test('lengths are those of the specification', () => {
    const name = 'a'.repeat(64);
    expect(check(front(`name: ${name}`, `description: ${'d'.repeat(1024)}`), name)).toEqual([]);
    expect(check(front(`name: ${name}a`, 'description: D'), `${name}a`)).toEqual(['2:7 error name_too_long']);
    expect(check(front('name: demo', `description: ${'d'.repeat(1025)}`))).toEqual(['3:14 error description_too_long']);
    const compatibility = `compatibility: ${'c'.repeat(501)}`;
    expect(check(front('name: demo', 'description: D', compatibility))).toEqual(['4:16 warning too_long']);
  });

  test('the message names the remedy', () => {
    expect(messages(front('name: My Skill', 'description: D'))).toContain('"M"');
    expect(messages(front('name: my skill', 'description: D'))).toContain('a space');
    expect(messages(front('name: other', 'description: D'))).toContain('"other" is not that of its folder, "demo"');
    expect(messages(front('name: demo', 'description: Use when: now'))).toContain('in quotes');
  });
});

describe('hostile front matter ends in a diagnostic', () => {
  const aliases = 'abcdefgh';
  const bomb = [...aliases].map((name, i) =>
    i === 0
      ? `${name}: &${name} [x, x, x, x, x, x, x, x]`
      : `${name}: &${name} [${Array(8)
          .fill(`*${aliases[i - 1]}`)
          .join(', ')}]`,
  );
  test.each([
    ['deep nesting', front('name: demo', `description: ${'['.repeat(60_000)}`), 'bad_yaml'],
    ['aliases that multiply', front('name: demo', 'description: D', ...bomb), 'bad_yaml'],
    ['an alias to itself', front('name: demo', 'description: D', 'metadata: &m', '  again: *m'), 'not_text'],
    ['64 KB without an end', `---\n${'a: 1\n'.repeat(20_000)}---\n`, 'unclosed_front_matter'],
    [
      'thousands of fields',
      front('name: demo', 'description: D', ...Array.from({ length: 6000 }, (_, i) => `f${i}: 1`)),
      'unknown_field',
    ],
  ])('%s', (_, text, code) => {
    expect(check(text).join(' ')).toContain(code);
  });

  test('a key called __proto__ is a key', () => {
    const text = front(
      'name: demo',
      'description: D',
      '__proto__: { polluted: 1 }',
      'metadata: { __proto__: x, constructor: y }',
    );
    expect(readSkillFile(text, 'demo').fields.metadata).toEqual(
      Object.fromEntries([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    );
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('laws', () => {
  test('a name is valid exactly when it reports nothing and the folder has it', () => {
    const anyName = fc.string({ unit: fc.constantFrom(...'abz09-A_ .é'), maxLength: 70 });
    fc.assert(
      fc.property(anyName, (name) => {
        const text = front(`name: ${JSON.stringify(name)}`, 'description: D');
        const valid = name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
        expect(check(text, name).length === 0).toBe(valid);
      }),
    );
  });

  test('any text gives findings that lie in it, and the body is its end', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('---', '...', 'name: demo', 'description: x', '- a', 'a: [', '"', '&a *a', '\t', '? x', '!!t y'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join('\n');
        const { findings, body } = readSkillFile(text, 'demo');
        expect(text.endsWith(body)).toBe(true);
        for (const { start, end } of findings) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });

  test('lists keep their names, whether YAML lists or texts', () => {
    const names = fc.array(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, (list) => {
        expect(itemsOf(list)).toEqual(list);
        expect(itemsOf(list.join(', '))).toEqual(list);
        expect(itemsOf(list.join(' '))).toEqual(list);
      }),
    );
    expect([itemsOf(1), itemsOf({}), itemsOf([1])]).toEqual([undefined, undefined, undefined]);
  });
});
