export interface Quality {
  readonly ndcg10: number;
  readonly r100: number;
  readonly mrr10: number;
}

/**
 * Quality of one ranking (document ids, best first) against its judgements: nDCG@10 with the grade as gain
 * (Järvelin & Kekäläinen 2002, as trec_eval's ndcg_cut), Recall@100 and reciprocal rank within 10.
 */
export function judge(ranking: readonly string[], grades: ReadonlyMap<string, number>): Quality {
  const gain = (grade: number, rank: number) => grade / Math.log2(rank + 2);
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, 10);
  const best = ideal.reduce((sum, grade, rank) => sum + gain(grade, rank), 0);
  const found = ranking.slice(0, 10).reduce((sum, id, rank) => sum + gain(grades.get(id) ?? 0, rank), 0);
  const first = ranking.slice(0, 10).findIndex((id) => grades.has(id));
  const recalled = ranking.slice(0, 100).filter((id) => grades.has(id)).length;
  return { ndcg10: found / best, r100: recalled / grades.size, mrr10: first < 0 ? 0 : 1 / (first + 1) };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which `share` (0 to 1) of the values lie, by the nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}
