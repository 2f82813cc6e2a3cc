import { UserError } from '../../errors.ts';
import { brief } from '../../util/page.ts';
import { type Asset, type Graph, SAME_DATA } from '../model.ts';
import { matchName, nameQuery, namesExactly } from './match.ts';

const MOST_SUGGESTED = 5;

/**
 * The asset of a qualified name, in any case; failing that, the only one that is called so (`orders`, `core.orders`).
 * @throws UserError `unknown_asset` with the nearest names, or `ambiguous_name` with all that fit.
 */
export function resolveAsset(graph: Graph, name: string): Asset {
  const wanted = name.trim();
  const exact = graph.assets.get(wanted);
  if (exact) return exact;
  const query = nameQuery(wanted);
  const called = withoutAliases(
    graph,
    [...graph.assets.values()].filter((asset) => namesExactly(asset, query)),
  );
  if (called.length === 1) return called[0]!;
  if (called.length > 1) {
    throw new UserError(
      'ambiguous_name',
      `${called.length} assets are called "${brief(wanted, 100)}".`,
      `Pass one of their qualified names: ${listed(called)}.`,
    );
  }
  const near = nearest(graph, wanted);
  throw new UserError(
    'unknown_asset',
    `There is no asset "${brief(wanted, 150)}" in the graph.`,
    near.length > 0
      ? `Did you mean ${listed(near)}? SEARCH_NODES finds assets by part of a name.`
      : 'Find it with search_data_context, or with lineage_action SEARCH_NODES by part of its name.',
  );
}

/** The error for a column that an asset does not have, with those it has. */
export function noSuchColumn(asset: Asset, column: string): UserError {
  const names = (asset.columns ?? []).map(({ name }) => name);
  return new UserError(
    'unknown_column',
    `${brief(asset.name, 100)} has no column "${brief(column, 100)}".`,
    `Its columns are ${brief(names.join(', '), 800)}.`,
  );
}

/** Without the dbt sources and mapped models of a table that is there itself: they are other names of it. */
function withoutAliases(graph: Graph, assets: readonly Asset[]): Asset[] {
  const names = new Set(assets.map(({ qualified_name }) => qualified_name));
  return assets.filter(({ qualified_name: name }) =>
    (graph.upstream.get(name) ?? []).every(({ from, basis }) => !(SAME_DATA.has(basis) && names.has(from))),
  );
}

function nearest(graph: Graph, wanted: string): Asset[] {
  const short = wanted.slice(wanted.lastIndexOf('/') + 1).replace(/^.*\./, '');
  const query = nameQuery(short);
  return [...graph.assets.values()]
    .flatMap((asset) => {
      const match = matchName(asset, query);
      return match ? [{ asset, score: match.score }] : [];
    })
    .sort((a, b) => b.score - a.score || (a.asset.qualified_name < b.asset.qualified_name ? -1 : 1))
    .slice(0, MOST_SUGGESTED)
    .map(({ asset }) => asset);
}

function listed(assets: readonly Asset[]): string {
  return assets
    .slice(0, MOST_SUGGESTED)
    .map(({ qualified_name }) => brief(qualified_name, 150))
    .join(', ');
}
