import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, withoutRunningHeads } from '../../../../src/core/search/formats/pdf-lines.ts';
import { chunkTexts, fixture, headings, images, outline, read, readFixture } from './read.ts';

describe('readPdf', () => {
  it('reads text by page, with headings, mended words and code', async () => {
    const source = await readFixture('guide.pdf');
    expect(source.title).toBe('Lighthouse guide');
    expect(headings(source)).toEqual([
      [1, 'Lighthouse guide'],
      [2, 'Keeping the lamp'],
      [2, 'Signals'],
      [2, 'Stores'],
    ]);
    expect(outline(source)).toContain('code: lamp --on\nlamp --status');
    expect(source.text).toMatch(/calendar of the harbour office, which is often/);
    expect(source.text).toContain('Item Count\nOil 40\nWicks 12');
    expect(source.blocks.find((block) => block.heading === 'Signals')?.page).toBe(2);
    expect(source.warnings).toEqual([]);
  });

  it('shows the page that a caption stands on', async () => {
    expect(images(await readFixture('guide.pdf'))).toEqual([
      'Figure 1: The two colours of the signal lamp. <page:2>',
      'Table 1: What is kept. <page:3>',
    ]);
  });

  it('says that a scan has no text, and makes each page a picture', async () => {
    const source = await readFixture('scanned.pdf');
    expect(source.warnings).toEqual([expect.stringContaining('no text')]);
    expect(source.blocks).toMatchObject([{ kind: 'image', page: 1, images: [{ locator: 'page:1' }] }]);
  });

  it('refuses encrypted, damaged and empty files with the reason', async () => {
    await expect(readFixture('encrypted.pdf')).rejects.toMatchObject({ code: 'encrypted' });
    await expect(readFixture('damaged.pdf')).rejects.toMatchObject({ code: 'damaged' });
    await expect(read('empty.pdf', '')).rejects.toMatchObject({ code: 'damaged' });
  });
});

describe('a PDF with damage anywhere', () => {
  it('is read as far as it goes or refused with the reason', async () => {
    const whole = await fixture('guide.pdf');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 30 }),
        async (changes) => {
          const bytes = whole.slice();
          for (const [at, value] of changes) bytes[at] = value;
          const outcome = await read('a.pdf', bytes).catch((error: unknown) => error);
          if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'UserError' });
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('withoutRunningHeads', () => {
  const line = (text: string, y: number, size = 10): Line => ({
    text,
    y,
    size,
    page: 1,
    x: 0,
    width: 100,
    monospaced: false,
  });

  it('drops what repeats alone at an edge, but for its numbers, and keeps headings and text', () => {
    const pages = [1, 2, 3, 4].map((page) => [
      line(`Manual ${page}`, 800),
      line(`Chapter ${page}`, 700, 18),
      line('the same text on every page', 680),
      line(`${page}`, 30),
    ]);
    const kept = withoutRunningHeads(pages).map((lines) => lines.map(({ text }) => text));
    expect(kept[2]).toEqual(['Chapter 3', 'the same text on every page']);
    const titles = [1, 2, 3].map((page) => [line(`Section ${page}`, 700, 18), line('text', 650), line('same', 640)]);
    expect(withoutRunningHeads(titles)).toEqual(titles);
    expect(withoutRunningHeads(pages.slice(0, 2))).toEqual(pages.slice(0, 2));
  });
});

describe('readDocx', () => {
  it('reads headings, tables and pictures', async () => {
    const source = await readFixture('report.docx');
    expect(source.title).toBe('Harbour report');
    expect(outline(source)).toEqual([
      'heading: # Harbour report',
      'text: Forty ships called in **March**.',
      'heading: ## Tonnage',
      'table: | Ship | Tons |\n| --- | --- |\n| Aurora | 900 |',
      'image: ![Two berths](image:0)',
    ]);
    expect(images(source)).toEqual(['Two berths <image:0>']);
    expect(chunkTexts(source)).toHaveLength(3);
  });

  it('refuses damaged archives wherever they are cut or changed', async () => {
    const whole = await fixture('report.docx');
    for (const length of [0, 1, 30, whole.length >> 1, whole.length - 1]) {
      await expect(read('a.docx', whole.slice(0, length))).rejects.toMatchObject({ code: 'damaged' });
    }
    const changed = whole.slice();
    changed[60] = (changed[60] ?? 0) ^ 0xff;
    await expect(read('a.docx', changed)).rejects.toMatchObject({ code: 'damaged' });
    await expect(read('a.docx', 'plain text')).rejects.toMatchObject({ code: 'damaged' });
  });

  it('refuses an archive that unpacks to too much, whether or not it admits it', async () => {
    const zeros = deflateRawSync(Buffer.alloc(300 * 1024 * 1024));
    await expect(read('a.docx', zip('word/document.xml', zeros, 300 * 1024 * 1024))).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(read('a.docx', zip('word/document.xml', zeros, 1000))).rejects.toMatchObject({ code: 'damaged' });
  });
});

/** A ZIP archive of one entry that claims the given size. */
function zip(name: string, packed: Buffer, size: number): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]);
}
