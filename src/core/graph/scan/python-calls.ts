import type { PythonToken } from './python.ts';

/** A call as it is written: `df.to_csv("x", index=False)`. */
export interface PythonCall {
  /** With the names before it: `spark.read.parquet`. Calls in the chain are left out: `spark.read().parquet`. */
  readonly name: string;
  readonly args: readonly PythonArgument[];
  readonly line: number;
  /** Index of the name's first token, and of the one after the closing bracket. */
  readonly start: number;
  readonly end: number;
  /** The variable that the call's result is given to: `x = f()`, `with f() as x`. */
  readonly target?: string;
}

export interface PythonArgument {
  /** Undefined for a positional one. */
  readonly keyword?: string;
  readonly tokens: readonly PythonToken[];
}

/** Strings that module-level names are given, by name: constants such as `BASE = "data"`. */
export type Constants = ReadonlyMap<string, string>;

/** The folder of the source file itself, at the beginning of a path. */
export const FILE_FOLDER = '\0here';

/** What no constant says, inside a string made of parts. */
export const HOLE = '*';

/** Names of a chain that are looked at, so that one of a thousand calls is not walked a thousand times. */
const LONGEST_CHAIN = 20;

/** Every call in the tokens, outer ones before the ones in their arguments. */
export function callsIn(tokens: readonly PythonToken[]): PythonCall[] {
  const closing = matchingBrackets(tokens);
  const calls: PythonCall[] = [];
  for (const [open, token] of tokens.entries()) {
    if (token.type !== 'mark' || token.text !== '(') continue;
    const close = closing.get(open);
    if (close === undefined || tokens[open - 1]?.type !== 'name') continue;
    const { name, start } = chainBefore(tokens, open, closing);
    if (tokens[start - 1]?.text === 'def' || tokens[start - 1]?.text === 'class') continue;
    const target = targetOf(tokens, start, close + 1);
    calls.push({
      name,
      args: argumentsIn(tokens, open + 1, close, closing),
      line: tokens[start]!.line,
      start,
      end: close + 1,
      ...(target && { target }),
    });
  }
  return calls;
}

function matchingBrackets(tokens: readonly PythonToken[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [i, { type, text }] of tokens.entries()) {
    if (type !== 'mark') continue;
    if (text === '(' || text === '[' || text === '{') open.push(i);
    else if (text === ')' || text === ']' || text === '}') {
      const from = open.pop();
      if (from === undefined) continue;
      pairs.set(from, i);
      pairs.set(i, from);
    }
  }
  return pairs;
}

/** The dotted name that ends right before `open`, across calls and indexes in the chain. */
function chainBefore(tokens: readonly PythonToken[], open: number, pairs: ReadonlyMap<number, number>) {
  const names: string[] = [];
  let at = open - 1;
  for (;;) {
    names.unshift(tokens[at]!.text);
    if (tokens[at - 1]?.text !== '.' || names.length === LONGEST_CHAIN) break;
    let before = at - 2;
    while (tokens[before]?.type === 'mark' && (tokens[before]!.text === ')' || tokens[before]!.text === ']')) {
      before = (pairs.get(before) ?? 0) - 1;
    }
    if (tokens[before]?.type !== 'name') break;
    at = before;
  }
  return { name: names.join('.'), start: at };
}

function targetOf(tokens: readonly PythonToken[], start: number, end: number): string | undefined {
  // The chain goes on: what is given is another call's result.
  if (tokens[end]?.text === '.') return undefined;
  if (tokens[end]?.text === 'as' && tokens[end + 1]?.type === 'name') return tokens[end + 1]!.text;
  if (tokens[start - 1]?.text === '=' && tokens[start - 2]?.type === 'name') return tokens[start - 2]!.text;
  return undefined;
}

