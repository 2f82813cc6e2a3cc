import { createDuplicateFinder } from './duplicates.ts';
import type { Candidate } from './fuse.ts';

interface Kept {
  readonly candidate: Candidate;
  /** Later candidates with (nearly) the same text. */
  readonly duplicates: { store: number; file: string; chunk: number }[];
}

/** The first `limit` candidates of different text; a near copy of one is listed with it instead. */
export function collapse(
  ranked: readonly Candidate[],
  limit: number,
  textOf: (candidate: Candidate) => string,
): Kept[] {
  const isSame = createDuplicateFinder();
  const kept: (Kept & { text: string })[] = [];
  for (const candidate of ranked) {
    const text = textOf(candidate);
    const first = kept.find((other) => isSame(other.text, text));
    if (first !== undefined) {
      const { store, file, chunk } = candidate;
      first.duplicates.push({ store, file, chunk });
    } else if (kept.length === limit) break;
    else kept.push({ candidate, duplicates: [], text });
  }
  return kept;
}
