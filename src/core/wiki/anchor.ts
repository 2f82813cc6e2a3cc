import { UserError } from '../errors.ts';
import { brief } from '../util/page.ts';

const ANCHOR = /^[a-z][a-z0-9+.-]*:\/\/\S/i;
const LONGEST = 500;

/**
 * A qualified name as learnings are filed under it, such as `snowflake://ANALYTICS/FINANCE/REVENUE`.
 * @throws UserError `bad_qualified_name`.
 */
export function parseAnchor(text: string): string {
  const anchor = trimmed(text);
  if (!isAnchor(anchor)) {
    throw new UserError(
      'bad_qualified_name',
      `"${brief(text, 120)}" is not a qualified name.`,
      'Pass one such as snowflake://ANALYTICS/FINANCE/REVENUE, as wiki_search, wiki_list or search_data_context return it.',
    );
  }
  return anchor;
}

/** True for a qualified name of a length that an answer has room for. */
export function isAnchor(text: string): boolean {
  return ANCHOR.test(text) && text.length <= LONGEST && !/[\x00-\x1f\x7f]/.test(text);
}

/**
 * A prefix for listing: empty, or a qualified name's beginning; `snowflake` and `snowflake:` stand for `snowflake://`.
 */
export function parsePrefix(text: string): string {
  const prefix = trimmed(text);
  return prefix === '' || prefix.includes('://') ? prefix : `${prefix.replace(/[:/]+$/, '')}://`;
}

/**
 * The name directly under a prefix on the way to an anchor: its next part, or its `#column`; undefined when the anchor
 * is not below the prefix.
 */
export function stepBelow(prefix: string, anchor: string): string | undefined {
  if (prefix === '') return anchor.slice(0, anchor.indexOf('://') + 3);
  const start = prefix.endsWith('://') ? prefix.length : prefix.length + 1;
  const separated = start === prefix.length || anchor[prefix.length] === '/' || anchor[prefix.length] === '#';
  if (!anchor.startsWith(prefix) || !separated || anchor.length <= start) return undefined;
  const end = anchor.slice(start).search(/[/#]/);
  return end < 0 ? anchor : anchor.slice(0, start + end);
}

/** The last part of a qualified name: of `x://a/b/table` the table, of `x://` the system, `x`. */
export function anchorName(anchor: string): string {
  const parts = anchor.split('/').filter((part) => part !== '');
  return parts.length > 1 ? parts.at(-1)! : anchor.replace(/:\/*$/, '');
}

/**
 * The names under which learnings on an asset may be filed: its own, and for a SQLite table also
 * `sqlite://main/<table>`, which older records used whatever the connection.
 */
export function anchorsOf(anchor: string): string[] {
  const parts = /^sqlite:\/\/(.+)\/([^/]+)$/i.exec(anchor);
  if (!parts || parts[1]!.toLowerCase() === 'main') return [anchor];
  return [anchor, `sqlite://main/${parts[2]}`];
}

function trimmed(text: string): string {
  const bare = text.trim();
  return bare.endsWith('://') ? bare : bare.replace(/\/+$/, '');
}
