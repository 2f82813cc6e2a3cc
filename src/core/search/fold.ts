const LETTERS_WITHOUT_DECOMPOSITION: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['þ', 'th'],
]);

const ASCII_ONLY = /^[\x00-\x7f]*$/;
// Marks of the Latin, Greek and Cyrillic scripts only: in Indic scripts a mark is a vowel, not an accent.
const ACCENTS = /[\u0300-\u036f]/g;
const UNDECOMPOSED = /[ßæœøđðłıþ]/g;

/** Lower-cases a text and folds full-width forms and accents away: `Ｃａｆé` and `cafe` become equal. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII_ONLY.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(UNDECOMPOSED, (letter) => LETTERS_WITHOUT_DECOMPOSITION.get(letter)!);
}

/** Characters of scripts written without spaces (or, for Hangul, with particles attached): indexed as bigrams. */
export const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';

const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]`, 'gu');
const NOT_WORD = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * The words of a text in their order, folded, with a space before and after each: what a quoted phrase is looked up in.
 * `contains(phraseForm(text), phraseForm(phrase))` is then a plain substring test.
 */
export function phraseForm(text: string): string {
  const folded = fold(text);
  const spaced = ASCII_ONLY.test(folded) ? folded : folded.replace(UNSPACED_CHARACTER, ' $& ');
  return ` ${spaced.replace(NOT_WORD, ' ').trim()} `;
}
