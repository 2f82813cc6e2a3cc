import type { DbtReference, FragmentProblem } from '../fragment.ts';
import type { JinjaNode } from './jinja.ts';
import { callsIn, constantOf, type JinjaExpression, type JinjaValue } from './jinja-expression.ts';

/** A dbt template made into SQL that a parser reads. */
export interface RenderedTemplate {
  /** The i-th reference stands in it as the table `loci_ref_<i>`; what has no value without dbt, as `loci_unknown`. */
  readonly sql: string;
  /** Line of the template for each line of `sql`, from 1. */
  readonly lines: readonly number[];
  readonly refs: readonly DbtReference[];
  readonly config: Readonly<Record<string, string | readonly string[]>>;
  readonly problems: readonly FragmentProblem[];
}

export const REFERENCE = /^loci_ref_(\d+)$/;
/** Stands for a value, name or relation that only dbt knows. */
export const UNKNOWN = 'loci_unknown';

/** In UTF-16 units: loops inside loops may not grow a template without bound. */
const LONGEST = 1_000_000;
/** Rounds of all loops together. */
const MOST_ROUNDS = 10_000;
/** dbt's macros for types that differ between databases. */
const TYPES: Readonly<Record<string, string>> = {
  type_string: 'varchar',
  type_timestamp: 'timestamp',
  type_int: 'integer',
  type_bigint: 'bigint',
  type_float: 'float',
  type_numeric: 'numeric',
  type_boolean: 'boolean',
};

/** Blocks whose body is part of the query. */
const RENDERED = new Set(['snapshot', 'filter', 'block', 'raw']);

type Scope = ReadonlyMap<string, JinjaValue | undefined>;

/**
 * Renders what a template says for certain: literals, loops over literal lists, references. Macros are not run: one
 * stands as a function call of its arguments, so that columns named in them are still seen. Of an `if` that cannot be
 * decided, the first branch is taken, and every branch's references count.
 */
