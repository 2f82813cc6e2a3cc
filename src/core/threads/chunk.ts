import { cutText } from '../util/page.ts';

/** A part of a text; the parts that follow each other's `next_offset`, joined, are the text. */
export interface TextChunk {
  readonly value: string;
  readonly offset: number;
  readonly total_chars: number;
  readonly has_more: boolean;
  /** Where the next part starts, in UTF-16 units; null after the last. */
  readonly next_offset: number | null;
}

/** At most `maxChars` UTF-16 units and `maxBytes` of JSON from `offset` on, but at least one character. */
export function chunkOf(
  text: string,
  offset: number,
  maxChars: number,
  maxBytes = Number.POSITIVE_INFINITY,
): TextChunk {
  const start = Math.min(offset, text.length);
  let value = text.slice(start, pairEnd(text, start, Math.min(text.length, start + maxChars)));
  if (maxBytes !== Number.POSITIVE_INFINITY) {
    const fitting = cutText(value, maxBytes);
    value = fitting === '' ? text.slice(start, pairEnd(text, start, start + 1)) : fitting;
  }
  const end = start + value.length;
  const more = end < text.length;
  return { value, offset: start, total_chars: text.length, has_more: more, next_offset: more ? end : null };
}

/** An end that does not split a surrogate pair, and lies after `start`. */
function pairEnd(text: string, start: number, end: number): number {
  const splits = end < text.length && isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end));
  if (!splits || end <= start) return end;
  return end - 1 > start ? end - 1 : end + 1;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
