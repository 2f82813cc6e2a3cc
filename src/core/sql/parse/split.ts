import { lexicalRules } from './lexical.ts';
import type { Dialect } from './statement.ts';
import { nextToken, type Token } from './tokens.ts';

/** A statement's place in a text: from its first token to the end of its last, without the delimiter. */
export interface StatementSpan {
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** Greatest nesting of parentheses. */
  readonly depth: number;
  /** What the text ends in the middle of. */
  readonly unclosed?: Token['kind'];
}

const ROUTINES = new Set(['PROCEDURE', 'PROC', 'FUNCTION', 'TRIGGER', 'EVENT', 'PACKAGE', 'TASK', 'ALERT']);
/** After BEGIN: a transaction starts, not a block. */
const TRANSACTION =
  /^\s*(?:$|;|(?:TRAN|TRANSACTION|WORK|DEFERRED|IMMEDIATE|EXCLUSIVE|CONCURRENT|ISOLATION|READ|NOT\s+DEFERRABLE)\b)/i;
/** After END: it closes what is not counted as a block. */
const END_OF_CONTROL = /^\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b/i;
const BLOCK_STARTS = new Set(['BEGIN', 'DECLARE', 'IF', 'WHILE', 'LOOP', 'REPEAT', 'FOR']);
/** Words of a CREATE that may stand before the kind of thing it creates, at most. */
const HEADER_WORDS = 12;

/**
 * Splits a text into statements: at `;` outside of strings, comments, names and BEGIN … END bodies, at lines that say GO
 * (T-SQL) or `/` (Oracle), and at what DELIMITER sets (MySQL). Lines for a client (psql's `\`, sqlite's `.`) and the data
 * after COPY … FROM STDIN are left out.
 */
export function splitStatements(text: string, dialect: Dialect): StatementSpan[] {
  const rules = lexicalRules(dialect);
  const spans: StatementSpan[] = [];
  let delimiter = ';';
  let statement: OpenStatement | undefined;
  let at = 0;
  const lines = lineCounter(text);

  const close = () => {
    if (statement && statement.end > statement.start) {
      const { start, end, maxDepth, unclosed } = statement;
      spans.push({ start, end, line: lines(start), depth: maxDepth, ...(unclosed && { unclosed }) });
    }
    statement = undefined;
  };

  for (let token = nextToken(text, at, rules); token; token = nextToken(text, at, rules)) {
    at = token.end;
    if (token.kind === 'comment') continue;
    const word = token.kind === 'word' ? text.slice(token.start, token.end).toUpperCase() : '';
    if (startsLine(text, token.start)) {
      const separator = separatorLine(text, token, word, dialect);
      if (separator !== undefined && (dialect !== 'oracle' || word === '')) {
        close();
        at = separator;
        continue;
      }
      if (!statement && word === 'DELIMITER') {
        const end = lineEnd(text, token.end);
        delimiter = text.slice(token.end, end).trim() || ';';
        at = end;
        continue;
      }
      if (!statement && isClientLine(text[token.start]!, dialect)) {
        at = lineEnd(text, token.end);
        continue;
      }
    }
    const found = delimiterIn(text, token, delimiter);
    if (found === token.start) {
      at = found + delimiter.length;
      if (!statement) continue;
      if (delimiter === ';' && !mayEnd(statement, dialect)) {
        statement.end = at;
        continue;
      }
      const copiesData = statement.copies;
      close();
      if (copiesData) at = dataEnd(text, at);
      continue;
    }
    const end = found ?? token.end;
    at = end;
    statement ??= openStatement(token.start, word);
    note(statement, text, found === undefined ? token : { ...token, end });
    statement.end = end;
    if (!token.closed) statement.unclosed = token.kind;
  }
  close();
  return spans;
}

interface OpenStatement {
  readonly start: number;
  end: number;
  readonly first: string;
  words: number;
  /** Creates something with a body, or is a block itself. */
  routine: string;
  depth: number;
  sawBlock: boolean;
  parentheses: number;
  maxDepth: number;
  copies: boolean;
  unclosed?: Token['kind'];
}

