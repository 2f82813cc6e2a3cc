/** Edits a word may be away from what was meant. Short words and numbers are too close to others of their kind for any. */
export function editsAllowed(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

const LONGEST = 64;
const rows = [new Uint8Array(LONGEST + 1), new Uint8Array(LONGEST + 1), new Uint8Array(LONGEST + 1)] as const;

/**
 * Optimal string alignment distance (insertions, deletions, substitutions and swaps of neighbours), or undefined above
 * `most` and for words of more than 64 letters. Ends once a whole row of the table is above `most`.
 */
export function editDistance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most || Math.max(a.length, b.length) > LONGEST) return undefined;
  let [beforeLast, last, row] = rows;
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let leastOfRow = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, beforeLast[j - 2]! + 1);
      row[j] = least;
      if (least < leastOfRow) leastOfRow = least;
    }
    if (leastOfRow > most) return undefined;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length]! <= most ? last[b.length]! : undefined;
}

/** Those of `terms` within `most` edits of a word, nearest first. A mistake in the first letter is not looked for. */
export function closeTerms(word: string, terms: Iterable<string>, most: number): { term: string; distance: number }[] {
  const found: { term: string; distance: number }[] = [];
  for (const term of terms) {
    if (term[0] !== word[0]) continue;
    const distance = editDistance(word, term, most);
    if (distance !== undefined) found.push({ term, distance });
  }
  return found.sort((a, b) => a.distance - b.distance);
}
