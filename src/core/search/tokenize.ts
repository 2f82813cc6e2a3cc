import { stemmer } from 'stemmer';
import { CAPITAL, kindAt, SMALL } from './ascii.ts';
import { fold, UNSPACED } from './fold.ts';
import { createWordTable } from './word-table.ts';

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
/** Letters of the words whose stems are kept. */
const MOST_LETTERS = 1_000_000;

const RUN = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:(?:[.-]|::|->)[\p{L}\p{M}\p{N}_]+)*/gu;
const SEPARATOR = /[_.:>-]+/;
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_PARTS = /[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const UNICODE_PARTS = new RegExp(
  `[${UNSPACED}]+|(?:(?![${UNSPACED}])(?:\\p{Lu}\\p{M}*)+(?!\\p{Ll}))|(?:(?![${UNSPACED}])(?:\\p{Lu}\\p{M}*)?[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Lt}\\p{M}])(?:(?![${UNSPACED}])[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Lt}\\p{M}])*|\\p{Lu}\\p{M}*|\\p{N}+`,
  'gu',
);
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, 'u');

let table = createWordTable();
/** By the words' numbers in the table. */
let stems: string[] = [];

/** Porter stem of the ASCII word `text.slice(start, end)`, in lower case. */
function stemAt(text: string, start: number, end: number): string {
  if (table.letters > MOST_LETTERS) {
    table = createWordTable();
    stems = [];
  }
  const number = table.numberOf(text, start, end);
  if (number === stems.length) stems.push(stemmer(text.slice(start, end).toLowerCase()));
  return stems[number]!;
}

/** Stem of one folded word; words of other scripts come back unchanged. */
function stem(word: string): string {
  return ASCII.test(word) ? stemAt(word, 0, word.length) : word;
}

/** Splits a text into index terms: code-aware, any script, diacritics folded, English stemmed. Linear in the text. */
export function tokenize(text: string): Tokens {
  const words: string[] = [];
  const identifiers: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = plainEnd(text, at);
    if (end > at) {
      if (end - at <= LONGEST_WORD) words.push(stemAt(text, at, end));
      at = end;
    } else if (kindAt(text, at) === 0 && !beyondAscii(text, at)) {
      at++;
    } else {
      RUN.lastIndex = at;
      const run = RUN.exec(text)?.[0];
      if (run === undefined) break;
      addCompound(run, words, identifiers);
      at = RUN.lastIndex;
    }
  }
  return { words, identifiers };
}

/**
 * End of the plain word that starts at a place, or the place itself if there is none: a whole RUN of letters in one case
 * or with a capital first, or of digits. Most words are, and need none of what compounds and other scripts do.
 */
function plainEnd(text: string, start: number): number {
  const first = kindAt(text, start);
  if (first === 0) return start;
  let kinds = 0;
  let end = start + 1;
  for (let kind = kindAt(text, end); kind !== 0; kind = kindAt(text, ++end)) kinds |= kind;
  const plain = kinds === 0 || kinds === first || (first === CAPITAL && kinds === SMALL);
  return plain && !mayGoOn(text, end) ? end : start;
}

/** Whether what follows a word may belong to its run: RUN alone tells for certain. */
function mayGoOn(text: string, at: number): boolean {
  if (beyondAscii(text, at)) return true;
  const sign = text[at];
  if (sign !== '.' && sign !== '-' && sign !== ':') return false;
  const next = text[at + 1];
  return kindAt(text, at + 1) !== 0 || beyondAscii(text, at + 1) || next === ':' || next === '>';
}

/** Whether a place holds what may be part of a word without being an ASCII letter or digit. */
function beyondAscii(text: string, at: number): boolean {
  return text.charCodeAt(at) > 0x7f || text[at] === '_';
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
