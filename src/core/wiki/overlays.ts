import { brief } from '../util/page.ts';
import type { Category } from './event.ts';
import type { Learning } from './learning.ts';
import { matchLearnings } from './match.ts';
import { learningsOn } from './on-asset.ts';
import { headline } from './text.ts';

export interface OverlayInput {
  /** Assets whose learnings are wanted. */
  readonly qualified_names: readonly string[];
  /** Also learnings that match these words; empty for none. */
  readonly query: string;
  /** Most learnings by words, and most for one asset. */
  readonly limit: number;
  /** Learnings of other categories are left out. */
  readonly categories: readonly Category[];
}

export interface Overlay {
  readonly statement_id: string;
  readonly anchor_qn: string;
  readonly headline: string;
  readonly text: string;
  readonly category: Category;
  readonly privacy_class: Learning['privacy_class'];
  /** UTC, ISO 8601. */
  readonly written_at: string;
}

export interface Overlays {
  /** By qualified name as it was asked for; names without learnings are left out. */
  readonly on: Readonly<Record<string, { readonly total: number; readonly learnings: readonly Overlay[] }>>;
  /** Best first, with the strength of the match, 0 to 1. */
  readonly hits: readonly (Overlay & { readonly score: number })[];
  /** Learnings that match, those past the limit included. */
  readonly hits_total: number;
}

/** Longest text handed on, in bytes of JSON. */
const LONGEST = 1000;

/** Active learnings on the given assets, and by the query's words. */
export function overlays(
  learnings: ReadonlyMap<string, Learning>,
  { qualified_names, query, limit, categories }: OverlayInput,
): Overlays {
  const wanted = [...learnings.values()].filter(
    ({ status, category }) => status === 'active' && categories.includes(category),
  );
  const on = qualified_names.flatMap((name) => {
    const own = learningsOn(wanted, name);
    return own.length > 0 ? [[name, { total: own.length, learnings: own.slice(0, limit).map(overlay) }] as const] : [];
  });
  const matches = query.trim() === '' ? [] : matchLearnings(wanted, query);
  return {
    on: Object.fromEntries(on),
    hits: matches.slice(0, limit).map(({ learning, score }) => ({ ...overlay(learning), score })),
    hits_total: matches.length,
  };
}

function overlay({ statement_id, anchor, text, category, privacy_class, created }: Learning): Overlay {
  const written_at = created.at;
  return {
    statement_id,
    anchor_qn: anchor,
    headline: headline(text),
    text: brief(text, LONGEST),
    category,
    privacy_class,
    written_at,
  };
}
