import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadImage } from '../../../../src/core/search/formats/images.ts';
import { fixture, images, read } from './read.ts';

let base: string;
let folder: string;
let squares: Uint8Array;

beforeAll(async () => {
  squares = await fixture('squares.png');
  base = await mkdtemp(join(tmpdir(), 'loci-images-'));
  folder = join(base, 'kb');
  await mkdir(join(folder, 'docs', 'img'), { recursive: true });
  await mkdir(join(folder, 'static'));
  await writeFile(join(base, 'secret.png'), squares);
  await writeFile(join(folder, 'docs', 'img', 'a b.png'), squares);
  await writeFile(join(folder, 'docs', 'img', 'wrong.jpg'), squares);
  await writeFile(join(folder, 'static', 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><text>hi</text></svg>');
  await writeFile(join(folder, 'docs', 'text.png'), 'no picture');
  await writeFile(join(folder, 'docs', 'big.png'), squares);
  await truncate(join(folder, 'docs', 'big.png'), 6 * 1024 * 1024);
  await symlink(join(base, 'secret.png'), join(folder, 'docs', 'link.png'));
  await symlink(join(folder, 'docs', 'loop.png'), join(folder, 'docs', 'loop.png'));
});

afterAll(() => rm(base, { recursive: true }));

function load(locator: string, path = 'docs/page.md', bytes: Uint8Array = new Uint8Array()) {
  return loadImage({ locator, alt: 'Alt' }, { path, bytes, folder });
}

describe('loadImage', () => {
  it('reads a file beside the document, encoded, with a query, or from a root', async () => {
    const expected = { mime: 'image/png', width: 2, height: 1, description: expect.stringContaining('Alt') };
    for (const locator of [
      'img/a%20b.png',
      './img/a b.png?v=2#x',
      '/docs/img/a%20b.png',
      '/img/a b.png',
      '../docs/img/a b.png',
      'img\\a b.png',
    ]) {
      expect(await load(locator)).toMatchObject(expected);
    }
    expect(await load('img/a b.png', join(folder, 'docs/page.md'))).toMatchObject(expected);
  });

  it('tells the type by the content', async () => {
    expect(await load('img/wrong.jpg')).toMatchObject({ mime: 'image/png' });
    await expect(load('text.png')).rejects.toMatchObject({ code: 'unsupported_image' });
  });

  it('returns an SVG as what it is, with its source to read', async () => {
    const { mime, description } = await load('/logo.svg');
    expect(mime).toBe('image/svg+xml');
    expect(description).toContain('<text>hi</text>');
  });

  it('never leaves the folder, by path or by link', async () => {
    for (const locator of ['../../secret.png', '%2e%2e/../secret.png', 'link.png']) {
      await expect(load(locator)).rejects.toMatchObject({ code: 'outside_folder' });
    }
  });

  it('says what is missing, too large or on the network', async () => {
    for (const locator of [
      'none.png',
      'loop.png',
      'img',
      '',
      '?x',
      '\0',
      '%00.png',
      'a'.repeat(5000),
      `${join(base, 'secret.png')}`,
    ]) {
      await expect(load(locator)).rejects.toMatchObject({ code: 'missing_image' });
    }
    await expect(load('big.png')).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('6.0 MB'),
    });
    for (const locator of ['https://example.com/a.png', 'HTTP://x', '//cdn/a.png', 'file:///etc/passwd']) {
      await expect(load(locator)).rejects.toMatchObject({ code: 'remote_image' });
    }
  });

  it('reads pictures embedded in text', async () => {
    const url = `data:image/png;base64,${Buffer.from(squares).toString('base64')}`;
    expect(await load(url)).toMatchObject({ mime: 'image/png', width: 2 });
    expect(await load('data:image/svg+xml,%3Csvg%3E%3C/svg%3E')).toMatchObject({ mime: 'image/svg+xml' });
    const big = `data:image/png;base64,${Buffer.concat([squares, Buffer.alloc(1000)]).toString('base64')}`;
    const text = `![a](${url}) ![b](${big})\n`;
    expect(images(await read('a.md', text))).toEqual([`a <${url}>`, 'b <inline:0>']);
    expect((await load('inline:0', 'a.md', Buffer.from(text))).bytes).toHaveLength(squares.length + 1000);
    await expect(load('inline:1', 'a.md', Buffer.from(text))).rejects.toMatchObject({ code: 'missing_image' });
  });

  it('reads pictures of notebooks and Word documents', async () => {
    const png = Buffer.from(squares).toString('base64');
    const cells = [
      { cell_type: 'markdown', source: '', attachments: { 'a b.png': { 'image/png': png } } },
      {
        cell_type: 'code',
        source: '',
        outputs: [{ data: { 'image/png': [png, '\n'] } }, { data: { 'image/svg+xml': ['<svg>', '</svg>'] } }],
      },
    ];
    const notebook = Buffer.from(JSON.stringify({ cells }));
    for (const locator of ['cell:0/attachment:a%20b.png', 'cell:1/output:0']) {
      expect(Buffer.from((await load(locator, 'n.ipynb', notebook)).bytes).equals(squares)).toBe(true);
    }
    expect((await load('cell:1/output:1', 'n.ipynb', notebook)).mime).toBe('image/svg+xml');
    await expect(load('cell:9/output:0', 'n.ipynb', notebook)).rejects.toMatchObject({ code: 'missing_image' });
    const report = await fixture('report.docx');
    expect(Buffer.from((await load('image:0', 'report.docx', report)).bytes).equals(squares)).toBe(true);
    await expect(load('image:1', 'report.docx', report)).rejects.toMatchObject({ code: 'missing_image' });
  });

  it('draws a page of a PDF in its colours, about 1,200 pixels wide', async () => {
    const { mime, bytes, width, height } = await load('page:1', 'scanned.pdf', await fixture('scanned.pdf'));
    expect(mime).toBe('image/png');
    expect(Math.abs(width! - 1200)).toBeLessThan(10);
    const png = decode(bytes);
    const pixel = (x: number, y: number) => [
      ...png.data.slice((y * png.width + x) * png.channels, (y * png.width + x) * png.channels + 3),
    ];
    expect(pixel(Math.round(width! / 4), Math.round(height! / 2))).toEqual([255, 0, 0]);
    expect(pixel(Math.round((width! * 3) / 4), Math.round(height! / 2))).toEqual([0, 0, 255]);
  });

  it('says that a page does not exist or a PDF is damaged', async () => {
    await expect(load('page:9', 'scanned.pdf', await fixture('scanned.pdf'))).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(load('page:1', 'damaged.pdf', await fixture('damaged.pdf'))).rejects.toMatchObject({
      code: 'damaged',
    });
  });
});
