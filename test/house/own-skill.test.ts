import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSkillFile } from '../../src/core/skills/skill-file.ts';
import { groups } from '../../src/tools/groups.ts';
import { tools } from '../../src/tools/index.ts';

const root = join(import.meta.dirname, '../../media/skills');

/** Fields of results that the text speaks of. */
const RESULT_FIELDS = ['index_status', 'next_offset', 'has_more', 'next_step', 'budget_warning', 'unavailable_reason'];

const known = new Set([
  ...tools.flatMap(({ name, input }) => [name, `loci_${name}`, ...Object.keys(input.shape)]),
  ...Object.keys(groups),
  ...RESULT_FIELDS,
]);

describe.each(readdirSync(root))('the skill %s that comes with the extension', (name) => {
  const files = readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  );
  const read = (file: string) => readFileSync(join(root, name, file), 'utf8');

  test('is valid, without so much as a hint', () => {
    expect(readSkillFile(read('SKILL.md'), name).findings).toEqual([]);
  });

  test('is inlined whole on activation', () => {
    expect(JSON.stringify(read('SKILL.md')).length).toBeLessThan(5000);
  });

  test.each(files)('%s names only tools, groups and parameters that exist', (file) => {
    const code = [...read(file).matchAll(/`([^`]+)`/g)].map(([, inside]) => inside!);
    // What stands in quotes is an example of a value.
    const names = code.flatMap((text) => text.replace(/"[^"]*"/g, '').match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []);
    expect(names.length).toBeGreaterThan(5);
    expect([...new Set(names)].filter((one) => !known.has(one))).toEqual([]);
  });

  test('points only to files that are there', () => {
    const pointed = [...read('SKILL.md').matchAll(/`(references\/[^`]+)`/g)].map(([, path]) => path);
    expect(pointed.filter((path) => !files.includes(path!))).toEqual([]);
  });
});
