/** Rows of a CSV or TSV text, as far as they are complete. */
export interface DelimitedRows {
  readonly delimiter: string;
  readonly rows: readonly (readonly string[])[];
  /** True when a quoted field never ends. */
  readonly unclosed: boolean;
}

const DELIMITERS = [',', '\t', ';', '|'];

/**
 * Reads rows by RFC 4180, with any of the usual delimiters: the one that the first lines have most evenly. `ends` says that
 * the text is whole; otherwise its last row, which may be cut, is left out. Linear in the text.
 */
export function readDelimited(text: string, { most, ends }: { most: number; ends: boolean }): DelimitedRows {
  const delimiter = sniff(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= text.length && rows.length < most) {
    let value: string;
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      if (close < 0) return { delimiter, rows, unclosed: ends };
      value = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
      // What stands between the closing quote and the delimiter belongs to no field.
      at = endOfField(text, at, delimiter);
    } else {
      const end = endOfField(text, at, delimiter);
      value = text.slice(at, end);
      at = end;
    }
    row.push(value);
    if (text[at] === delimiter) {
      at++;
      continue;
    }
    const last = at >= text.length;
    if (last && !ends) break;
    if (row.length > 1 || row[0] !== '' || !last) rows.push(row);
    row = [];
    at++;
    if (last) break;
  }
  return { delimiter, rows: rows.filter((fields) => fields.length > 1 || fields[0] !== ''), unclosed: false };
}

function endOfField(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) if (text[at] === delimiter || text[at] === '\n') return at;
  return text.length;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}

function sniff(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split('\n', 10)
    .filter((line) => line.trim() !== '');
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1);
    const least = Math.min(...counts);
    const score =
      least > 0 ? least + (counts.every((count) => count === counts[0]) ? 100 : 0) : (counts[0] ?? 0) / 1000;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}
