import { lexicalRules } from './lexical.ts';
import { tokensOf } from './tokens.ts';

/** Words that a statement of T-SQL may start with. */
const STARTS =
  /^(?:ALTER|BACKUP|CREATE|DECLARE|DELETE|DENY|DROP|EXEC|EXECUTE|GRANT|IF|INSERT|MERGE|PRINT|REVOKE|SELECT|SET|TRUNCATE|UPDATE|USE|WITH)$/i;
/** Pieces that one statement may be made of: `INSERT INTO t (…)`, then `SELECT …` on a line of its own. */
const MOST_PIECES = 6;

export interface Piece<T> {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly result: T;
}

/**
 * T-SQL needs no semicolons: a text may hold several statements. Calls `parse` on the shortest runs that parse, each
 * starting at a word that can start a statement; where none does, the error for the piece is its result. Undefined when
 * the text has one such word only.
 */
export async function parseBatch<T>(
  text: string,
  parse: (text: string) => Promise<T | Error>,
): Promise<Piece<T | Error>[] | undefined> {
  const starts = [...statementStarts(text), text.length];
  if (starts.length < 3 || starts[0] !== 0) return undefined;
  const pieces: Piece<T | Error>[] = [];
  for (let at = 0; at < starts.length - 1; ) {
    let piece: Piece<T | Error> | undefined;
    let used = 1;
    for (let count = 1; count <= MOST_PIECES && at + count < starts.length; count++) {
      const [start, end] = [starts[at]!, starts[at]! + text.slice(starts[at], starts[at + count]).trimEnd().length];
      const result = await parse(text.slice(start, end));
      piece ??= { start, end, result };
      if (result instanceof Error) continue;
      piece = { start, end, result };
      used = count;
      break;
    }
    pieces.push(piece!);
    at += used;
  }
  return pieces;
}

/** Offsets of the words outside of parentheses that may start a statement. */
function statementStarts(text: string): number[] {
  const starts: number[] = [];
  let depth = 0;
  for (const { kind, start, end } of tokensOf(text, lexicalRules('tsql'))) {
    if (kind === 'symbol') depth += text[start] === '(' ? 1 : text[start] === ')' ? -1 : 0;
    else if (kind === 'word' && depth === 0 && STARTS.test(text.slice(start, end))) starts.push(start);
  }
  return starts;
}
