import { cutText, jsonBytes } from './page.ts';

export type PaginationMode = 'lines' | 'chars' | 'chunks';

export interface TextWindow {
  /** Lines, UTF-16 units or chunks, by mode; all three count from 0. */
  readonly mode: PaginationMode;
  readonly start: number;
  /** Most units to return; null for the mode's default: 400 lines, 20,000 characters or 20 chunks. */
  readonly count: number | null;
}

export interface WindowedText {
  readonly content: string;
  readonly pagination_mode: PaginationMode;
  readonly start: number;
  readonly returned: number;
  /** Units of the whole text. */
  readonly total: number;
  readonly has_more: boolean;
  /** Pass as `start` for the next window; null at the end. */
  readonly next_start: number | null;
  /** Set when the window ended before `count` because the answer would have been too large. */
  readonly limited_by_size?: true;
  /** Set when not even one unit fitted: where the rest of it is read. */
  readonly rest_of_unit?: { readonly pagination_mode: 'chars'; readonly start: number };
}

const DEFAULT_COUNT = { lines: 400, chars: 20_000, chunks: 20 };

/**
 * A window of a text, in at most `maxBytes` of JSON. `chunkEnds` are the offsets at which the text's chunks end.
 * Following `next_start` gives every unit once.
 */
export function windowOf(
  text: string,
  { mode, start, count }: TextWindow,
  chunkEnds: readonly number[],
  maxBytes: number,
): WindowedText {
  const wanted = count ?? DEFAULT_COUNT[mode];
  if (mode === 'chars') return charsOf(text, start, wanted, maxBytes);
  const ends = mode === 'chunks' ? chunkEnds : lineEnds(text);
  const total = ends.length;
  const startOf = (unit: number) => (unit === 0 ? 0 : ends[unit - 1]!);
  const last = Math.min(total, start + wanted);
  let end = start;
  let bytes = 2;
  while (end < last) {
    const next = jsonBytes(text.slice(startOf(end), ends[end]!)) - 2;
    if (bytes + next > maxBytes) break;
    bytes += next;
    end++;
  }
  const head = { pagination_mode: mode, start, total };
  if (end === start && start < last) {
    // One unit is larger than an answer may be.
    const content = cutText(text.slice(startOf(start), ends[start]!), maxBytes);
    const rest = { pagination_mode: 'chars' as const, start: startOf(start) + content.length };
    const more = start + 1 < total;
    return {
      content,
      ...head,
      returned: 1,
      has_more: more,
      next_start: more ? start + 1 : null,
      limited_by_size: true,
      rest_of_unit: rest,
    };
  }
  const more = end < total;
  return {
    content: start < end ? text.slice(startOf(start), ends[end - 1]!) : '',
    ...head,
    returned: Math.max(0, end - start),
    has_more: more,
    next_start: more ? end : null,
    ...(end < last && { limited_by_size: true as const }),
  };
}

function charsOf(text: string, start: number, count: number, maxBytes: number): WindowedText {
  const from = Math.min(text.length, insidePair(text, start) ? start - 1 : start);
  const to = Math.min(text.length, from + count);
  const whole = text.slice(from, insidePair(text, to) ? to + 1 : to);
  const content = jsonBytes(whole) <= maxBytes ? whole : cutText(whole, maxBytes);
  const end = from + content.length;
  const more = end < text.length;
  return {
    content,
    pagination_mode: 'chars',
    start: from,
    returned: content.length,
    total: text.length,
    has_more: more,
    next_start: more ? end : null,
    ...(content.length < whole.length && { limited_by_size: true as const }),
  };
}

/** True when cutting at this offset would tear a character of two units apart. */
function insidePair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
}

function lineEnds(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at + 1);
  if (text !== '' && ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}