function openStatement(start: number, first: string): OpenStatement {
  return {
    start,
    end: start,
    first,
    words: 0,
    routine: BLOCK_STARTS.has(first) ? first : '',
    depth: 0,
    sawBlock: false,
    parentheses: 0,
    maxDepth: 0,
    copies: false,
  };
}

function note(statement: OpenStatement, text: string, token: Token): void {
  if (token.kind === 'symbol') {
    if (text[token.start] === '(') statement.maxDepth = Math.max(statement.maxDepth, ++statement.parentheses);
    else if (text[token.start] === ')') statement.parentheses--;
    return;
  }
  if (token.kind !== 'word') return;
  const word = text.slice(token.start, token.end).toUpperCase();
  statement.words++;
  if (statement.words <= HEADER_WORDS && !statement.routine && /^(?:CREATE|ALTER)$/.test(statement.first)) {
    if (ROUTINES.has(word)) statement.routine = word;
    else if (/^(?:TABLE|VIEW|INDEX|AS|SELECT|SCHEMA|DATABASE)$/.test(word)) statement.words = HEADER_WORDS;
  }
  if (statement.first === 'COPY' && word === 'STDIN') statement.copies = true;
  if (!statement.routine) return;
  const after = text.slice(token.end, token.end + 40);
  if (word === 'BEGIN' && !TRANSACTION.test(after)) {
    statement.depth++;
    statement.sawBlock = true;
  } else if (word === 'CASE' && !isAfterEnd(text, token.start)) statement.depth++;
  else if (word === 'END' && !END_OF_CONTROL.test(after)) statement.depth = Math.max(0, statement.depth - 1);
}

function isAfterEnd(text: string, start: number): boolean {
  return /\bEND\s+$/i.test(text.slice(Math.max(0, start - 20), start));
}

/** True when a `;` here ends the statement rather than one inside its body. */
function mayEnd(statement: OpenStatement, dialect: Dialect): boolean {
  const { routine, depth, sawBlock } = statement;
  if (!routine) return true;
  if (depth > 0) return false;
  // A body in T-SQL ends with its batch.
  if (dialect === 'tsql') return /^(?:BEGIN|DECLARE|IF|WHILE|EVENT)$/.test(routine);
  // Declarations go before BEGIN in PL/SQL and Snowflake's blocks; a package ends at its line with `/`.
  if (dialect === 'oracle') return routine !== 'PACKAGE' && sawBlock;
  if (dialect === 'snowflake' && routine === 'DECLARE') return sawBlock;
  return true;
}

/** Where the statements go on after a line that only separates them; undefined when the line is not such a one. */
function separatorLine(text: string, token: Token, word: string, dialect: Dialect): number | undefined {
  const end = lineEnd(text, token.end);
  const rest = text.slice(token.end, end).trim();
  if (word === 'GO' && dialect === 'tsql') return /^\d*;?$/.test(rest) ? end : undefined;
  if (dialect === 'oracle' && text[token.start] === '/' && rest === '') return end;
  return undefined;
}

function isClientLine(char: string, dialect: Dialect): boolean {
  return (char === '\\' && dialect === 'postgres') || (char === '.' && dialect === 'sqlite');
}

/** Offset of the delimiter if the token is it, holds it or starts it. */
function delimiterIn(text: string, token: Token, delimiter: string): number | undefined {
  if (token.kind === 'string' || token.kind === 'name') return undefined;
  if (delimiter.length === 1) return text[token.start] === delimiter ? token.start : undefined;
  if (text.startsWith(delimiter, token.start)) return token.start;
  const inside = text.slice(token.start, token.end).indexOf(delimiter);
  return inside < 0 ? undefined : token.start + inside;
}

/** Past the rows that psql reads for COPY … FROM STDIN, which end with a line `\.`. */
function dataEnd(text: string, from: number): number {
  const end = /^\\\.\r?$/m;
  const found = text.slice(from).search(end);
  return found < 0 ? text.length : lineEnd(text, from + found);
}

function startsLine(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    if (text[i] === '\n') return true;
    if (text[i] !== ' ' && text[i] !== '\t') return false;
  }
  return true;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Counts lines for offsets that only grow. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', counted); next >= 0 && next < offset; next = text.indexOf('\n', counted)) {
      line++;
      counted = next + 1;
    }
    return line;
  };
}
