import { UserError } from '../errors.ts';
import { brief, page } from '../util/page.ts';
import type { Learning } from './learning.ts';
import { matchLearnings } from './match.ts';
import { learningsOn } from './on-asset.ts';
import { activeLearnings, type Sources, type Window } from './sources.ts';

/** Nodes and learnings that match a query. Page `n` of the answer holds row `offset + n` of both rankings. */
export async function searchPages(sources: Sources, query: string, window: Window, signal?: AbortSignal) {
  const text = query.trim();
  if (text === '') {
    throw new UserError('empty_query', 'The query is empty.', 'Pass what to look for, such as "revenue recognition".');
  }
  const wanted = window.offset + window.limit + 1;
  const nodes = (await sources.graph?.search(text, wanted, signal)) ?? [];
  const active = activeLearnings(sources);
  const matches = matchLearnings(
    active.filter(({ category }) => category !== 'superseded'),
    text,
  );
  const rows = Array.from({ length: Math.max(nodes.length, matches.length) }, (_, i) => ({
    node: nodes[i],
    match: matches[i],
  }));
  const { items, pagination } = page(rows, window, ({ node, match }) => ({
    node: node && {
      ...node,
      name: brief(node.name, 200),
      ...(node.score !== undefined && { score: Number(node.score.toFixed(4)) }),
      ...(node.summary !== undefined && { summary: brief(node.summary, 300) }),
      ...countOf(learningsOn(active, node.qualified_name)),
    },
    match: match && {
      statement_id: match.learning.statement_id,
      anchor_qn: match.learning.anchor,
      learning_text: brief(match.learning.text, 600),
      category: match.learning.category,
      score: match.score,
    },
  }));
  const { total: _, returned: __, ...rest } = pagination;
  return {
    query: brief(text, 300),
    results: items.flatMap(({ node }) => node ?? []),
    learning_hits: items.flatMap(({ match }) => match ?? []),
    learnings_total: matches.length,
    pagination: rest,
  };
}

function countOf(learnings: readonly Learning[]): object {
  return learnings.length > 0 ? { learnings_count: learnings.length } : {};
}
