import { STOP_STEMS } from '../search/stop-words.ts';
import { tokenize } from '../search/tokenize.ts';
import type { Learning } from './learning.ts';

export interface Match {
  readonly learning: Learning;
  /**
   * Strength of the match in words, 0 to 1, higher is better: 1 when the learning's text holds every word of the query.
   */
  readonly score: number;
}

/** What a word found in the qualified name alone counts, against one found in the text. */
const IN_NAME = 0.8;

const termsByText = new Map<string, ReadonlySet<string>>();
const MOST_KEPT = 20_000;

function termsOf(text: string): ReadonlySet<string> {
  const known = termsByText.get(text);
  if (known) return known;
  const { words, identifiers } = tokenize(text);
  const terms = new Set([...words, ...identifiers]);
  if (termsByText.size >= MOST_KEPT) termsByText.clear();
  termsByText.set(text, terms);
  return terms;
}

/**
 * The learnings that share words with the query, best first. A word counts by how rare it is among the learnings;
 * function words count only in a query that has no other.
 */
export function matchLearnings(learnings: readonly Learning[], query: string): Match[] {
  const all = [...new Set(tokenize(query).words)];
  const telling = all.filter((word) => !STOP_STEMS.has(word));
  const words = telling.length > 0 ? telling : all;
  if (words.length === 0) return [];
  const held = learnings.map((learning) => ({
    learning,
    text: termsOf(learning.text),
    name: termsOf(learning.anchor),
  }));
  const weights = new Map(
    words.map((word) => {
      const holders = held.reduce((count, { text, name }) => count + (text.has(word) || name.has(word) ? 1 : 0), 0);
      return [word, Math.log(1 + (learnings.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const matches = held.flatMap(({ learning, text, name }) => {
    let found = 0;
    for (const [word, weight] of weights) found += text.has(word) ? weight : name.has(word) ? weight * IN_NAME : 0;
    return found > 0 ? [{ learning, score: Math.min(1, Number((found / total).toFixed(4))) }] : [];
  });
  return matches.sort(
    (a, b) =>
      b.score - a.score ||
      a.learning.text.length - b.learning.text.length ||
      (a.learning.statement_id < b.learning.statement_id ? -1 : 1),
  );
}
