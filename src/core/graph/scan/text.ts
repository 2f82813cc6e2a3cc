/** Longest text kept as an asset's definition, in UTF-16 units. */
const LONGEST_DEFINITION = 20_000;
const LONGEST_DESCRIPTION = 2000;

/** Lines (from 1) of offsets in a text, found in logarithmic time. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** A definition short enough to keep; a cut one says so in its last line. */
export function definitionOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST_DEFINITION
    ? trimmed
    : `${trimmed.slice(0, LONGEST_DEFINITION).toWellFormed()}\n-- … ${trimmed.length - LONGEST_DEFINITION} more characters`;
}

/** A description of any value: strings and numbers, trimmed and bounded; undefined for anything else or empty. */
export function described(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
  return text === '' ? undefined : text.slice(0, LONGEST_DESCRIPTION).toWellFormed();
}

/** The comment that stands at the beginning of a SQL or Python text, without its marks. */
export function leadingComment(text: string, mark: '--' | '#'): string | undefined {
  const lines: string[] = [];
  for (const line of text.trimStart().split('\n', 12)) {
    if (!line.startsWith(mark)) break;
    lines.push(line.slice(mark.length).trim());
  }
  return described(lines.join(' '));
}

/** An object of a parsed file; empty for anything that is none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return listOf(value).filter((item) => typeof item === 'string');
}

/** The key with its value, unless the value is missing or empty: for building objects without undefined members. */
export function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return empty ? {} : ({ [key]: value } as { [P in K]?: V });
}
