import { phraseForm } from './fold.ts';

/** Share of shingles two texts must have in common to count as the same. */
const SAME = 0.9;
const SHINGLE = 3;

/**
 * Tells whether texts are (nearly) the same: by the Jaccard similarity of their runs of three words (Broder 1997), and
 * only for texts of about one length. Shingles are made when first needed and kept for the comparisons of one search.
 */
export function createDuplicateFinder() {
  const shinglesOf = new Map<string, ReadonlySet<string>>();

  function shingles(text: string): ReadonlySet<string> {
    const known = shinglesOf.get(text);
    if (known !== undefined) return known;
    const words = phraseForm(text).trim().split(' ');
    const found = new Set<string>();
    for (let i = 0; i === 0 || i + SHINGLE <= words.length; i++) found.add(words.slice(i, i + SHINGLE).join(' '));
    shinglesOf.set(text, found);
    return found;
  }

  return (a: string, b: string): boolean => {
    if (a === b) return true;
    if (Math.min(a.length, b.length) < SAME * Math.max(a.length, b.length) - SHINGLE) return false;
    const [left, right] = [shingles(a), shingles(b)];
    let common = 0;
    for (const shingle of left) if (right.has(shingle)) common++;
    return common >= SAME * (left.size + right.size - common);
  };
}
