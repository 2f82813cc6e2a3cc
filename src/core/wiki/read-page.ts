import { UserError } from '../errors.ts';
import { brief, cutText, jsonBytes, PAGE_BYTES, page } from '../util/page.ts';
import { anchorName, parseAnchor } from './anchor.ts';
import type { GraphNode } from './graph.ts';
import type { Learning } from './learning.ts';
import { learningsOn } from './on-asset.ts';
import { activeLearnings, type Sources, type Window } from './sources.ts';
import { headline } from './text.ts';

/** Share of a page's bytes that the asset's own description may take when learnings stand beside it. */
const CONTENT_BYTES = 3500;

/**
 * One page: what the graph knows of an asset, and the learnings on it.
 * @throws UserError `not_in_wiki` when there is neither.
 */
export async function readPage(sources: Sources, qualifiedName: string, window: Window, signal?: AbortSignal) {
  const asked = parseAnchor(qualifiedName);
  const active = activeLearnings(sources);
  const node = await sources.graph?.node(asked, signal);
  const anchor = node?.qualified_name ?? spelled(asked, [...sources.learnings.values()]);
  const own = learningsOn(active, anchor);
  const pending = learningsOn(
    [...sources.learnings.values()].filter(({ status }) => status === 'pending'),
    anchor,
  );
  if (!node && own.length === 0 && pending.length === 0) throw notInWiki(anchor, active);
  const waiting = pending.slice(0, 5).map(({ statement_id, text }) => ({ statement_id, headline: headline(text) }));
  // The first learning of the page has its room whatever the graph has to say.
  const first = own[window.offset];
  const taken = jsonBytes(waiting) + (first ? jsonBytes(view(first, anchor)) : 0);
  const head = headOf(
    anchor,
    node,
    own.length > 0 ? Math.min(CONTENT_BYTES, PAGE_BYTES - 800 - taken) : PAGE_BYTES - 1200 - taken,
  );
  const room = PAGE_BYTES - jsonBytes(head) - jsonBytes(waiting);
  const { items, pagination } = page(own, window, (learning) => view(learning, anchor), room);
  return {
    ...head,
    learnings: items,
    learnings_count: own.length,
    ...(pending.length > 0 && { pending_review: pending.length, pending: waiting }),
    pagination,
  };
}

/** The one anchor that differs from a name by case alone, where no learning has the name itself. */
function spelled(name: string, learnings: readonly Learning[]): string {
  const lower = name.toLowerCase();
  const found = new Set(learnings.map(({ anchor }) => anchor).filter((anchor) => anchor.toLowerCase() === lower));
  return found.size === 1 ? [...found][0]! : name;
}

function headOf(anchor: string, node: GraphNode | undefined, maxBytes: number) {
  if (!node) {
    const note = 'The graph has no such asset; the page holds only what was written about it.';
    return { qualified_name: anchor, title: anchorName(anchor), page_kind: 'learnings_only' as const, note };
  }
  const content = cutText(node.content, maxBytes);
  return {
    qualified_name: node.qualified_name,
    title: brief(node.name, 200),
    page_kind: 'graph' as const,
    node_type: node.node_type,
    source_system: node.source_system,
    content,
    ...(content !== node.content && { content_truncated: true, next_step: 'describe_asset shows the asset whole.' }),
  };
}

function notInWiki(anchor: string, active: readonly Learning[]): UserError {
  const lower = anchor.toLowerCase();
  const name = anchorName(lower);
  const near = [...new Set(active.map((learning) => learning.anchor))]
    .filter((other) => other.toLowerCase() === lower || anchorName(other).toLowerCase() === name)
    .slice(0, 5);
  return new UserError(
    'not_in_wiki',
    `The wiki has no page ${brief(anchor, 200)}: no such asset in the graph, and no active learning on it.`,
    near.length > 0
      ? `Did you mean ${near.map((other) => brief(other, 200)).join(', ')}?`
      : 'Find names with wiki_search, or browse them with wiki_list. Names are matched exactly, case included.',
    near.length > 0 ? { similar: near } : undefined,
  );
}

/** A learning as wiki_read shows it. */
function view(learning: Learning, anchor: string) {
  const { statement_id, category, privacy_class, created, changed, supersedes, proposed, otherTexts } = learning;
  const text = cutText(learning.text, 4500);
  const edited = changed.at !== created.at || changed.author !== created.author;
  return {
    statement_id,
    text,
    ...(text !== learning.text && { text_truncated: true }),
    category,
    privacy_class,
    ...(learning.anchor !== anchor && { anchor_qn: learning.anchor }),
    written: { ...created },
    ...(edited && { edited: { at: changed.at, author: changed.author } }),
    ...(supersedes !== undefined && { supersedes }),
    ...(proposed && { edit_pending_review: true }),
    ...(otherTexts.length > 0 && {
      written_at_the_same_time: otherTexts.slice(0, 2).map((other) => brief(other, 300)),
    }),
  };
}
