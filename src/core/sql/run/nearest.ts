import { editDistance } from '../../search/typo.ts';

/** Most suggestions. */
const MOST = 5;

/** The names most like the one that was written: spelled nearly so, or with it as a part. Best first. */
export function nearestNames(written: string, names: Iterable<string>): string[] {
  const wanted = plain(written);
  const most = Math.max(2, Math.floor(wanted.length / 3));
  const found: { name: string; score: number }[] = [];
  for (const name of new Set(names)) {
    const candidate = plain(name);
    const distance = editDistance(wanted, candidate, most);
    if (distance !== undefined) found.push({ name, score: distance });
    else if (wanted.length > 2 && candidate.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate))) {
      found.push({ name, score: most + 1 });
    }
  }
  return found
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** Case, underscores and a plural's s do not count, nor a file's folder and extension. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/\.\w+$/, '')
    .replaceAll('_', '')
    .replace(/(?<=.{3})s$/, '');
}
