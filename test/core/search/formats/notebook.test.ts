import { describe, expect, it } from 'vitest';
import { headings, images, outline, read } from './read.ts';

const png = 'iVBORw0KGgo=';

function notebook(cells: unknown[], more: object = {}): string {
  return JSON.stringify({ nbformat: 4, metadata: { kernelspec: { language: 'python' } }, cells, ...more });
}

describe('readNotebook', () => {
  it('reads cells and outputs in order', async () => {
    const source = await read(
      'a.ipynb',
      notebook([
        {
          cell_type: 'markdown',
          source: ['# Sales\n', '\n', 'See ![chart](attachment:c.png)'],
          attachments: { 'c.png': { 'image/png': png } },
        },
        {
          cell_type: 'code',
          source: 'plot()\n',
          outputs: [
            { output_type: 'stream', name: 'stdout', text: ['one\n', 'two\n'] },
            { output_type: 'display_data', data: { 'image/png': png, 'text/plain': '<Figure>' } },
            {
              output_type: 'execute_result',
              data: { 'text/html': '<table><tr><td>1</td></tr></table>', 'text/plain': '   a\n0  1' },
            },
            {
              output_type: 'error',
              ename: 'ValueError',
              evalue: 'bad',
              traceback: ['\u001b[0;31mValueError\u001b[0m: bad'],
            },
          ],
        },
        { cell_type: 'raw', source: 'raw' },
      ]),
    );
    expect(source.title).toBe('Sales');
    expect(outline(source)).toEqual([
      'heading: # Sales',
      'text: See ![chart](attachment:c.png)',
      'code: ```python\nplot()\n```',
      'code: ```output\none\ntwo\n```',
      'image: ![Output of cell 1](cell:1/output:1)',
      'code: ```output\na\n0  1\n```',
      'code: ```error\nValueError: bad\n```',
      'text: raw',
    ]);
    expect(images(source)).toEqual(['chart <cell:0/attachment:c.png>', 'Output of cell 1 <cell:1/output:1>']);
  });

  it('keeps an open fence of one cell from swallowing the next', async () => {
    const source = await read(
      'a.ipynb',
      notebook([
        { cell_type: 'markdown', source: '```\nopen' },
        { cell_type: 'markdown', source: '## Next' },
      ]),
    );
    expect(headings(source)).toEqual([[2, 'Next']]);
  });

  it('fences code that has fences', async () => {
    const source = await read('a.ipynb', notebook([{ cell_type: 'code', source: 's = """\n```\n"""', outputs: [] }]));
    expect(source.text).toBe('````python\ns = """\n```\n"""\n````\n\n');
  });

  it('shortens a huge output, says so, and leaves pictures out of the text', async () => {
    const outputs = [
      { output_type: 'stream', text: 'x'.repeat(10_000_000) },
      { output_type: 'display_data', data: { 'image/png': 'A'.repeat(10_000_000) } },
    ];
    const source = await read('a.ipynb', notebook([{ cell_type: 'code', source: 'x', outputs }]));
    expect(source.text.length).toBeLessThan(6000);
    expect(source.text).toContain('9996000 more characters');
  });

  it('reads format 3', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: ['Old'] },
      {
        cell_type: 'code',
        language: 'r',
        input: 'plot(1)',
        outputs: [
          { output_type: 'display_data', png },
          { output_type: 'stream', text: 'hi' },
        ],
      },
    ];
    const source = await read(
      'a.ipynb',
      JSON.stringify({ nbformat: 3, metadata: { name: 'Name' }, worksheets: [{ cells }] }),
    );
    expect(source.title).toBe('Name');
    expect(outline(source)).toEqual([
      'heading: ## Old',
      'code: ```r\nplot(1)\n```',
      'image: ![Output of cell 1](cell:1/output:0)',
      'code: ```output\nhi\n```',
    ]);
  });

  it('replaces lone surrogates, and refuses what is no notebook', async () => {
    expect((await read('a.ipynb', '{"cells":[{"cell_type":"markdown","source":"a\\ud800b"}]}')).text).toBe(
      'a\uFFFDb\n\n',
    );
    for (const text of ['{', '', '[]', '{"cells": 1}', 'null']) {
      await expect(read('a.ipynb', text)).rejects.toMatchObject({ code: 'damaged' });
    }
    expect(
      (await read('a.ipynb', '{"cells":[null, 1, {}, {"cell_type":"code","outputs":[null,{"data":7}]}]}')).text,
    ).toBe('');
  });
});
