import { type Expression, NOTHING } from './query.ts';

/** A node of a parser's JSON tree, of which only the parts that are looked at are known. */
export type Node = { readonly [key: string]: unknown };

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nodeOf(value: unknown): Node | undefined {
  return isNode(value) ? value : undefined;
}

export function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** What the nodes `{ kind: {…} }` of a list hold. */
export function taggedIn(list: unknown, kind: string): Node[] {
  return nodesOf(nodesOf(list).map((item) => item[kind]));
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A node `{ Kind: {…} }` as its kind and what it holds; undefined for anything else. */
export function tagged(value: unknown): { readonly kind: string; readonly data: Node } | undefined {
  if (!isNode(value)) return undefined;
  const keys = Object.keys(value);
  const data = value[keys[0]!];
  return keys.length === 1 && isNode(data) ? { kind: keys[0]!, data } : undefined;
}

/**
 * Calls `visit` for every node below `value`, parents first, with the key it stands under; empty for one of a list. A node
 * for which it returns true is not entered.
 */
export function walk(value: unknown, visit: (key: string, node: Node) => boolean, key = ''): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else if (isNode(value) && !visit(key, value)) {
    for (const [name, part] of Object.entries(value)) {
      if (typeof part === 'object' && part !== null) walk(part, visit, name);
    }
  }
}

/** Several expressions as one. */
export function together(...parts: readonly Expression[]): Expression {
  const some = parts.filter((part) => part !== NOTHING);
  if (some.length < 2) return some[0] ?? NOTHING;
  return { columns: some.flatMap(({ columns }) => columns), queries: some.flatMap(({ queries }) => queries) };
}
