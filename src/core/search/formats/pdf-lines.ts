/** One item of a page's text as pdf.js gives it: a run in one font, with the matrix that places it. */
export interface TextItem {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly hasEOL: boolean;
  readonly fontName: string;
}

/** A line of a PDF page. Positions and sizes are in points, `y` from the bottom of the page. */
export interface Line {
  readonly text: string;
  readonly page: number;
  readonly x: number;
  readonly y: number;
  /** Font size of most of its characters. */
  readonly size: number;
  readonly width: number;
  readonly monospaced: boolean;
}

/** The dots of a table of contents. */
const leader = /\s?(?:\. ?){5,}/g;

/** Joins a page's items, which come in reading order, into lines. */
export function toLines(items: readonly TextItem[], page: number, isMonospaced: (font: string) => boolean): Line[] {
  const lines: Line[] = [];
  let run: TextItem[] = [];
  const flush = (): void => {
    const line = joinRun(run, page, isMonospaced);
    if (line) lines.push(line);
    run = [];
  };
  for (const item of items) {
    const last = run.at(-1);
    if (last && item.str !== '' && startsLine(last, item)) flush();
    if (item.str !== '') run.push(item);
    if (item.hasEOL) flush();
  }
  flush();
  return lines;
}

function startsLine(last: TextItem, next: TextItem): boolean {
  const rise = Math.abs(y(next) - y(last));
  return rise > 0.6 * Math.max(size(last), size(next)) || x(next) < x(last) - size(last);
}

function joinRun(run: readonly TextItem[], page: number, isMonospaced: (font: string) => boolean): Line | undefined {
  let text = '';
  let end = Number.NaN;
  const weights = new Map<number, number>();
  for (const item of run) {
    // A gap as wide as a space is one, even where the file has no character for it.
    if (x(item) - end > 0.15 * size(item) && !/\s$/.test(text) && !/^\s/.test(item.str)) text += ' ';
    text += item.str;
    end = x(item) + item.width;
    weights.set(size(item), (weights.get(size(item)) ?? 0) + item.str.trim().length);
  }
  const [first] = run;
  const trimmed = text.replaceAll('\0', '').replace(leader, ' … ').trimEnd();
  if (!first || trimmed.trim() === '') return undefined;
  const [main] = [...weights].reduce((best, next) => (next[1] > best[1] ? next : best));
  const monospaced = run.every((item) => item.str.trim() === '' || isMonospaced(item.fontName));
  return { text: trimmed, page, x: x(first), y: y(first), size: main, width: end - x(first), monospaced };
}

function x(item: TextItem): number {
  return item.transform[4] ?? 0;
}

function y(item: TextItem): number {
  return item.transform[5] ?? 0;
}

/** In half points, so that rounding in the file makes no two sizes of one. */
function size(item: TextItem): number {
  return Math.round(2 * Math.hypot(item.transform[2] ?? 0, item.transform[3] ?? 0)) / 2;
}

/** What stands in the same place of fewer pages is no running head. */
const fewPages = 3;

/**
 * Drops what stands alone at the top or bottom of three pages or more, at the same height and the same but for numbers: running
 * heads and page numbers. A larger line is a heading and stays.
 */
export function withoutRunningHeads(pages: readonly (readonly Line[])[]): Line[][] {
  const counts = new Map<string, number>();
  for (const lines of pages) for (const line of edges(lines)) counts.set(key(line), (counts.get(key(line)) ?? 0) + 1);
  return pages.map((lines) => {
    const heads = new Set(edges(lines).filter((line) => (counts.get(key(line)) ?? 0) >= fewPages));
    return lines.filter((line) => !heads.has(line));
  });
}

/** A page's first and last line, where more than a line's height parts them from a text no smaller than they are. */
function edges(lines: readonly Line[]): Line[] {
  const pairs = [lines.slice(0, 2), lines.slice(-2).toReversed()];
  return pairs.flatMap(([edge, next]) => {
    const alone = edge && next && Math.abs(edge.y - next.y) > 2 * edge.size && edge.size <= next.size;
    return alone ? [edge] : [];
  });
}

function key(line: Line): string {
  return `${Math.round(line.y)} ${line.text.replace(/\d+|\b[ivxlc]+\b/g, '#').trim()}`;
}
