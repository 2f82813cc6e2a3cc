import { describe, expect, it } from 'vitest';
import { headings, images, outline, read, readFixture } from './read.ts';

describe('readHtml', () => {
  it('reads the main content of a page, without navigation and scripts', async () => {
    const source = await readFixture('guide.html');
    expect(source.title).toBe('Lighthouse guide');
    expect(headings(source)).toEqual([
      [1, 'Lighthouse guide'],
      [2, 'Keeping the lamp'],
      [2, 'Signals'],
      [2, 'Stores'],
    ]);
    expect(source.text).toContain('harbour office');
    expect(source.text).not.toMatch(/All guides|Printed yearly|not content/);
    expect(outline(source)).toEqual(
      expect.arrayContaining([
        'text: Fill the tank on *Mondays*; see [the oil list](oil.html).',
        'list-item: - Wind the clock',
        'code: ```sh\nlamp --on\nlamp --status\n```',
        'table: | Item | Count |\n| --- | --- |\n| Oil | 40 |\n| Wicks | 12 |',
      ]),
    );
    expect(images(source)).toEqual(['Red and blue <squares.png>']);
  });

  it('sees through links around blocks and tables that only lay out', async () => {
    const source = await read(
      'a.html',
      '<a href="/x"><div><h2>Card</h2><p>text</p></div></a><table><tr><td><pre>code</pre></td></tr></table>',
    );
    expect(outline(source)).toEqual(['heading: ## Card', 'text: text', 'code: ```\ncode\n```']);
  });

  it('keeps text that looks like Markdown or tags from becoming structure', async () => {
    const source = await read(
      'a.html',
      '<p># no heading</p><p>1 &lt; 2 &lt;img src="x.png"&gt;</p><p>snake_case_name</p><p>- no item</p>',
    );
    expect(source.blocks.map((block) => block.kind)).toEqual(['text', 'text', 'text', 'text']);
    expect(images(source)).toEqual([]);
    expect(source.text).toContain('snake_case_name');
  });

  it('nests lists and keeps what a cell holds on its row', async () => {
    const source = await read(
      'a.html',
      '<ul><li>a<ol start="3"><li>b</li></ol></li></ul><table><tr><th>h</th></tr><tr><td><p>1|</p><p>2</p></td></tr></table>',
    );
    expect(outline(source)).toEqual(['list-item: - a\n  3. b', 'table: | h |\n| --- |\n| 1\\| 2 |']);
  });

  it('keeps backticks inside a code block', async () => {
    const source = await read('a.html', '<pre>```\nx\n```</pre><p>after</p>');
    expect(source.blocks.map((block) => block.kind)).toEqual(['code', 'text']);
  });

  it('reads the text of a page nested beyond reason, and says so', async () => {
    const source = await read('a.html', `${'<div>'.repeat(100_000)}deep text`);
    expect(source.text.trim()).toBe('deep text');
    expect(source.warnings).toHaveLength(1);
    expect((await read('a.html', `${'<div>'.repeat(1500)}deep text`)).text.trim()).toBe('deep text');
  });
});
