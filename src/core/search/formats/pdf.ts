import { getDocumentProxy } from 'unpdf';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { UserError } from '../../errors.ts';
import type { Block, Reader, SourceDocument } from '../document.ts';
import { type HeadingLevel, headingsBySize, type PdfBlock, toBlocks } from './pdf-blocks.ts';
import { type Line, type TextItem, toLines, withoutRunningHeads } from './pdf-lines.ts';
import { headingsByOutline } from './pdf-outline.ts';
import { ignoringPdfRejections } from './pdf-rejections.ts';
import { pagesWithPictures } from './pdfium.ts';

const maxPages = 2000;

/**
 * Reads a PDF's text page by page. Headings come from the outline, or else from font sizes. The locator `page:4` stands
 * on captions, on the first block of a page with pictures, and alone for a page without text.
 * Throws `UserError` `encrypted` or `damaged`.
 */
export const readPdf: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  return ignoringPdfRejections(async () => {
    const document = await open(bytes, path);
    try {
      return await readDocument(document, path, bytes, signal);
    } finally {
      await document.loadingTask.destroy();
    }
  });
};

async function readDocument(
  document: PDFDocumentProxy,
  path: string,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<SourceDocument> {
  const warnings: string[] = [];
  const pages: Line[][] = [];
  const count = Math.min(document.numPages, maxPages);
  if (count < document.numPages) warnings.push(`Only the first ${count} of ${document.numPages} pages were read.`);
  const unread: number[] = [];
  for (let number = 1; number <= count; number++) {
    signal?.throwIfAborted();
    const lines = await readPage(document, number).catch(() => unread.push(number));
    pages.push(Array.isArray(lines) ? lines : []);
  }
  if (unread.length === count) throw damaged(path, 'none of its pages can be read');
  if (unread.length > 0)
    warnings.push(`Damaged pages were left out: ${unread.slice(0, 20).join(', ')}${unread.length > 20 ? ', …' : ''}.`);
  const pictures = await pagesWithPictures(bytes, path, count).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    warnings.push('Its pages cannot be drawn, so its pictures are not shown.');
    return new Set<number>();
  });
  const lines = withoutRunningHeads(pages);
  const all = lines.flat();
  if (all.length === 0)
    warnings.push('The PDF has no text, only pictures (a scan?): its pages can be viewed but not searched.');
  const bySize = headingsBySize(all);
  // A damaged outline or title costs no more than itself.
  const headingLevel = (await headingsByOutline(document, all).catch(() => undefined)) ?? bySize;
  const title = (await metadataTitle(document).catch(() => '')) || largestLine(lines[0] ?? [], bySize);
  const blocks = lines.flatMap((page, index) => withPicture(toBlocks(page, headingLevel), index + 1, pictures));
  return { title, ...place(blocks), warnings };
}

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
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
}

function damaged(path: string, reason: string): UserError {
  return new UserError(
    'damaged',
    `${path} cannot be read as a PDF: ${reason}`,
    'Open it in a PDF viewer and save it again.',
  );
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
