/** Edits a word may be away from what was meant. Short words and numbers are too close to others of their kind for any. */
export function editsAllowed(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/**
 * Optimal string alignment distance (insertions, deletions, substitutions and swaps of neighbours), or undefined above
 * `most`. Three rows of the dynamic programme are kept, and it ends once a whole row is above `most`.
 */
export function editDistance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    if (Math.min(...row) > most) return undefined;
    beforeLast = last;
    last = row;
  }
  return last[b.length]! <= most ? last[b.length] : undefined;
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
