import { groupBy } from '../util/group-by.ts';
import { anchorsOf } from './anchor.ts';
import { categories } from './event.ts';
import type { Learning } from './learning.ts';

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
