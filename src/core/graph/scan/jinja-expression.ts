/** A value that a template's literals can have; nothing is ever called or looked up outside the template. */
export type JinjaValue =
  | string
  | number
  | boolean
  | null
  | readonly JinjaValue[]
  | { readonly [key: string]: JinjaValue };

export type JinjaExpression =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly JinjaExpression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [JinjaExpression, JinjaExpression])[] }
  /** A name with its attributes: `loop.last`. */
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly JinjaExpression[];
      readonly named: Readonly<Record<string, JinjaExpression>>;
    }
  | { readonly kind: 'operation'; readonly operator: string; readonly parts: readonly JinjaExpression[] };

const TOKEN =
  /\s+|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)|(==|!=|<=|>=|\/\/|\*\*|[-+*/%~|<>=()[\]{},:.])|./gsu;
/** Binary operators from the loosest; each level's operands are the next level's. */
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['==', '!=', '<', '>', '<=', '>=', 'in', 'is'],
  ['~', '+', '-'],
  ['*', '/', '//', '%', '**'],
];
const DEEPEST = 60;
const MOST_TOKENS = 20_000;
/** Operators of one chain that are read: it makes a tree as deep as it is long. */
const LONGEST_CHAIN = 200;
const LONGEST_VALUE = 10_000;
const NOTHING: JinjaExpression = { kind: 'value', value: null };

interface Token {
  readonly type: 'string' | 'number' | 'name' | 'mark';
  readonly text: string;
}

/** Reads a Jinja expression. What is not understood becomes an operation without a value; it never throws. */
export function parseExpression(text: string): JinjaExpression {
  const tokens: Token[] = [];
  for (const [, quoted, number, name, mark] of text.matchAll(TOKEN)) {
    if (quoted !== undefined) tokens.push({ type: 'string', text: unquote(quoted) });
    else if (number !== undefined) tokens.push({ type: 'number', text: number });
    else if (name !== undefined) tokens.push({ type: 'name', text: name.replace(/\s+/g, '') });
    else if (mark !== undefined) tokens.push({ type: 'mark', text: mark });
    if (tokens.length === MOST_TOKENS) break;
  }
  let at = 0;
  let depth = 0;
  const is = (...texts: string[]) =>
    at < tokens.length && tokens[at]!.type !== 'string' && texts.includes(tokens[at]!.text);
  const skip = (text: string) => is(text) && at++ >= 0;

  const whole = (): JinjaExpression => {
    if (depth === DEEPEST) at = tokens.length;
    if (at >= tokens.length) return NOTHING;
    depth++;
    const expression = binary(0);
    depth--;
    return expression;
  };

  const binary = (level: number): JinjaExpression => {
    const operators = LEVELS[level];
    if (!operators) return unary();
    let left = binary(level + 1);
    for (let length = 0; ; length++) {
      if (length === LONGEST_CHAIN) at = tokens.length;
      const negated = operators.includes('in') && is('not') && tokens[at + 1]?.text === 'in';
      if (negated) at++;
      else if (!is(...operators)) return left;
      const operator = negated ? 'not in' : tokens[at]!.text;
      at++;
      left = { kind: 'operation', operator, parts: [left, binary(level + 1)] };
    }
  };

  const unary = (): JinjaExpression => {
    if (is('not', '-', '+')) {
      const operator = tokens[at++]!.text;
      while (is('not', '-', '+')) at++;
      return { kind: 'operation', operator, parts: [unary()] };
    }
    let expression = primary();
    for (let length = 0; ; length++) {
      if (length === LONGEST_CHAIN) at = tokens.length;
      if (skip('|')) {
        const filter = primary();
        expression = { kind: 'operation', operator: '|', parts: [expression, filter] };
      } else if (skip('[')) {
        const index = is(']') ? NOTHING : whole();
        skip(']');
        expression = { kind: 'operation', operator: '[]', parts: [expression, index] };
      } else if (is('.')) {
        // An attribute of a call's result: its value is not known, its arguments still are.
        at++;
        expression = { kind: 'operation', operator: '.', parts: [expression, primary()] };
      } else return expression;
    }
  };

  const primary = (): JinjaExpression => {
    const token = tokens[at++];
    if (!token) return NOTHING;
    if (token.type === 'string') return { kind: 'value', value: token.text };
    if (token.type === 'number') return { kind: 'value', value: Number(token.text) };
    if (token.type === 'name') return skip('(') ? call(token.text) : named(token.text);
    if (token.text === '(') return enclosed(')');
    if (token.text === '[') return { kind: 'list', items: items(']') };
    if (token.text === '{') return dict();
    return NOTHING;
  };

  const enclosed = (close: string): JinjaExpression => {
    const inside = items(close);
    return inside.length === 1 ? inside[0]! : { kind: 'list', items: inside };
  };

  const items = (close: string): JinjaExpression[] => {
    const found: JinjaExpression[] = [];
    while (at < tokens.length && !skip(close)) {
      const before = at;
      found.push(whole());
      if (!skip(',') && !is(close) && at === before) at++;
    }
    return found;
  };

  const dict = (): JinjaExpression => {
    const entries: [JinjaExpression, JinjaExpression][] = [];
    while (at < tokens.length && !skip('}')) {
      const before = at;
      const key = whole();
      if (skip(':')) entries.push([key, whole()]);
      if (!skip(',') && !is('}') && at === before) at++;
    }
    return { kind: 'dict', entries };
  };

  const call = (name: string): JinjaExpression => {
    const args: JinjaExpression[] = [];
    const byName: Record<string, JinjaExpression> = Object.create(null);
    while (at < tokens.length && !skip(')')) {
      const before = at;
      const key = tokens[at]!;
      if (key.type === 'name' && tokens[at + 1]?.text === '=' && tokens[at + 1]!.type === 'mark') {
        at += 2;
        byName[key.text] = whole();
      } else args.push(whole());
      if (!skip(',') && !is(')') && at === before) at++;
    }
    return { kind: 'call', name, args, named: byName };
  };

  return whole();
}

