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

/** Drops what stands at the top or bottom of many pages, the same but for numbers: running heads and page numbers. */
export function withoutRunningHeads(pages: readonly (readonly Line[])[]): Line[][] {
  const counts = new Map<string, number>();
  for (const lines of pages) for (const key of edges(lines)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const least = Math.max(3, pages.length * 0.3);
  const repeats = (line: Line): boolean => (counts.get(edgeKey(line)) ?? 0) >= least;
  return pages.map((lines) => {
    const outer = new Set(edges(lines));
    return lines.filter((line, index) => {
      const atEdge = index < 2 || index >= lines.length - 2;
      return !(atEdge && outer.has(edgeKey(line)) && repeats(line));
    });
  });
}

function edges(lines: readonly Line[]): Set<string> {
  return new Set([...lines.slice(0, 2), ...lines.slice(-2)].map(edgeKey));
}

function edgeKey(line: Line): string {
  return line.text.replace(/\d+|\b[ivxlc]+\b/g, '#').trim();
}
