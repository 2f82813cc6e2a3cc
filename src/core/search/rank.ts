import { phraseForm } from './fold.ts';
import type { LexicalIndex } from './lexical.ts';
import type { QueryPlan } from './plan.ts';
import type { ChunkTable } from './table.ts';
import { createTop, type Scored } from './top.ts';

/**
 * The best `limit` chunks by BM25F, best first; equal scores by path and place. A chunk must hold every quoted phrase,
 * which is looked up in its text from the best-scored chunk down until enough are found.
 */
export function rank(
  table: ChunkTable,
  lexical: LexicalIndex,
  plan: QueryPlan,
  mask: Uint8Array | undefined,
  limit: number,
): Scored[] {
  const { scores, touched, count } = lexical.score(plan, mask);
  const top = createTop(plan.phrases.length > 0 ? count : limit, table.before);
  for (let i = 0; i < count; i++) top.add(touched[i]!, scores[touched[i]!]!);
  const ranked = top.list();
  if (plan.phrases.length === 0) return ranked;
  const found: Scored[] = [];
  for (const candidate of ranked) {
    if (found.length === limit) break;
    if (holdsPhrases(table, candidate.slot, plan.phrases)) found.push(candidate);
  }
  return found;
}

/** Whether each phrase stands in the chunk's text, its headings or its file's title. */
export function holdsPhrases(table: ChunkTable, slot: number, phrases: readonly string[]): boolean {
  const parts = [table.text(slot), table.headings(slot), table.entryOf(slot).title].map(phraseForm);
  return phrases.every((phrase) => parts.some((part) => part.includes(phrase)));
}
