import type { LexicalRules } from './lexical.ts';

export interface Token {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol' | 'comment';
  readonly start: number;
  readonly end: number;
  /** False for a string, name or comment that the text ends in. */
  readonly closed: boolean;
}

const SPACE = /\s+/y;
const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const LINE = /[^\n]*/y;
const DOLLAR = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/** The next token at or after `from`, comments included; undefined at the text's end. Linear over a whole text. */
export function nextToken(text: string, from: number, rules: LexicalRules): Token | undefined {
  const start = endOf(SPACE, text, from) ?? from;
  if (start >= text.length) return undefined;
  const token = (kind: Token['kind'], end: number, closed = true): Token => ({ kind, start, end, closed });
  const until = (kind: Token['kind'], end: number): Token =>
    end < 0 ? token(kind, text.length, false) : token(kind, end);
  const char = text[start]!;
  const two = text.slice(start, start + 2);

  if (two === '--' && (!rules.spacedDashes || /^\s?$/.test(text.slice(start + 2, start + 3)))) {
    return token('comment', endOf(LINE, text, start)!);
  }
  if ((char === '#' && rules.hashComments) || (two === '//' && rules.slashComments)) {
    return token('comment', endOf(LINE, text, start)!);
  }
  if (two === '/*') return until('comment', commentEnd(text, start, rules.nestedComments));
  if (rules.tripleQuotes && (text.startsWith("'''", start) || text.startsWith('"""', start))) {
    return until('string', quotedEnd(text, start + 3, text.slice(start, start + 3), true));
  }
  if (char === "'") return until('string', quotedEnd(text, start + 1, "'", rules.backslash));
  if (char === '"') {
    return until(
      rules.doubleQuotedStrings ? 'string' : 'name',
      quotedEnd(text, start + 1, '"', rules.doubleQuotedStrings && rules.backslash),
    );
  }
  if (char === '`') return until('name', quotedEnd(text, start + 1, '`', false));
  if (char === '[' && rules.brackets) return until('name', quotedEnd(text, start + 1, ']', false));
  if (char === '$' && rules.dollarQuotes) {
    const open = endOf(DOLLAR, text, start);
    if (open !== undefined) {
      const close = text.indexOf(text.slice(start, open), open);
      return until('string', close < 0 ? -1 : close + open - start);
    }
  }
  // E'…' of PostgreSQL has escapes whatever the dialect's plain strings have.
  if (/^[eE]'/.test(two) && rules.dollarQuotes) return until('string', quotedEnd(text, start + 2, "'", true));
  const word = endOf(WORD, text, start);
  if (word !== undefined) return token('word', word);
  const number = endOf(NUMBER, text, start);
  if (number !== undefined) return token('number', number);
  return token('symbol', start + 1);
}

/** The tokens of a text, in order, without its comments unless they are asked for. */
export function* tokensOf(text: string, rules: LexicalRules, comments = false): Generator<Token> {
  for (let token = nextToken(text, 0, rules); token; token = nextToken(text, token.end, rules)) {
    if (comments || token.kind !== 'comment') yield token;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Offset after the closing quote; a doubled quote stands for itself. -1 when there is none. */
function quotedEnd(text: string, from: number, quote: string, backslash: boolean): number {
  const doubles = quote.length === 1;
  for (let at = from; at < text.length; at++) {
    if (backslash && text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) {
      if (!doubles || text[at + 1] !== quote) return at + quote.length;
      at++;
    }
  }
  return -1;
}

function commentEnd(text: string, start: number, nested: boolean): number {
  if (!nested) {
    const close = text.indexOf('*/', start + 2);
    return close < 0 ? -1 : close + 2;
  }
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start + 2;
  let depth = 1;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return -1;
}
