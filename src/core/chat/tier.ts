import type { Model } from './model.ts';

export type ModelTier = 'frontier' | 'main' | 'fast';

const FAST = /\b(?:mini|nano|flash|haiku|lite|small|fast|tiny|instant|[1-9]b)\b/;
const FRONTIER = /\b(?:opus|pro|ultra|max|large|frontier|heavy|o[1-9])\b/;

/** The tier that a model's name and family suggest; the editor knows no such thing. */
export function tierOf({ name, family, id }: Pick<Model, 'name' | 'family' | 'id'>): ModelTier {
  const words = `${name} ${family} ${id}`.toLowerCase().replace(/[-_./:]+/g, ' ');
  if (FAST.test(words)) return 'fast';
  return FRONTIER.test(words) ? 'frontier' : 'main';
}

export interface ChosenModel<M> {
  readonly model: M;
  /** What to tell the person when no model of the tier was found. */
  readonly note?: string;
}

/**
 * The model for a tier: the person's own choice where it fits, else one of the same vendor, else any; of several the one
 * with the largest window. Without a fitting one, the person's choice and a note.
 */
export function chooseModel<M extends Pick<Model, 'name' | 'family' | 'id' | 'vendor' | 'maxInputTokens'>>(
  tier: ModelTier | null,
  chosen: M,
  all: readonly M[],
): ChosenModel<M> {
  if (tier === null || tierOf(chosen) === tier) return { model: chosen };
  const fitting = all.filter((model) => tierOf(model) === tier);
  const [best] = fitting.sort(
    (a, b) =>
      Number(b.vendor === chosen.vendor) - Number(a.vendor === chosen.vendor) || b.maxInputTokens - a.maxInputTokens,
  );
  if (best) return { model: best };
  return { model: chosen, note: `No model of the tier "${tier}" was found, so ${chosen.name} answers.` };
}