export function renderTemplate(nodes: readonly JinjaNode[]): RenderedTemplate {
  const refs: DbtReference[] = [];
  const places = new Map<string, number>();
  const config: Record<string, string | readonly string[]> = {};
  const problems: FragmentProblem[] = [];
  const pieces: string[] = [];
  const lines = [1];
  let length = 0;
  let fresh = true;
  let rounds = 0;

  const emit = (text: string, line: number, moves: boolean) => {
    if (length + text.length > LONGEST) {
      if (length <= LONGEST)
        problems.push({ line, message: 'The template grows too long when its loops are unrolled.' });
      length = LONGEST + 1;
      return;
    }
    length += text.length;
    pieces.push(text);
    if (fresh && text.trim() !== '') {
      lines[lines.length - 1] = line;
      fresh = false;
    }
    let at = line;
    for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) {
      if (moves) at++;
      lines.push(at);
      fresh = false;
    }
  };

  const reference = (call: Extract<JinjaExpression, { kind: 'call' }>, line: number): string | undefined => {
    const texts = call.args.map((arg) => constantOf(arg, () => undefined));
    if (!texts.every((text) => typeof text === 'string') || texts.length === 0) return undefined;
    const version = call.named.v ?? call.named.version;
    const written = version && constantOf(version, () => undefined);
    const ref: DbtReference['ref'] =
      call.name === 'source'
        ? { kind: 'dbt_source', source: texts[0]!, table: texts[1] ?? '' }
        : {
            kind: 'dbt',
            name: texts.at(-1)!,
            ...(texts.length > 1 && { package: texts[0]! }),
            ...(written !== undefined && { version: String(written) }),
          };
    const key = JSON.stringify(ref);
    const known = places.get(key) ?? refs.push({ ref, line }) - 1;
    places.set(key, known);
    return `loci_ref_${known}`;
  };

  const note = (expression: JinjaExpression, line: number) => {
    for (const call of callsIn(expression)) {
      if (call.name === 'ref' || call.name === 'source') reference(call, line);
      if (call.name !== 'config') continue;
      for (const [name, value] of Object.entries(call.named)) {
        const known = constantOf(value, () => undefined);
        if (Array.isArray(known)) config[name] = known.map(String);
        else if (known !== undefined && known !== null && typeof known !== 'object') config[name] = String(known);
      }
    }
  };

  const sqlOf = (expression: JinjaExpression, scope: Scope, line: number): string => {
    const value = constantOf(expression, lookUpIn(scope));
    if (value !== undefined && value !== null && typeof value !== 'object') return String(value);
    if (expression.kind === 'name') return expression.name === 'this' ? 'loci_this' : UNKNOWN;
    if (expression.kind === 'operation')
      return expression.operator === '|' ? sqlOf(expression.parts[0]!, scope, line) : UNKNOWN;
    if (expression.kind === 'list') return expression.items.map((item) => sqlOf(item, scope, line)).join(', ');
    if (expression.kind !== 'call') return UNKNOWN;
    const { name, args, named } = expression;
    if (name === 'config') return '';
    if (name === 'ref' || name === 'source') return reference(expression, line) ?? UNKNOWN;
    if (name === 'var') return args[1] ? sqlOf(args[1], scope, line) : UNKNOWN;
    if (name === 'env_var' || name === 'return') return UNKNOWN;
    const short = name.slice(name.lastIndexOf('.') + 1);
    if (TYPES[short]) return TYPES[short];
    if (short === 'star') return '*';
    return `${short}(${[...args, ...Object.values(named)].map((arg) => sqlOf(arg, scope, line)).join(', ')})`;
  };

  const render = (list: readonly JinjaNode[], outer: Scope): void => {
    const scope = new Map(outer);
    for (const node of list) {
      const { line } = node;
      if (node.kind === 'text') emit(node.text, line, true);
      else if (node.kind === 'output') {
        note(node.expression, line);
        emit(sqlOf(node.expression, scope, line), line, false);
      } else if (node.kind === 'set') {
        note(node.expression, line);
        scope.set(node.name, constantOf(node.expression, lookUpIn(scope)));
      } else if (node.kind === 'for') {
        note(node.items, line);
        loop(node, scope);
      } else if (node.kind === 'if') choose(node, scope);
      else if (RENDERED.has(node.tag)) render(node.body, scope);
      else if (node.tag !== 'macro') noteAll(node.body);
    }
  };

  const loop = (node: Extract<JinjaNode, { kind: 'for' }>, scope: Scope) => {
    const value = constantOf(node.items, lookUpIn(scope));
    const items = Array.isArray(value) ? (value as readonly JinjaValue[]) : undefined;
    if (!items) {
      problems.push({
        line: node.line,
        message: 'A loop over values that only dbt knows: columns it makes are not listed.',
      });
      render(
        node.body,
        new Map([...scope, ...node.names.map((name) => [name, undefined] as const), ...loopScope(0, 1)]),
      );
      return;
    }
    for (const [i, item] of items.entries()) {
      if (length > LONGEST || ++rounds > MOST_ROUNDS) return;
      const several = node.names.length > 1 && Array.isArray(item) ? (item as JinjaValue[]) : [item];
      const values = node.names.map((name, n) => [name, several[n]] as const);
      render(node.body, new Map([...scope, ...values, ...loopScope(i, items.length)]));
    }
  };

  const choose = (node: Extract<JinjaNode, { kind: 'if' }>, scope: Scope) => {
    let taken = false;
    for (const { condition, body } of node.branches) {
      const holds = condition === undefined || decide(condition, scope);
      if (!taken && holds !== false) {
        taken = true;
        render(body, scope);
      } else if (holds !== false) noteAll(body);
    }
  };

  const noteAll = (list: readonly JinjaNode[]): void => {
    for (const node of list) {
      if (node.kind === 'output' || node.kind === 'set') note(node.expression, node.line);
      else if (node.kind === 'for' || node.kind === 'block') noteAll(node.body);
      else if (node.kind === 'if') for (const { body } of node.branches) noteAll(body);
    }
  };

  render(nodes, new Map());
  return { sql: pieces.join(''), lines, refs, config, problems };
}

/** As dbt decides it while it parses: nothing is incremental yet. Undefined when it hangs on the target. */
function decide(condition: JinjaExpression, scope: Scope): boolean | undefined {
  if (condition.kind === 'call' && condition.name === 'is_incremental') return false;
  if (condition.kind === 'operation' && condition.operator === 'and') {
    const parts = condition.parts.map((part) => decide(part, scope));
    return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
  }
  if (condition.kind === 'operation' && condition.operator === 'not') {
    const inner = decide(condition.parts[0]!, scope);
    return inner === undefined ? undefined : !inner;
  }
  const value = constantOf(condition, lookUpIn(scope));
  return value === undefined ? undefined : Boolean(value);
}

function loopScope(index: number, count: number): [string, JinjaValue][] {
  return [
    ['loop.first', index === 0],
    ['loop.last', index === count - 1],
    ['loop.index', index + 1],
    ['loop.index0', index],
    ['loop.length', count],
  ];
}

function lookUpIn(scope: Scope): (name: string) => JinjaValue | undefined {
  return (name) => {
    if (scope.has(name)) return scope.get(name);
    const [head = '', ...path] = name.split('.');
    let value = scope.get(head);
    for (const key of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as Record<string, JinjaValue>)[key];
    }
    return path.length > 0 ? value : undefined;
  };
}
