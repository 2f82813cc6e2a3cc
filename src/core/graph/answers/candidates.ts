import type { AssetFilter, AssetIndex } from '../index/asset-index.ts';
import type { Asset, Graph } from '../model.ts';
import { matchName, type NameMatch, nameQuery, namesExactly } from './match.ts';
import { nameTable } from './name-table.ts';

/** An asset that a search found, and by what. */
export interface Candidate {
  readonly asset: Asset;
  /** The query is the asset's own name. */
  readonly exact: boolean;
  /** Indexed hits only: 0 to 1 against the best hit. */
  readonly score?: number;
  /** Graph-only hits only. */
  readonly match?: NameMatch;
}

export interface Candidates {
  /** Best first; the order hangs on the query and its filters alone. */
  readonly ranked: readonly Candidate[];
  readonly suppressed?: { readonly count: number; readonly highest: number };
  /** Why words alone were searched although there is a model. */
  readonly failure?: string;
}

export interface CandidateInput {
  readonly query: string;
  readonly filter: AssetFilter;
  readonly min_score: number;
  /** Indexed candidates to retrieve. */
  readonly pool: number;
}

/** Most graph-only candidates, and fewest others above which single words no longer make one. */
const MOST_NAMED = 20;
const ENOUGH = 5;
/** Assets with the query in their names that are looked at. */
const MOST_LOOKED_AT = 500;
/** `core.orders` for …/core/orders. */
const DOTTED: NameMatch = { tier: 'qualified_name_ends_with_query', score: 0.6 };
/**
 * The assets for a query: those whose text the index finds, scored, then those that only a name or an unindexed node
 * brings in, unscored. An asset that the query names goes before all others, whatever its score.
 */
export async function findCandidates(
  graph: Graph,
  index: AssetIndex,
  { query, filter, min_score, pool }: CandidateInput,
  signal?: AbortSignal,
): Promise<Candidates> {
  const named = nameQuery(query);
  // The index does not know connections: all is retrieved, and the filter applied to it.
  const wanted = filter.connection_id ? Math.max(index.size, 1) : pool;
  const { hits, failure } = await index.search(query, filter, wanted, signal);
  const indexed: Candidate[] = [];
  const seen = new Set<string>();
  let suppressed = 0;
  let highest = 0;
  for (const { name, score } of hits) {
    const asset = graph.assets.get(name);
    if (!asset || !passes(asset, filter) || indexed.length + suppressed >= pool) continue;
    const exact = namesExactly(asset, named);
    seen.add(name);
    if (score < min_score && !exact) {
      suppressed++;
      highest = Math.max(highest, score);
    } else indexed.push({ asset, exact, score });
  }
  const others: Candidate[] = [];
  const table = nameTable(graph);
  const dotted = named.text.replaceAll('.', '/');
  const byName = [...table.containing(named.text, MOST_LOOKED_AT), ...table.containing(dotted, MOST_LOOKED_AT)];
  for (const asset of new Set([...byName, ...table.unindexed])) {
    if (seen.has(asset.qualified_name) || !passes(asset, filter)) continue;
    const exact = namesExactly(asset, named);
    const match = matchName(asset, named, !index.has(asset.qualified_name)) ?? (exact ? DOTTED : undefined);
    if (!match || (match.tier === 'some_query_words' && indexed.length >= ENOUGH)) continue;
    others.push({ asset, match, exact });
  }
  others.sort((a, b) => b.match!.score - a.match!.score || (a.asset.qualified_name < b.asset.qualified_name ? -1 : 1));
  const all = [...indexed, ...others.slice(0, MOST_NAMED)];
  const ranked = [...all.filter(({ exact }) => exact), ...all.filter(({ exact }) => !exact)];
  return {
    ranked,
    ...(suppressed > 0 && { suppressed: { count: suppressed, highest } }),
    ...(failure && { failure }),
  };
}

function passes(asset: Asset, { source_system, node_type, connection_id }: AssetFilter): boolean {
  return (
    (!source_system || asset.source_system === source_system) &&
    (!node_type || asset.node_type === node_type) &&
    (!connection_id || asset.connection_id === connection_id)
  );
}
