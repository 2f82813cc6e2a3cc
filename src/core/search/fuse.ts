/** A chunk that a search considers, in one of the stores searched. */
export interface Candidate {
  readonly store: number;
  readonly slot: number;
  readonly file: string;
  readonly chunk: number;
  readonly score: number;
  /** Cosine similarity, where the semantic side ran. */
  readonly semantic?: number;
}

/**
 * Blends the best of both sides: each side's scores are scaled to 0..1 between their least and their greatest among the
 * candidates (words between 0 and their greatest), then added with `weight` on the semantic side. Best first.
 */
export function blend(
  lexical: readonly Candidate[],
  semantic: readonly Candidate[],
  weight: number,
  similarity: (candidate: Candidate) => number | undefined,
): Candidate[] {
  const key = ({ store, slot }: Candidate) => `${store} ${slot}`;
  const lexicalScores = new Map(lexical.map((candidate) => [key(candidate), candidate.score]));
  const all = [...lexical, ...semantic.filter((candidate) => !lexicalScores.has(key(candidate)))];
  const most = lexical[0]?.score ?? 0;
  const cosines = all.map((candidate) => similarity(candidate));
  const known = cosines.filter((cosine) => cosine !== undefined);
  const least = Math.min(...known);
  const range = Math.max(...known) - least;
  const blended = all.map((candidate, i) => {
    const words = most > 0 ? (lexicalScores.get(key(candidate)) ?? 0) / most : 0;
    const cosine = cosines[i];
    const meaning = cosine === undefined || range === 0 ? 0 : (cosine - least) / range;
    const score = (1 - weight) * words + weight * meaning;
    return cosine === undefined ? { ...candidate, score } : { ...candidate, score, semantic: cosine };
  });
  return blended.sort(byScore);
}

/** Best first; equal scores by file, place and store, so that the order never hangs on how an index was built. */
export function byScore(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.chunk - b.chunk || a.store - b.store;
}
