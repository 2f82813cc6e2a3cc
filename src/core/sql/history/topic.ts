import { STOP_STEMS } from '../../search/stop-words.ts';
import { tokenize } from '../../search/tokenize.ts';

/** Words of a topic that speak of queries in general, not of a table. */
const COMMON = new Set(
  tokenize(
    'analysis built data database dataset earlier last made numbers previous prior query ran report result run select sql table view yesterday',
  ).words,
);

/** The words of a text that can name something, stemmed, the parts of compound names too. */
export function wordsOf(text: string): Set<string> {
  return new Set(tokenize(text).words.filter((word) => word.length > 1 && !COMMON.has(word) && !STOP_STEMS.has(word)));
}

/** Qualified names that stand in a text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>()[\]{}]+/gi)].map(([name]) =>
    name.replace(/[.,;:!?]+$/, ''),
  );
}

/** Prefixes of table names that say what kind of table it is. */
const KINDS = new Set(['dim', 'fact', 'fct', 'int', 'stg', 'raw', 'src', 'tmp', 'vw', 'mart', 'public', 'dbo', 'main']);

/**
 * How well a topic names a table: the share of the name's words that stand in the topic, 0 when it is too small to mean
 * anything.
 */
export function overlap(topic: ReadonlySet<string>, table: string): number {
  const words = [...wordsOf(table)].filter((word) => !KINDS.has(word));
  const shared = words.filter((word) => topic.has(word));
  const share = words.length === 0 ? 0 : shared.length / words.length;
  return share >= 0.5 || shared.length >= 2 || shared.some((word) => word.length >= 5) ? share : 0;
}
