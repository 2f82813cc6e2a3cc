import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../src/core/errors.ts';
import { chunkTexts, headings, read } from './read.ts';

/** Texts that make a careless parser take quadratic time, overflow the stack or fill the memory. */
const hostile: Readonly<Record<string, () => string>> = {
  'one long line': () => 'word and word. '.repeat(300_000),
  'one long word': () => 'x'.repeat(5_000_000),
  'one line of marks': () => '='.repeat(15_000_000),
  'nothing but line ends': () => '\n'.repeat(2_000_000),
  'quotes 100,000 deep': () => `${'> '.repeat(100_000)}a`,
  'lists 100,000 deep': () => `${'- '.repeat(100_000)}a`,
  'lists ever further in': () => Array.from({ length: 3000 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  emphasis: () => '*a_ **b '.repeat(100_000),
  brackets: () => `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  'open pictures': () => '![a](b "'.repeat(100_000),
  'pictures in pictures': () => `${'!['.repeat(100_000)}${'](a)'.repeat(100_000)}`,
  'many pictures of one reference': () => `${'![a] '.repeat(300_000)}\n\n[a]: b\n`,
  'open code spans': () => `![]${Array.from({ length: 1500 }, (_, length) => '`'.repeat(length)).join('a')}`,
  'open tags': () => '<img '.repeat(300_000),
  'open comments': () => '<!--\n\n'.repeat(100_000),
  'open fences': () => 'a\n```\n~~~\n'.repeat(50_000),
  'open elements': () => '<A>\n'.repeat(50_000),
  'a table of 300,000 rows': () => `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(300_000)}`,
  'tables without end': () => '== ==\nx\n\n'.repeat(100_000),
  'a list of 200,000 items': () => '- item\n'.repeat(200_000),
  'references of references': () => '[a]: <b "\n'.repeat(100_000),
  'an embedded picture of 20 MB': () => `![a](data:image/png;base64,${'QUJD'.repeat(5_000_000)})`,
  'deep front matter': () => `---\ntitle: ${'['.repeat(30_000)}\n---\n`,
  nothing: () => '',
};

describe.each(Object.entries(hostile))('%s', (_, make) => {
  const bytes = new TextEncoder().encode(make());

  it.each(['md', 'mdx', 'rst', 'adoc', 'txt', 'sql'])('is read as .%s, whole', async (extension) => {
    const source = await read(`a.${extension}`, bytes);
    const chunks = chunkTexts(source);
    expect(chunks.join('')).toBe(source.text);
    expect(chunks.reduce((most, chunk) => Math.max(most, chunk.length), 0)).toBeLessThan(10_000);
  });

  it('is read as .html or refused with the reason', async () => {
    const source = await read('a.html', bytes).catch((error: unknown) => error);
    if (source instanceof Error) expect(source).toBeInstanceOf(UserError);
  });
});

it.each(['md', 'txt'])('a line of 50 MB is read as .%s, whole', async (extension) => {
  const text = 'word and word. '.repeat(3_400_000);
  expect(chunkTexts(await read(`a.${extension}`, text)).join('')).toBe(text);
});

describe('hostile HTML', () => {
  const nested = [
    '<ul><li>',
    '<b>',
    '<blockquote>',
    '<table><tr><td>',
    '<a><b><p>',
    '<svg><g>',
    '<script>',
    '<font>x</p>',
  ];

  it.each(nested)('reads %s a hundred thousand times', async (tags) => {
    const source = await read('a.html', `<h1>x</h1>${tags.repeat(100_000)}`);
    expect(chunkTexts(source).join('')).toBe(source.text);
  });

  it('reads what has many neighbours', async () => {
    const source = await read(
      'a.html',
      `<h1>Top</h1>${'<p>x'.repeat(100_000)}<table>${'<tr><td>1<td>2'.repeat(50_000)}</table>`,
    );
    expect(headings(source)).toEqual([[1, 'Top']]);
    expect(source.text.match(/^x$/gm)).toHaveLength(100_000);
  });
});
