import { phraseForm } from './fold.ts';

/** Share of shingles two texts must have in common to count as the same. */
const SAME = 0.9;

/**
 * Tells whether texts are (nearly) the same: by the Jaccard similarity of their runs of three words (Broder 1997), and
 * only for texts of about one length. Shingles are made when first needed and kept for the comparisons of one search.
 */
export function createDuplicateFinder() {
  const shinglesOf = new Map<string, ReadonlySet<number>>();

  function shingles(text: string): ReadonlySet<number> {
    const known = shinglesOf.get(text);
    if (known !== undefined) return known;
    const found = hashedShingles(phraseForm(text));
    shinglesOf.set(text, found);
    return found;
  }

  return (a: string, b: string): boolean => {
    if (a === b) return true;
    if (Math.min(a.length, b.length) < SAME * Math.max(a.length, b.length)) return false;
    const [left, right] = [shingles(a), shingles(b)];
    let common = 0;
    for (const shingle of left) if (right.has(shingle)) common++;
    return common >= SAME * (left.size + right.size - common);
  };
}

/** FNV-1a hashes of each run of three words of a phrase form; its first two runs are the first word, and the first two. */
function hashedShingles(form: string): Set<number> {
  const found = new Set<number>();
  let [first, second, third] = [0, 0, 0x811c9dc5];
  for (let i = 1; i < form.length; i++) {
    const code = form.charCodeAt(i);
    third = Math.imul(third ^ code, 0x01000193);
    if (code !== 0x20) continue;
    found.add((Math.imul(Math.imul(first, 31) + second, 31) + third) | 0);
    first = second;
    second = third;
    third = 0x811c9dc5;
  }
  return found;
}
