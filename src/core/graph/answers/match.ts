import type { Asset } from '../model.ts';

/** How an asset's name fits a query, best first. */
export const TIERS = [
  'name_is_query',
  'name_starts_with_query',
  'name_contains_query',
  'qualified_name_ends_with_query',
  'qualified_name_contains_query_at_segment_boundary',
  'qualified_name_contains_query',
  'every_query_word',
  'some_query_words',
] as const;

export type Tier = (typeof TIERS)[number];

export interface NameMatch {
  readonly tier: Tier;
  /** 0 to 1, higher is better; comparable among name matches only. */
  readonly score: number;
  /** Words of the query found, for the two tiers of words. */
  readonly words?: readonly string[];
}

/** A query made ready for many names. */
export interface NameQuery {
  readonly text: string;
  readonly words: readonly string[];
}

const EMPTY_WORDS = new Set(
  'a an and are as at by do for from has have how in is it of on or the to we what where which who with'.split(' '),
);

interface Folded {
  readonly name: string;
  readonly qualified: string;
  /** Names, description and columns. */
  readonly all: string;
}

const foldedAssets = new WeakMap<Asset, Folded>();

/** An asset's texts in lower case, made once. */
function folded(asset: Asset): Folded {
  const known = foldedAssets.get(asset);
  if (known) return known;
  const name = asset.name.toLowerCase();
  const qualified = asset.qualified_name.toLowerCase();
  const columns = (asset.columns ?? []).map((column) => column.name);
  const all = [qualified, name, ...[asset.description ?? '', ...columns].map((text) => text.toLowerCase())].join(' ');
  const made = { name, qualified, all };
  foldedAssets.set(asset, made);
  return made;
}

export function nameQuery(query: string): NameQuery {
  const text = query.trim().toLowerCase();
  const words = text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '' && !EMPTY_WORDS.has(word));
  return { text, words: [...new Set(words)].slice(0, 32) };
}

/**
 * Where a query meets an asset's names as letters and, if `byWords`, its description and columns word by word; undefined
 * where it does not.
 */
export function matchName(asset: Asset, { text, words }: NameQuery, byWords = true): NameMatch | undefined {
  if (text === '') return undefined;
  const { name, qualified, all } = folded(asset);
  const at = (tier: Tier, found?: readonly string[]): NameMatch => {
    const base = (TIERS.length - TIERS.indexOf(tier)) / TIERS.length;
    const closeness = Math.min(1, text.length / Math.max(1, name.length)) / TIERS.length;
    const score = found
      ? base - (1 - found.length / words.length) / TIERS.length
      : base - (1 / TIERS.length - closeness) / 2;
    return { tier, score: Number(score.toFixed(4)), ...(found && { words: found }) };
  };
  if (name === text || qualified === text) return at('name_is_query');
  if (name.startsWith(text)) return at('name_starts_with_query');
  if (name.includes(text)) return at('name_contains_query');
  if (qualified.endsWith(text)) return at('qualified_name_ends_with_query');
  const place = qualified.indexOf(text);
  if (place >= 0) {
    const boundary = place === 0 || /[/.:#]/.test(qualified[place - 1]!);
    return at(boundary ? 'qualified_name_contains_query_at_segment_boundary' : 'qualified_name_contains_query');
  }
  if (words.length === 0 || !byWords) return undefined;
  const found = words.filter((word) => all.includes(word));
  if (found.length === words.length) return at('every_query_word', found);
  return found.length > 0 ? at('some_query_words', found) : undefined;
}

/** True when the query is the asset's own name, with or without what stands before it. */
export function namesExactly(asset: Asset, { text }: NameQuery): boolean {
  const { name, qualified } = folded(asset);
  if (text === name || text === qualified) return true;
  // `core.orders` for postgres://workspace/core/orders.
  const dotted = `/${text.replaceAll('.', '/')}`;
  return /^[\w$]+(?:\.[\w$]+)+$/.test(text) && qualified.endsWith(dotted);
}
