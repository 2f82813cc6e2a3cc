import { lexicalRules } from './lexical.ts';
import type { Dialect } from './statement.ts';
import { tokensOf } from './tokens.ts';

/** Statements up to this many UTF-16 units are parsed as they are. */
const SHORT = 20_000;

/**
 * A long INSERT with only its first row of VALUES: the rows of a dump name nothing that the first does not, and a parser
 * would take seconds for them. Anything else is returned as it is.
 */
export function withoutRows(statement: string): string {
  if (statement.length <= SHORT || !/^\s*(?:INSERT|REPLACE)\b/i.test(statement)) return statement;
  const values = /\bVALUES\s*\(/i.exec(statement.slice(0, SHORT));
  if (!values) return statement;
  const open = values.index + values[0].length - 1;
  const end = rowEnd(statement, open);
  return end !== undefined && /^\s*,\s*\(/.test(statement.slice(end, end + 20)) ? statement.slice(0, end) : statement;
}

/** Offset after the parenthesis that closes the one at `open`, strings left out of account. */
function rowEnd(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (char === "'") {
      // Both escapes, `''` and `\'`: the first costs nothing here, since the second quote opens the next string.
      for (at++; at < text.length && text[at] !== "'"; at++) if (text[at] === '\\') at++;
    } else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at + 1;
  }
  return undefined;
}

/**
 * A CREATE TABLE up to the end of its column list, for parsers that stumble over the options after it: they say nothing of
 * its columns. Undefined when the statement is not of that form, or when what follows may add columns.
 */
export function withoutTableOptions(statement: string, dialect: Dialect): string | undefined {
  if (!/^CREATE\b[^(]{0,200}\bTABLE\b/i.test(statement)) return undefined;
  let depth = 0;
  let end: number | undefined;
  for (const { kind, start, end: tokenEnd } of tokensOf(statement, lexicalRules(dialect))) {
    const piece = statement.slice(start, tokenEnd);
    if (kind === 'word' && depth === 0 && /^(?:AS|SELECT|LIKE|CLONE|COPY|INHERITS|OF)$/i.test(piece)) return undefined;
    if (piece === '(') depth++;
    else if (piece === ')' && --depth === 0) end ??= tokenEnd;
  }
  return end === undefined || end === statement.length ? undefined : statement.slice(0, end);
}