function named(name: string): JinjaExpression {
  const constant = { true: true, false: false, none: null }[name.toLowerCase()];
  return constant === undefined ? { kind: 'name', name } : { kind: 'value', value: constant };
}

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gs, (_, unit: string) => ({ n: '\n', t: '\t' })[unit] ?? unit);
}

/** The value of an expression of literals and known names; undefined when it hangs on anything else. */
export function constantOf(
  expression: JinjaExpression,
  lookUp: (name: string) => JinjaValue | undefined,
): JinjaValue | undefined {
  const { kind } = expression;
  if (kind === 'value') return expression.value;
  if (kind === 'name') return lookUp(expression.name);
  if (kind === 'call') return undefined;
  if (kind === 'list') {
    const items = expression.items.map((item) => constantOf(item, lookUp));
    return items.includes(undefined) ? undefined : (items as JinjaValue[]);
  }
  if (kind === 'dict') {
    const entries = expression.entries.map(([key, value]) => [
      String(constantOf(key, lookUp)),
      constantOf(value, lookUp),
    ]);
    return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
  }
  const [left, right] = expression.parts.map((part) => constantOf(part, lookUp));
  switch (expression.operator) {
    case 'not':
      return left === undefined ? undefined : !left;
    case 'and':
      return left === false || right === false ? false : left === undefined || right === undefined ? undefined : right;
    case 'or':
      return left === true || right === true
        ? true
        : left === undefined || right === undefined
          ? undefined
          : left || right;
    case '==':
      return left === undefined || right === undefined ? undefined : left === right;
    case '!=':
      return left === undefined || right === undefined ? undefined : left !== right;
    case '~':
      return isScalar(left) && isScalar(right) ? bounded(`${left}${right}`) : undefined;
    case '+':
      return typeof left === 'string' && typeof right === 'string' ? bounded(left + right) : undefined;
    case '[]':
      return itemOf(left, right);
    default:
      return undefined;
  }
}

/** Text that doubles itself in every line of a template would soon fill the memory. */
function bounded(text: string): string | undefined {
  return text.length <= LONGEST_VALUE ? text : undefined;
}

function isScalar(value: JinjaValue | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function itemOf(value: JinjaValue | undefined, key: JinjaValue | undefined): JinjaValue | undefined {
  if (typeof value !== 'object' || value === null || key === undefined) return undefined;
  return Object.hasOwn(value, String(key)) ? (value as Record<string, JinjaValue>)[String(key)] : undefined;
}

/** Every call in an expression, outermost first. */
export function* callsIn(expression: JinjaExpression): Generator<Extract<JinjaExpression, { kind: 'call' }>> {
  if (expression.kind === 'call') {
    yield expression;
    for (const part of [...expression.args, ...Object.values(expression.named)]) yield* callsIn(part);
  } else if (expression.kind === 'list') for (const item of expression.items) yield* callsIn(item);
  else if (expression.kind === 'dict') for (const [, value] of expression.entries) yield* callsIn(value);
  else if (expression.kind === 'operation') for (const part of expression.parts) yield* callsIn(part);
}
