import { lexicalRules } from '../parse/lexical.ts';
import { loadPolyglot } from '../parse/polyglot.ts';
import { nameOf } from '../parse/polyglot-query.ts';
import { splitStatements } from '../parse/split.ts';
import { nextToken } from '../parse/tokens.ts';
import { type Node, walk } from '../parse/tree.ts';
import { type Judgement, read, unclear, write } from './judgement.ts';
import { SQLITE_FUNCTIONS } from './sqlite-functions.ts';

const QUERIES = new Set(['select', 'union', 'intersect', 'except', 'values', 'subquery']);
const WRITES = new Set([
  'insert',
  'update',
  'delete',
  'merge',
  'replace',
  'command',
  'raw',
  'pragma',
  'attach',
  'detach',
  'create_table',
  'create_view',
  'drop_table',
  'alter_table',
  'transaction',
  'commit',
  'rollback',
  'copy',
  'set_statement',
  'use',
  'vacuum',
  'analyze',
]);
/** First words of the statements that may only read. */
const FIRST = /^(?:SELECT|WITH|VALUES|EXPLAIN)$/i;

/**
 * Judges one statement of SQLite: by SQLite's own rules for where statements, strings and comments end, then by the tree of
 * the parser. While it runs, SQLite's authorizer judges again (see sqlite-guard.ts).
 */
export async function judgeSqlite(text: string): Promise<Judgement> {
  const [span, ...others] = splitStatements(text, 'sqlite');
  if (!span) return unclear('it holds no statement');
  if (others.length > 0) return write('it holds several statements');
  if (span.unclosed) return unclear(`a ${span.unclosed} in it is not closed`);
  const statement = text.slice(span.start, span.end);
  const first = nextToken(statement, 0, lexicalRules('sqlite'));
  const word = first ? statement.slice(first.start, first.end) : '';
  if (!FIRST.test(word))
    return write(`it is ${/^[aeiou]/i.test(word) ? 'an' : 'a'} ${word.slice(0, 40).toUpperCase()}`);
  const explained = /^EXPLAIN(?:\s+QUERY\s+PLAN)?\b/i.exec(statement)?.[0].length ?? 0;
  return judgeTree(statement.slice(explained));
}

async function judgeTree(text: string): Promise<Judgement> {
  const { parse } = await loadPolyglot('sqlite');
  let tree: ReturnType<typeof parse>;
  try {
    tree = parse(text);
  } catch (error) {
    return unclear(`the parser does not accept it: ${(error as Error).message}`);
  }
  const [statement, ...others] = tree;
  if (!statement || others.length > 0) return write('it holds several statements');
  if (!QUERIES.has(statement.kind)) return write(`it is ${statement.kind.replaceAll('_', ' ').toUpperCase()}`);
  let reason: string | undefined;
  walk({ [statement.kind]: statement.data }, (key, node) => {
    reason ??= refusal(key, node);
    return reason !== undefined;
  });
  return reason === undefined
    ? read([], statement.data.order_by !== null && statement.data.order_by !== undefined)
    : write(reason);
}

function refusal(key: string, node: Node): string | undefined {
  if (WRITES.has(key)) return `it contains ${key.replaceAll('_', ' ').toUpperCase()}`;
  if (key === 'into') return 'it creates a table (SELECT INTO)';
  if (Array.isArray(node.locks) && node.locks.length > 0) return 'it locks rows';
  // A pragma can be read as a table, with or without arguments.
  if (key === 'table') return refusedPragma(nameOf(node.name)?.toLowerCase() ?? '');
  if (key !== 'function' && key !== 'aggregate_function') return undefined;
  const name = nameOf(node.name)?.toLowerCase();
  return name !== undefined && SQLITE_FUNCTIONS.has(name) ? undefined : `it calls ${name ?? 'a function'}`;
}

function refusedPragma(table: string): string | undefined {
  return table.startsWith('pragma_') && !SQLITE_FUNCTIONS.has(table) ? `it reads ${table}` : undefined;
}
