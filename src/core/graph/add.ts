import { UserError } from '../errors.ts';
import { brief } from '../util/page.ts';
import { systemOf } from './names.ts';
import type { GraphKeeper } from './scanner.ts';
import type { AddedAsset } from './state.ts';

export interface AddedNode {
  readonly qualified_name: string;
  readonly node_type?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Text to find it by; without it, only its name is. */
  readonly content?: string | undefined;
  readonly definition?: string | undefined;
  readonly columns?:
    | readonly {
        readonly name: string;
        readonly type?: string | undefined;
        readonly description?: string | undefined;
      }[]
    | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly upstream?: readonly string[] | undefined;
  readonly downstream?: readonly string[] | undefined;
}

export interface AddInput {
  readonly action: 'ADD_NODE' | 'BULK_ADD_NODES';
  readonly nodes: readonly AddedNode[];
}

const MOST_ADDED = 10_000;

/** Adds assets that no scanner finds, or more about one that a scanner found. Adding one again replaces what was added. */
export async function addAssets(keeper: GraphKeeper, { action, nodes }: AddInput, now: () => number): Promise<object> {
  if (nodes.length === 0)
    throw new UserError('no_nodes', 'No node was given.', 'Pass qualified_name, or a list of nodes with one each.');
  for (const { qualified_name } of nodes) check(qualified_name);
  const names = new Set(nodes.map(({ qualified_name }) => qualified_name));
  const before = keeper.graph;
  await keeper.state.change((state) => {
    const assets = [
      ...state.assets.filter(({ qualified_name }) => !names.has(qualified_name)),
      ...nodes.map((node) => assetOf(node, now)),
    ];
    if (assets.length > MOST_ADDED) {
      throw new UserError(
        'too_many_nodes',
        `The graph would have ${assets.length} added nodes; ${MOST_ADDED} are kept.`,
        'Add only what the scanners do not find.',
      );
    }
    const edges = nodes.flatMap(({ qualified_name: self, upstream = [], downstream = [] }) => [
      ...upstream.map((from) => ({ from, to: self, basis: 'added' })),
      ...downstream.map((to) => ({ from: self, to, basis: 'added' })),
    ]);
    const kept = state.edges.filter(({ from, to }) => !edges.some((edge) => edge.from === from && edge.to === to));
    return { ...state, assets, edges: [...kept, ...edges] };
  });
  await keeper.relink();
  const added = [...names].filter((name) => !before.assets.has(name));
  return {
    action,
    added: added.length,
    updated: names.size - added.length,
    qualified_names: [...names].slice(0, 50).map((name) => brief(name, 200)),
    indexed: [...names].filter((name) => keeper.index.has(name)).length,
    ...(nodes.some(({ content }) => !content) && {
      note: 'Nodes without content are found by name only; add content to have search_data_context find them by their text.',
    }),
  };
}

function check(name: string): void {
  if (systemOf(name) !== '' && name.length <= 1000 && !/[\0-\x1f#]/.test(name) && !name.endsWith('://')) return;
  throw new UserError(
    'invalid_qualified_name',
    `"${brief(name, 200)}" is no qualified name.`,
    'It has the form <system>://<place>/<name>, such as snowflake://ANALYTICS/MART/ORDERS.',
  );
}

function assetOf(node: AddedNode, now: () => number): AddedAsset {
  const { qualified_name, node_type = 'asset', name, description, content, definition, columns, tags } = node;
  return {
    qualified_name,
    node_type,
    name: name ?? qualified_name.slice(qualified_name.lastIndexOf('/') + 1),
    added_at: new Date(now()).toISOString(),
    ...(description && { description }),
    ...(content && { content }),
    ...(definition && { definition }),
    ...(tags && { tags: [...tags] }),
    ...(columns && {
      columns: columns.map((column) => ({
        name: column.name,
        ...(column.type && { type: column.type }),
        ...(column.description && { description: column.description }),
      })),
    }),
  };
}
