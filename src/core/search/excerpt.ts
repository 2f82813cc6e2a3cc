import { cutText, jsonBytes } from '../util/page.ts';
import { fold } from './fold.ts';

/**
 * The passage of a text, at most `maxBytes` of JSON, that holds most of the query's words; the text itself when it fits.
 * Passages start at a line or sentence.
 */
export function excerpt(text: string, query: string, maxBytes: number): string {
  if (jsonBytes(text) <= maxBytes) return text;
  const words = new Set(wordsOf(query).filter((word) => word.length > 2));
  const starts = passageStarts(text);
  const width = Math.max(1, Math.floor((maxBytes * text.length) / jsonBytes(text)));
  // The words' places once, then a window over the passages: linear in the text.
  const places: { at: number; stem: string }[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const stem = stemOf(match[0]);
    for (const word of words) if (stem === stemOf(word)) places.push({ at: match.index, stem });
  }
  let best = 0;
  let bestScore = -1;
  for (const start of starts) {
    const inside = places.filter(({ at }) => at >= start && at < start + width);
    const score = new Set(inside.map(({ stem }) => stem)).size * 10 + Math.min(inside.length, 9);
    if (score > bestScore) {
      bestScore = score;
      best = start;
    }
  }
  const latest = starts.findLast((start) => start <= Math.max(0, text.length - width)) ?? 0;
  return cutText(text.slice(Math.min(best, latest)), maxBytes);
}

function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A word without its most common endings: enough to mark where a passage speaks of the query. */
function stemOf(word: string): string {
  return fold(word).replace(/(?:ing|ed|es|s)$/, '');
}

function passageStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\n+|(?<=[.!?])\s+/g)) starts.push(match.index + match[0].length);
  return starts.filter((start) => start < text.length);
}
