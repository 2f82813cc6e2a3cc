import { stemmer } from 'stemmer';
import { fold, UNSPACED } from './fold.ts';

/** Index terms of a text, repeated as often as they occur. */
export interface Tokens {
  /** Every word, and every part of a compound identifier, stemmed. */
  readonly words: string[];
  /** Compound identifiers whole, their separators dropped: `getUserName`, `get_user_name` and `get-user-name` are one term. */
  readonly identifiers: string[];
}

/** Longer runs of letters are data (a hash, base64), not words, and are left out of the index. */
const LONGEST_WORD = 64;
/** A lower-case run that changes between letters and digits more often than this is a hash, and is kept whole. */
const MOST_DIGIT_PARTS = 4;
const STEM_CACHE_SIZE = 200_000;

const RUN = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:(?:[.-]|::|->)[\p{L}\p{M}\p{N}_]+)*/gu;
const SIMPLE = /^(?:[a-z]+|[A-Z][a-z]*|[A-Z]{2,}s?|[0-9]+)$/;
const SEPARATOR = /[_.:>-]+/;
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_PARTS = /[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const UNICODE_PARTS = new RegExp(
  `[${UNSPACED}]+|(?:(?![${UNSPACED}])(?:\\p{Lu}\\p{M}*)+(?!\\p{Ll}))|(?:(?![${UNSPACED}])(?:\\p{Lu}\\p{M}*)?[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Lt}\\p{M}])(?:(?![${UNSPACED}])[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Lt}\\p{M}])*|\\p{Lu}\\p{M}*|\\p{N}+`,
  'gu',
);
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, 'u');

const stems = new Map<string, string>();

/** Porter stem of one folded word; words of other scripts come back unchanged. */
function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = ASCII.test(word) ? stemmer(word) : word;
  if (stems.size >= STEM_CACHE_SIZE) stems.clear();
  stems.set(word, found);
  return found;
}

/** Splits a text into index terms: code-aware, any script, diacritics folded, English stemmed. Linear in the text. */
export function tokenize(text: string): Tokens {
  const words: string[] = [];
  const identifiers: string[] = [];
  for (const [run] of text.matchAll(RUN)) {
    if (SIMPLE.test(run)) {
      if (run.length <= LONGEST_WORD) words.push(stem(run.toLowerCase()));
    } else {
      addCompound(run, words, identifiers);
    }
  }
  return { words, identifiers };
}

function addCompound(run: string, words: string[], identifiers: string[]): void {
  const before = words.length;
  let whole = '';
  let parts = 0;
  for (const piece of run.split(SEPARATOR)) {
    for (const part of partsOf(piece)) {
      if (part.length > LONGEST_WORD && !UNSPACED_START.test(part)) continue;
      parts++;
      if (UNSPACED_START.test(part)) {
        addBigrams(fold(part), words);
        continue;
      }
      const folded = fold(part);
      if (folded === '') continue;
      words.push(stem(folded));
      // Without the dot, version 1.23 and 12.3 would be one term.
      if (whole.length <= LONGEST_WORD) whole += endsAndStartsWithDigit(whole, folded) ? `.${folded}` : folded;
    }
  }
  const single = words.length - before === 1;
  if (parts > 1 && whole !== '' && whole.length <= LONGEST_WORD && !single) identifiers.push(stem(whole));
}

function partsOf(piece: string): readonly string[] {
  const parts = piece.match(ASCII.test(piece) ? ASCII_PARTS : UNICODE_PARTS) ?? [];
  const looksLikeHash = parts.length > MOST_DIGIT_PARTS && piece === piece.toLowerCase() && !UNSPACED_START.test(piece);
  return looksLikeHash ? [piece] : parts;
}

function addBigrams(text: string, words: string[]): void {
  const characters = [...text];
  for (let i = 0; i < characters.length; i++) {
    words.push(characters[i]!);
    if (i + 1 < characters.length) words.push(characters[i]! + characters[i + 1]!);
  }
}

function endsAndStartsWithDigit(left: string, right: string): boolean {
  return /[0-9]$/.test(left) && /^[0-9]/.test(right);
}
