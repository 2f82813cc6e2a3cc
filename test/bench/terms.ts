import { STOP_STEMS, STOP_WORDS } from '../../src/core/search/stop-words.ts';
import { tokenize } from '../../src/core/search/tokenize.ts';

/** Terms by the product's own tokenizer, stop words out: what serves each engine that takes a tokenizer best. */
export function termsOf(text: string): string[] {
  const { words, identifiers } = tokenize(text);
  return [...words.filter((word) => !STOP_STEMS.has(word)), ...identifiers];
}

/** Plain words, stop words out, for engines with a stemmer of their own. */
export function plainWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const content = words.filter((word) => !STOP_WORDS.includes(word));
  return content.length > 0 ? content : words;
}
