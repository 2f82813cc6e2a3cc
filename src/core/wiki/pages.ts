import { UserError } from '../errors.ts';
import { groupBy } from '../util/group-by.ts';
import { brief, cutText, jsonBytes, PAGE_BYTES, page } from '../util/page.ts';
import { anchorName, anchorsOf, parseAnchor, parsePrefix, stepBelow } from './anchor.ts';
import { categories } from './event.ts';
import type { GraphEntry, GraphNode, WikiGraph } from './graph.ts';
import type { Learning } from './learning.ts';
import { matchLearnings } from './match.ts';

/** What pages are rendered from. */
export interface Sources {
  readonly learnings: ReadonlyMap<string, Learning>;
  readonly graph: WikiGraph | undefined;
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** Share of a page's bytes that the asset's own description may take when learnings stand beside it. */
const CONTENT_BYTES = 3500;

/** Learnings a page shows: those in force. */
function activeLearnings({ learnings }: Sources): Learning[] {
  return [...learnings.values()].filter(({ status }) => status === 'active');
}

const byAsset = new WeakMap<readonly Learning[], ReadonlyMap<string, readonly Learning[]>>();

/** Learnings on an asset, its columns and its historical names: facts first, the newest of each category first. */
export function learningsOn(all: readonly Learning[], asset: string): Learning[] {
  let groups = byAsset.get(all);
  if (!groups) {
    groups = groupBy(all, ({ anchor }) => assetOf(anchor).toLowerCase());
    byAsset.set(all, groups);
  }
  const [own, ...historical] = anchorsOf(asset);
  const exact = (groups.get(assetOf(own!).toLowerCase()) ?? []).filter(
    ({ anchor }) => anchor === own || anchor.startsWith(`${own}#`),
  );
  return [...exact, ...historical.flatMap((name) => groups.get(name.toLowerCase()) ?? [])].sort(
    (a, b) =>
      categories.indexOf(a.category) - categories.indexOf(b.category) ||
      (a.created.at < b.created.at ? 1 : a.created.at > b.created.at ? -1 : 0),
  );
}

/** An anchor without its column. */
function assetOf(anchor: string): string {
  return anchor.split('#', 1)[0]!;
}

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

/** The first line of a learning, for lists. */
export function headline(text: string): string {
  return brief(text.split('\n', 1)[0]!.replace(/^#+\s*/, ''), 160);
}

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
