import { getDocumentProxy } from 'unpdf';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { UserError } from '../../errors.ts';
import type { Block, Reader } from '../document.ts';
import { type HeadingLevel, headingsBySize, type PdfBlock, toBlocks } from './pdf-blocks.ts';
import { type Line, type TextItem, toLines, withoutRunningHeads } from './pdf-lines.ts';
import { headingsByOutline } from './pdf-outline.ts';
import { pagesWithPictures } from './pdfium.ts';

const maxPages = 2000;

/**
 * Reads a PDF's text page by page. Headings come from the outline, or else from font sizes. The locator `page:4` stands
 * on captions, on the first block of a page with pictures, and alone for a page without text.
 * Throws `UserError` `encrypted` or `damaged`.
 */
export const readPdf: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const document = await open(bytes, path);
  try {
    const pages: Line[][] = [];
    const count = Math.min(document.numPages, maxPages);
    for (let number = 1; number <= count; number++) {
      signal?.throwIfAborted();
      pages.push(await readPage(document, number));
    }
    const warnings: string[] = [];
    const pictures = await pagesWithPictures(bytes, path, count).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      warnings.push('Its pages cannot be drawn, so its pictures are not shown.');
      return new Set<number>();
    });
    const lines = withoutRunningHeads(pages);
    const all = lines.flat();
    const bySize = headingsBySize(all);
    const headingLevel = (await headingsByOutline(document, all)) ?? bySize;
    const blocks = lines.flatMap((page, index) => withPicture(toBlocks(page, headingLevel), index + 1, pictures));
    warnings.push(...notes(document.numPages, all.length));
    const title = (await metadataTitle(document)) || largestLine(lines[0] ?? [], bySize);
    return { title, ...place(blocks), warnings };
  } finally {
    await document.loadingTask.destroy();
  }
};

async function open(bytes: Uint8Array, path: string): Promise<PDFDocumentProxy> {
  try {
    // pdf.js takes the bytes it is given for itself.
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false, stopAtErrors: false });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new UserError(
        'encrypted',
        `${path} is encrypted; its text cannot be read.`,
        'Save a copy without a password.',
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      'damaged',
      `${path} cannot be read as a PDF: ${reason}`,
      'Open it in a PDF viewer and save it again.',
    );
  }
}

async function readPage(document: PDFDocumentProxy, number: number): Promise<Line[]> {
  const page = await document.getPage(number);
  const content = await page.getTextContent();
  const items = content.items.filter((item) => 'str' in item) as TextItem[];
  const lines = toLines(items, number, (font) => content.styles[font]?.fontFamily === 'monospace');
  page.cleanup();
  return lines;
}

function withPicture(blocks: PdfBlock[], page: number, pictures: ReadonlySet<number>): PdfBlock[] {
  const images = [{ locator: `page:${page}`, alt: `Page ${page}` }];
  if (blocks.length === 0) return [{ kind: 'image', text: `[Page ${page}: no text]`, page, images }];
  if (!pictures.has(page) || blocks.some((block) => block.images)) return blocks;
  const first = Math.max(
    0,
    blocks.findIndex((block) => block.kind !== 'heading'),
  );
  return blocks.map((block, index) => (index === first ? { ...block, images } : block));
}

function place(parts: readonly PdfBlock[]): { text: string; blocks: Block[] } {
  const texts: string[] = [];
  const blocks: Block[] = [];
  let at = 0;
  for (const [index, { text, ...block }] of parts.entries()) {
    const listed = block.kind === 'list-item' && parts[index + 1]?.kind === 'list-item';
    const own = `${text}${listed ? '\n' : '\n\n'}`;
    blocks.push({ ...block, start: at, end: at + own.length });
    texts.push(own);
    at += own.length;
  }
  return { text: texts.join(''), blocks };
}

function notes(pages: number, lines: number): string[] {
  const warnings: string[] = [];
  if (pages > maxPages) warnings.push(`Only the first ${maxPages} of ${pages} pages were read.`);
  if (lines === 0)
    warnings.push('The PDF has no text, only pictures (a scan?): its pages can be viewed but not searched.');
  return warnings;
}

/** A title page's title: the first line in its largest size, if that is a heading's. */
function largestLine(page: readonly Line[], headingLevel: HeadingLevel): string {
  const largest = page.toSorted((a, b) => b.size - a.size)[0];
  return largest && headingLevel(largest) !== undefined ? largest.text.trim() : '';
}

async function metadataTitle(document: PDFDocumentProxy): Promise<string> {
  const { info } = await document.getMetadata();
  const title: unknown = 'Title' in info ? info.Title : '';
  return typeof title === 'string' && !/^(?:untitled|microsoft word|about:blank)|\.\w{2,5}$/i.test(title)
    ? title.trim()
    : '';
}
