import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import type { HeadingLevel } from './pdf-blocks.ts';
import type { Line } from './pdf-lines.ts';

const maxEntries = 5000;
const maxLevel = 6;

type Entry = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];

/**
 * Headings by the document's outline: lines that read as one of its entries, on the page it points to. Undefined if
 * there is no outline or fewer than half of its entries are found in the text.
 */
export async function headingsByOutline(
  document: PDFDocumentProxy,
  lines: readonly Line[],
): Promise<HeadingLevel | undefined> {
  const entries = new Map<string, number>();
  const stack = ((await document.getOutline()) ?? []).toReversed().map((entry) => ({ entry, level: 1 }));
  for (let next = stack.pop(); next && entries.size < maxEntries; next = stack.pop()) {
    const { entry, level } = next;
    const page = await pageOf(document, entry);
    if (page !== undefined) entries.set(key(page, entry.title), Math.min(level, maxLevel));
    for (const item of entry.items.toReversed()) stack.push({ entry: item as Entry, level: level + 1 });
  }
  const found = new Map<Line, number>();
  const left = new Map(entries);
  for (const line of lines) {
    const name = key(line.page, line.text);
    const level = left.get(name);
    if (level !== undefined) found.set(line, level);
    left.delete(name);
  }
  return entries.size > 0 && found.size * 2 >= entries.size ? (line) => found.get(line) : undefined;
}

async function pageOf(document: PDFDocumentProxy, { dest }: Entry): Promise<number | undefined> {
  try {
    const target = typeof dest === 'string' ? await document.getDestination(dest) : dest;
    const reference: unknown = target?.[0];
    if (typeof reference === 'number') return reference + 1;
    return reference ? (await document.getPageIndex(reference as never)) + 1 : undefined;
  } catch {
    // An entry that points nowhere costs only its heading.
    return undefined;
  }
}

/** Numbering is left out: an outline often has titles without it. */
function key(page: number, title: string): string {
  const bare = title.toLowerCase().replace(/^\s*(?:(?:chapter|section|appendix)\s+)?[\divx]+(?:\.\d+)*[.:)]?\s+/, '');
  return `${page} ${bare.replace(/[^\p{L}\p{N}]+/gu, '')}`;
}
