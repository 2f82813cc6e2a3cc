import { phraseForm } from './fold.ts';
import type { LexicalIndex } from './lexical.ts';
import type { QueryPlan } from './plan.ts';
import type { ChunkTable } from './table.ts';
import { createTop, type Scored } from './top.ts';

/**
 * The best `limit` by BM25F of the chunks whose slots are `allowed` (1), best first; equal scores by path and place. A
 * chunk must hold every quoted phrase: those that hold all of its words are read, from the best-scored down, until
 * enough are found.
 */
export function rank(
  table: ChunkTable,
  lexical: LexicalIndex,
  plan: QueryPlan,
  allowed: Uint8Array,
  limit: number,
): Scored[] {
  const { phrases } = plan;
  const scores = lexical.score(plan);
  const top = createTop(phrases.length > 0 ? scores.length : limit, table.before);
  const held =
    phrases.length > 0 ? lexical.slotsWithAll(new Set(phrases.flatMap(({ terms }) => [...terms]))) : undefined;
  let least = Number.MIN_VALUE;
  for (let slot = 0; slot < scores.length; slot++) {
    if (scores[slot]! < least || allowed[slot] === 0 || held?.[slot] === 0) continue;
    top.add(slot, scores[slot]!);
    least = Math.max(least, top.least);
  }
  const ranked = top.list();
  if (phrases.length === 0) return ranked;
  const found: Scored[] = [];
  for (const candidate of ranked) {
    if (found.length === limit) break;
    if (holdsPhrases(table, candidate.slot, plan)) found.push(candidate);
  }
  return found;
}

/** Whether each phrase stands in the chunk's text, its headings or its file's title. */
function holdsPhrases(table: ChunkTable, slot: number, { phrases }: QueryPlan): boolean {
  const parts = [table.text(slot), table.headings(slot), table.entryOf(slot).title].map(phraseForm);
  return phrases.every(({ form }) => parts.some((part) => part.includes(form)));
}
