import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Overlap } from './overlap.ts';
import { type Pair, pairMaker } from './pairs.ts';
import { readExtracts } from './read.ts';

/** Tests, generated indexes and copies of sources: no documentation of their own. */
const UNREAD =
  /\/(?:node_modules|tests?|testing|_sources|_static|locale|translations|_modules|search|doxygen_crawl|genindex|changelog)(?:[/._-]|$)|\.min\.js$/i;
const MOST_PAIRS = 20_000;

/** Where a corpus's packages lie, unpacked, one folder each. */
export interface CorpusOptions {
  readonly packages: readonly string[];
  readonly overlap: Overlap;
  readonly say: (line: string) => void;
}

/**
 * Writes the training pairs of all packages to `path`, one a line: group, query and text between tabs. A group is one
 * section or function. Texts that come twice are kept once, those that overlap a judged collection are left out.
 */
export function writePairs(path: string, { packages, overlap, say }: CorpusOptions): void {
  const file = openSync(path, 'w');
  const seen = new Set<string>();
  let group = 0;
  let written = 0;
  let excluded = 0;
  for (const folder of packages) {
    const pairsOf = pairMaker();
    const groups: Pair[][] = [];
    for (const source of filesUnder(folder)) {
      for (const extract of readExtracts(source)) {
        const fresh = pairsOf(extract).filter(({ query, text }) => {
          const key = `${query.slice(0, 60)}\t${text.slice(0, 120)}`;
          return !seen.has(key) && seen.add(key);
        });
        const kept = fresh.filter(({ query, text }) => !overlap.overlaps(text) && !overlap.overlaps(query));
        excluded += fresh.length - kept.length;
        if (kept.length > 0) groups.push(kept);
      }
    }
    const chosen = thin(groups);
    for (const pairs of chosen) {
      writeSync(file, pairs.map(({ query, text }) => `${group}\t${query}\t${text}\n`).join(''));
      written += pairs.length;
      group++;
    }
    say(`${basename(folder)}: ${groups.flat().length} pairs, ${chosen.flat().length} kept`);
  }
  closeSync(file);
  say(`${written} pairs in all; ${excluded} left out because they overlap a judged collection`);
}

/** Every n-th group, so that a package of many pages does not drown the rest. */
function thin(groups: readonly Pair[][]): readonly Pair[][] {
  const total = groups.reduce((sum, pairs) => sum + pairs.length, 0);
  const share = Math.min(1, MOST_PAIRS / total);
  return groups.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
}

/** Files of a package that may hold documentation, in a fixed order. */
export function* filesUnder(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (UNREAD.test(`/${basename(folder)}/${entry.name}`)) continue;
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield path;
  }
}