function argumentsIn(
  tokens: readonly PythonToken[],
  from: number,
  to: number,
  pairs: ReadonlyMap<number, number>,
): PythonArgument[] {
  const found: PythonArgument[] = [];
  const push = (start: number, end: number) => {
    if (start >= end) return;
    const keyword = tokens[start]!.type === 'name' && tokens[start + 1]?.text === '=' ? tokens[start]!.text : undefined;
    const first = keyword === undefined ? start : start + 2;
    found.push({
      ...(keyword !== undefined && { keyword }),
      // Calls inside calls would copy the same tokens again and again.
      get tokens() {
        return tokens.slice(first, end);
      },
    });
  };
  let start = from;
  for (let at = from; at < to; at++) {
    const { type, text } = tokens[at]!;
    if (type !== 'mark') continue;
    if (text === '(' || text === '[' || text === '{') at = pairs.get(at) ?? at;
    else if (text === ',') {
      push(start, at);
      start = at + 1;
    }
  }
  push(start, to);
  return found;
}

/** The argument of a call by keyword or, failing that, by place. */
export function argumentOf(
  call: PythonCall,
  place: number,
  ...keywords: readonly string[]
): readonly PythonToken[] | undefined {
  const named = call.args.find(({ keyword }) => keyword !== undefined && keywords.includes(keyword));
  if (named) return named.tokens;
  return call.args.filter(({ keyword }) => keyword === undefined)[place]?.tokens;
}

/**
 * The text an expression makes: strings side by side or added, f-strings, constants, `Path(…) / "x"`, `os.path.join(…)`.
 * Parts that are not known stand as `hole`; undefined when no part is.
 */
export function textOf(
  tokens: readonly PythonToken[] | undefined,
  constants: Constants,
  hole = HOLE,
): string | undefined {
  if (!tokens || tokens.length === 0 || tokens.length > 200) return undefined;
  let known = false;
  let text = '';
  const joins = tokens.some(({ type, text: name }) => type === 'name' && name === 'join');
  const add = (part: string, slash: boolean) => {
    text += (slash && text !== '' && !text.endsWith('/') ? '/' : '') + part;
  };
  for (const [i, token] of tokens.entries()) {
    const previous = tokens[i - 1]?.text;
    const slash = previous === '/' || (joins && previous === ',');
    if (token.type === 'string') {
      known = true;
      add(fill(token.text, constants, hole), slash);
    } else if (
      token.type === 'name' &&
      tokens[i + 1]?.text !== '(' &&
      tokens[i + 1]?.text !== '.' &&
      previous !== '.'
    ) {
      const value = constants.get(token.text);
      known ||= value !== undefined;
      add(value ?? hole, slash);
    } else if (token.type === 'end' || (token.type === 'mark' && token.text === ',' && !joins)) break;
  }
  return known ? text : undefined;
}

function fill(text: string, constants: Constants, hole: string): string {
  return text.replace(/\0(\w*)\0/g, (_, name: string) => constants.get(name) ?? hole);
}

/** Strings given to names at the beginning of a line; a name given two values has none. */
export function constantsIn(tokens: readonly PythonToken[]): Map<string, string> {
  const constants = new Map<string, string>();
  const given = new Set<string>();
  for (const [i, token] of tokens.entries()) {
    const starts = i === 0 || tokens[i - 1]!.type === 'end';
    if (!starts || token.type !== 'name' || tokens[i + 1]?.text !== '=') continue;
    let end = i + 2;
    while (tokens[end] && tokens[end]!.type !== 'end') end++;
    const written = tokens.slice(i + 2, Math.min(end, i + 102));
    const value = given.has(token.text) ? undefined : (folderOf(written) ?? textOf(written, constants));
    given.add(token.text);
    if (value === undefined) constants.delete(token.text);
    else constants.set(token.text, value);
  }
  return constants;
}

/** `Path(__file__).parent` and its kin: the file's own folder, or one above it. */
function folderOf(tokens: readonly PythonToken[]): string | undefined {
  if (!tokens.some(({ text }) => text === '__file__') || tokens.some(({ type }) => type === 'string')) return undefined;
  const ups = tokens.filter(({ type, text }) => type === 'name' && (text === 'parent' || text === 'dirname')).length;
  return ups === 0 ? undefined : ups === 1 ? FILE_FOLDER : `${FILE_FOLDER}${'/..'.repeat(ups - 1)}`;
}
