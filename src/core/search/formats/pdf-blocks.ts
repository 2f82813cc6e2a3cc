import type { Block } from '../document.ts';
import type { Line } from './pdf-lines.ts';

/** A block of a PDF before its place in the document's text is known. */
export type PdfBlock = Omit<Block, 'start' | 'end'> & { readonly text: string; readonly page: number };

/** The level of a heading line; undefined for any other line. */
export type HeadingLevel = (line: Line) => number | undefined;

const bullet = /^\s*(?:[•‣◦▪●–]|\(?\d{1,3}[.)]|[a-z][.)])\s/;
const caption = /^\s*(?:figure|fig\.|table|chart|exhibit|diagram)\s*[A-Z]?\d+(?:[.-]\d+)*\s*[:.|—–-]?/i;
const maxHeading = 200;

/** Joins lines into headings, paragraphs, list items and code, mending words that are hyphenated at a line's end. */
export function toBlocks(lines: readonly Line[], headingLevel: HeadingLevel): PdfBlock[] {
  const pitch = linePitch(lines);
  const broken = brokenOff(lines);
  const blocks: PdfBlock[] = [];
  let group: Line[] = [];
  const flush = (): void => {
    if (group.length > 0) blocks.push(toBlock(group, headingLevel, broken));
    group = [];
  };
  for (const line of lines) {
    const last = group.at(-1);
    if (last && !continues(last, line, pitch, headingLevel)) flush();
    group.push(line);
  }
  flush();
  return blocks;
}

/** The distance from line to line within paragraphs: the most common one, in units of the font size. */
function linePitch(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (!next || next.page !== line.page || next.size !== line.size || next.y >= line.y) continue;
    const pitch = Math.round((20 * (line.y - next.y)) / line.size) / 20;
    counts.set(pitch, (counts.get(pitch) ?? 0) + 1);
  }
  const common = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [1.2, 0]);
  return Math.min(2.5, Math.max(1, common[0]));
}

/** Lines that end well before the right edge of their column: a table's rows, verse, an address. The break is meant. */
function brokenOff(lines: readonly Line[]): Set<Line> {
  const broken = new Set<Line>();
  const byStart = lines.toSorted((a, b) => a.x - b.x);
  const left = byStart[0]?.x ?? 0;
  let right = 0;
  let edge = 0;
  for (const line of byStart) {
    // Lines that start further to the right, by more than an indentation, are another column's.
    while (edge < byStart.length && byStart[edge]!.x <= line.x + line.size) {
      right = Math.max(right, byStart[edge]!.x + byStart[edge]!.width);
      edge++;
    }
    if (/ … \S+$/.test(line.text) || line.x + line.width < right - 0.25 * (right - left)) broken.add(line);
  }
  return broken;
}

function continues(last: Line, line: Line, pitch: number, headingLevel: HeadingLevel): boolean {
  if (last.page !== line.page || last.monospaced !== line.monospaced) return false;
  const distance = (last.y - line.y) / line.size;
  if (headingLevel(last) !== undefined || headingLevel(line) !== undefined) {
    return headingLevel(last) === headingLevel(line) && last.size === line.size && distance > 0 && distance < 1.6;
  }
  if (line.monospaced) return distance > 0 && distance < 4 * pitch;
  if (bullet.test(line.text) || caption.test(line.text)) return false;
  // At the top of the next column only a sentence that is still open goes on.
  if (distance <= 0) return /[\p{L},;-]$/u.test(last.text) && /^\p{Ll}/u.test(line.text);
  return distance < pitch * 1.15 + 0.05 && Math.abs(last.size - line.size) <= 0.1 * line.size;
}

function toBlock(lines: readonly Line[], headingLevel: HeadingLevel, broken: ReadonlySet<Line>): PdfBlock {
  const [first] = lines as [Line];
  const { page } = first;
  const level = headingLevel(first);
  if (first.monospaced && level === undefined) return { kind: 'code', text: code(lines), page };
  const text = paragraph(lines, level === undefined ? broken : new Set());
  if (level !== undefined && text.length <= maxHeading) return { kind: 'heading', level, heading: text, text, page };
  if (caption.test(text))
    return { kind: 'text', text, page, images: [{ locator: `page:${page}`, alt: text.slice(0, 300) }] };
  return { kind: bullet.test(text) ? 'list-item' : 'text', text, page };
}

function paragraph(lines: readonly Line[], broken: ReadonlySet<Line>): string {
  const parts: string[] = [];
  for (const [index, line] of lines.entries()) {
    const { text } = line;
    const next = lines[index + 1]?.text;
    const hyphenated = next !== undefined && /\p{L}[-\u00ad]$/u.test(text) && /^\s*\p{Ll}/u.test(next);
    parts.push(
      hyphenated ? text.trim().slice(0, -1) : text.trim() + (next === undefined ? '' : broken.has(line) ? '\n' : ' '),
    );
  }
  return parts.join('').toWellFormed();
}

/** Lines of code with the indentation that their places on the page show. */
function code(lines: readonly Line[]): string {
  const left = lines.reduce((least, line) => Math.min(least, line.x), Number.POSITIVE_INFINITY);
  return lines
    .map((line) => {
      const character = line.width / Math.max(1, line.text.length) || line.size / 2;
      return ' '.repeat(Math.min(80, Math.round((line.x - left) / character))) + line.text;
    })
    .join('\n')
    .toWellFormed();
}

/** Headings by font size: lines well above the size of most text, the largest size the first level. */
export function headingsBySize(lines: readonly Line[]): HeadingLevel {
  const weights = new Map<number, number>();
  for (const line of lines) weights.set(line.size, (weights.get(line.size) ?? 0) + line.text.length);
  const [body] = [...weights].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0]);
  const candidate = (line: Line): boolean =>
    line.size >= body * 1.15 && line.text.length <= maxHeading && /\p{L}/u.test(line.text);
  const sizes = [...new Set(lines.filter(candidate).map((line) => line.size))].sort((a, b) => b - a);
  return (line) => (candidate(line) ? Math.min(6, sizes.indexOf(line.size) + 1) : undefined);
}
