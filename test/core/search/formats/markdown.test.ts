import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headings, images, outline, read } from './read.ts';

describe('readMarkdown', () => {
  it('finds the blocks of CommonMark and tables', async () => {
    const source = await read(
      'a.md',
      [
        '# ATX #',
        '',
        'Setext',
        '---',
        '',
        'para',
        'more',
        '',
        '```js',
        '# no heading',
        '```',
        '',
        '    indented',
        '',
        '| a | b |',
        '|---|:-:|',
        '| 1 | 2 |',
        '',
        '1. one',
        '',
        '   more',
        '2. two',
        '   - nested',
        '',
        '> quote',
        '> # no heading',
        '',
        '<div>',
        '# no heading',
        '</div>',
        '',
        '***',
      ].join('\n'),
    );
    expect(outline(source)).toEqual([
      'heading: # ATX #',
      'heading: Setext\n---',
      'text: para\nmore',
      'code: ```js\n# no heading\n```',
      'code: indented',
      'table: | a | b |\n|---|:-:|\n| 1 | 2 |',
      'list-item: 1. one\n\n   more',
      'list-item: 2. two\n   - nested',
      'text: > quote\n> # no heading',
      'text: <div>\n# no heading\n</div>',
      'text: ***',
    ]);
    expect(headings(source)).toEqual([
      [1, 'ATX'],
      [2, 'Setext'],
    ]);
  });

  it('reads a heading as its reader sees it', async () => {
    const text =
      '# [Link](u) and `code` **bold** _it_ &amp; \\*star\\* ![pic](p.png) {#anchor}\n\n<h2 align="center">HTML <b>head</b></h2>\n';
    expect(headings(await read('a.md', text))).toEqual([
      [1, 'Link and code bold it & *star* pic'],
      [2, 'HTML head'],
    ]);
  });

  it('takes the title from the front matter, or else from the first heading', async () => {
    expect((await read('a.md', '---\ntitle: "From: YAML"\n---\n\n# Head\n')).title).toBe('From: YAML');
    expect((await read('a.md', 'intro\n\n## Head\n')).title).toBe('Head');
    expect((await read('a.md', 'intro\n')).title).toBe('');
  });

  it('warns of broken front matter, and executes nothing in any', async () => {
    const broken = await read('a.md', '---\ntitle: [\n---\n# Head\n');
    expect(broken).toMatchObject({ title: 'Head', warnings: [expect.stringContaining('not valid YAML')] });
    const tagged = await read('a.md', '---\ntitle: !!js/function "function(){ throw 1 }"\n---\n# Head\n');
    expect(tagged.title).not.toBe('');
    expect(headings(await read('a.md', '---js\nprocess.exit(1)\n---\n# Head\n')).at(-1)).toEqual([1, 'Head']);
  });

  it('finds pictures in all their notations, but not in code', async () => {
    const text = [
      'See ![one](img/a%20b.png "Title") and ![two][ref], ![ref] and `![no](no.png)`.',
      '',
      '[![badge](badge.svg)](https://example.com)',
      '',
      '<img alt="html" src="h.png">',
      '',
      '| ![cell](c.png) |',
      '|---|',
      '| x |',
      '',
      '- item ![listed](<l (1).png>)',
      '',
      '```',
      '![no](no.png)',
      '```',
      '',
      '[ref]: r.png',
    ].join('\n');
    const source = await read('a.md', text);
    expect(images(source)).toEqual([
      'one <img/a%20b.png>',
      'two <r.png>',
      'ref <r.png>',
      'badge <badge.svg>',
      'html <h.png>',
      'cell <c.png>',
      'listed <l (1).png>',
    ]);
    expect(source.blocks.map((block) => block.kind)).toEqual(['text', 'image', 'image', 'table', 'list-item', 'code']);
  });

  it('replaces an embedded picture by a short locator', async () => {
    const source = await read(
      'a.md',
      `![big](data:image/png;base64,${'QUJD'.repeat(1000)})\n\n![small](data:image/png;base64,QUJD)\n`,
    );
    expect(source.text).toBe('![big](inline:0)\n\n![small](data:image/png;base64,QUJD)\n');
    expect(images(source)).toEqual(['big <inline:0>', 'small <data:image/png;base64,QUJD>']);
  });

  it('reads MDX: what stands in an element is Markdown, indented or not', async () => {
    const text = [
      "import { Card } from './card'",
      '',
      '<Steps>',
      '  <Step title="One">',
      '    ```sh',
      '    # no heading',
      '',
      '    run',
      '    ```',
      '',
      '    ## Inner',
      '    - item',
      '  </Step>',
      '</Steps>',
      '',
      '<Card',
      '  title="x"',
      '/>',
      '## Last',
    ].join('\n');
    const source = await read('a.mdx', text);
    expect(headings(source)).toEqual([
      [2, 'Inner'],
      [2, 'Last'],
    ]);
    expect(outline(source)).toContain('code: ```sh\n    # no heading\n\n    run\n    ```');
    expect(outline(source)).toContain('list-item: - item');
  });

  it('reads any line ends, a byte order mark and UTF-16', async () => {
    const expected = { text: '# Ä\n\nb\n', title: 'Ä', warnings: [] };
    expect(await read('a.md', '\uFEFF# Ä\r\n\r\nb\r\n')).toMatchObject(expected);
    expect(await read('a.md', '# Ä\r\rb\r')).toMatchObject(expected);
    expect(await read('a.md', Buffer.from('\uFEFF# Ä\n\nb\n', 'utf16le'))).toMatchObject(expected);
    expect(await read('a.md', Buffer.from('\uFEFF# Ä\n\nb\n', 'utf16le').swap16())).toMatchObject(expected);
  });

  it('replaces invalid bytes with a warning, and refuses binary data', async () => {
    const damaged = await read(
      'a.md',
      Buffer.concat([Buffer.from('# thé, caf'), Buffer.from([0xe9]), Buffer.from(' au lait\n')]),
    );
    expect(damaged).toMatchObject({
      title: 'thé, caf\uFFFD au lait',
      warnings: [expect.stringContaining('not valid')],
    });
    const western = await read('a.md', Buffer.from('# caf\xe9 au lait\n', 'latin1'));
    expect(western).toMatchObject({ title: 'café au lait', warnings: [expect.stringContaining('Windows-1252')] });
    expect((await read('a.md', 'a real \uFFFD\n')).warnings).toEqual([]);
    await expect(read('a.md', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'))).rejects.toMatchObject({
      code: 'binary',
    });
    await expect(
      read('a.md', Buffer.from(Array.from({ length: 500 }, (_, i) => 128 + (i % 100)))),
    ).rejects.toMatchObject({
      code: 'binary',
    });
  });

  it('tiles any text with its blocks', async () => {
    const line = fc.constantFrom(
      '',
      '',
      '# h',
      '===',
      '---',
      '- a',
      '  - b',
      '> q',
      '```',
      '~~~',
      '| a | b |',
      '|---|---|',
      '<div>',
      '</div>',
      '<Tab>',
      '</Tab>',
      '    code',
      '[r]: u',
      '![r]',
      'text',
      '<!--',
      '-->',
      '\t',
      '1. x',
      'title: x',
      ' ',
      '***',
      '\\',
    );
    const texts = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('a.md', 'a.mdx'), async (text, path) => {
        const source = await read(path, text);
        expect(source.blocks.map(({ start, end }) => source.text.slice(start, end)).join('')).toBe(text);
        expect(source.blocks.every(({ start, end }) => end > start)).toBe(true);
      }),
    );
  });
});
