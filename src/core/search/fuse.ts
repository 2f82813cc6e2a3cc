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
 * candidates, then added with `weight` on the semantic side. A chunk that no query term matches scores 0 lexically.
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
  return all.map((candidate, i) => {
    const words = most > 0 ? (lexicalScores.get(key(candidate)) ?? 0) / most : 0;
    const cosine = cosines[i];
    const meaning = cosine === undefined || range === 0 ? 0 : (cosine - least) / range;
    const score = (1 - weight) * words + weight * meaning;
    return cosine === undefined ? { ...candidate, score } : { ...candidate, score, semantic: cosine };
  });
}
