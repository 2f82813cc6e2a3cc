import { UserError } from '../errors.ts';
import { brief, page } from '../util/page.ts';
import { anchorName, parsePrefix, stepBelow } from './anchor.ts';
import type { GraphEntry } from './graph.ts';
import { learningsOn } from './on-asset.ts';
import { activeLearnings, type Sources, type Window } from './sources.ts';

/** Immediate children of a prefix: nodes of the graph, and the branches that active learnings add to it. */
export async function listPages(sources: Sources, prefix: string, window: Window, signal?: AbortSignal) {
  const parent = parsePrefix(prefix);
  const entries = new Map<string, GraphEntry | undefined>();
  for (const entry of (await sources.graph?.children(parent, signal)) ?? []) entries.set(entry.qualified_name, entry);
  const counts = new Map<string, number>();
  const deeper = new Set<string>();
  for (const { anchor } of activeLearnings(sources)) {
    const step = stepBelow(parent, anchor);
    if (step === undefined) continue;
    if (!entries.has(step)) entries.set(step, undefined);
    counts.set(step, (counts.get(step) ?? 0) + 1);
    if (step !== anchor) deeper.add(step);
  }
  if (entries.size === 0 && parent !== '') {
    const at = learningsOn(activeLearnings(sources), parent).length > 0 || (await sources.graph?.node(parent, signal));
    if (!at) {
      throw new UserError(
        'unknown_prefix',
        `Nothing in the wiki lies under ${brief(parent, 200)}.`,
        'Leave prefix empty to list the source systems, then go down by the qualified_name of an entry.',
      );
    }
  }
  const names = [...entries.keys()].sort((a, b) => (a < b ? -1 : 1));
  const { items, pagination } = page(names, window, (name) => {
    const entry = entries.get(name);
    return {
      qualified_name: name,
      name: brief(entry?.name ?? anchorName(name), 200),
      node_type: entry?.node_type ?? (parent === '' ? 'source_system' : 'not_in_graph'),
      ...(counts.has(name) && { learnings: counts.get(name) }),
      ...(deeper.has(name) && !entry && { has_children: true }),
    };
  });
  return { prefix: parent, items, pagination };
}
