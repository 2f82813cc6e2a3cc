import { stemmer } from 'stemmer';

// Kept in the index, so that a quoted phrase and a query of nothing else still find them; left out of other queries.
const TEXT = `a an and are as at be been being but by can could did do does doing for from had has have having he her
  hers him his how i if in into is it its itself me my of on or our ours shall she should so such than that the their
  theirs them then there these they this those to too us was we were what when where which while who whom why will with
  would you your yours`;

/** English function words and question words. */
export const STOP_WORDS: readonly string[] = TEXT.split(/\s+/);

/** The same as stems. */
export const STOP_STEMS: ReadonlySet<string> = new Set(STOP_WORDS.map((word) => stemmer(word)));
