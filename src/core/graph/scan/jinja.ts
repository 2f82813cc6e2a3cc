import type { FragmentProblem } from '../fragment.ts';
import { type JinjaExpression, parseExpression } from './jinja-expression.ts';
import { lineFinder } from './text.ts';

export type JinjaNode =
  | { readonly kind: 'text'; readonly text: string; readonly line: number }
  | { readonly kind: 'output'; readonly expression: JinjaExpression; readonly line: number }
  | { readonly kind: 'set'; readonly name: string; readonly expression: JinjaExpression; readonly line: number }
  | {
      readonly kind: 'for';
      readonly names: readonly string[];
      readonly items: JinjaExpression;
      readonly body: JinjaNode[];
      readonly line: number;
    }
  | {
      readonly kind: 'if';
      /** The last one's condition is absent when it is the `else`. */
      readonly branches: { readonly condition?: JinjaExpression; readonly body: JinjaNode[] }[];
      readonly line: number;
    }
  /** `macro`, `call`, `set` with a body, `snapshot`, `docs`, …: named blocks. */
  | {
      readonly kind: 'block';
      readonly tag: string;
      readonly name: string;
      readonly body: JinjaNode[];
      readonly line: number;
    };

export interface JinjaTemplate {
  readonly nodes: readonly JinjaNode[];
  readonly problems: readonly FragmentProblem[];
}

const BLOCKS = new Set(['macro', 'call', 'snapshot', 'docs', 'test', 'materialization', 'filter', 'block', 'raw']);
const DEEPEST = 100;

/** Reads a Jinja template into a tree, without running any of it. Unclosed tags end with the text. Linear in the text. */
export function parseTemplate(text: string): JinjaTemplate {
  const lineOf = lineFinder(text);
  const problems: FragmentProblem[] = [];
  const root: JinjaNode[] = [];
  const stack: { tag: string; body: JinjaNode[]; node: JinjaNode | undefined }[] = [
    { tag: '', body: root, node: undefined },
  ];
  const add = (node: JinjaNode) => stack.at(-1)!.body.push(node);
  const open = (tag: string, node: JinjaNode, body: JinjaNode[]) => {
    add(node);
    if (stack.length < DEEPEST) stack.push({ tag, body, node });
    else problems.push({ line: node.line, message: 'Tags are nested too deeply.' });
  };

  const close = (tag: string, line: number) => {
    const opened = stack.findLastIndex((entry) => entry.tag === tag);
    if (opened < 1) problems.push({ line, message: `{% end${tag} %} closes nothing.` });
    else stack.length = opened;
  };

  const statement = (source: string, line: number) => {
    const [, tag = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(source) ?? [];
    if (tag.startsWith('end')) return close(tag.slice(3), line);
    if (tag === 'else' || tag === 'elif') {
      const top = stack.at(-1)!;
      if (top.node?.kind !== 'if') {
        if (top.node?.kind !== 'for') problems.push({ line, message: `{% ${tag} %} stands outside an if.` });
        return;
      }
      const body: JinjaNode[] = [];
      top.node.branches.push({ ...(tag === 'elif' && { condition: parseExpression(rest) }), body });
      stack[stack.length - 1] = { ...top, body };
      return;
    }
    if (tag === 'if') {
      const body: JinjaNode[] = [];
      return open('if', { kind: 'if', branches: [{ condition: parseExpression(rest), body }], line }, body);
    }
    if (tag === 'for') {
      const [, names = '', items = ''] = /^([\w\s,]+?)\s+in\s+([\s\S]+)$/.exec(rest) ?? [];
      const body: JinjaNode[] = [];
      const variables = names.split(',').map((name) => name.trim());
      return open('for', { kind: 'for', names: variables, items: parseExpression(items), body, line }, body);
    }
    if (tag === 'set') {
      const [, name = '', value] = /^([\w.]+)\s*(?:=([\s\S]*))?$/.exec(rest) ?? [];
      if (value !== undefined) return add({ kind: 'set', name, expression: parseExpression(value), line });
      const body: JinjaNode[] = [];
      return open('set', { kind: 'block', tag: 'set', name, body, line }, body);
    }
    if (BLOCKS.has(tag)) {
      const body: JinjaNode[] = [];
      const name = /^\w*/.exec(rest)![0];
      return open(tag, { kind: 'block', tag, name, body, line }, body);
    }
    if (tag === 'do') add({ kind: 'set', name: '', expression: parseExpression(rest), line });
  };

  for (let at = 0; at < text.length; ) {
    const start = nextTag(text, at);
    if (start > at) add({ kind: 'text', text: text.slice(at, start), line: lineOf(at) });
    if (start >= text.length) break;
    const mark = text[start + 1]!;
    const end = mark === '#' ? text.indexOf('#}', start + 2) : endOfTag(text, start + 2, mark === '{' ? '}' : '%');
    const line = lineOf(start);
    if (end < 0) {
      problems.push({ line, message: `{${mark} is not closed.` });
      break;
    }
    const source = text
      .slice(start + 2, end)
      .replace(/^[-+]|[-+]$/g, '')
      .trim();
    if (mark === '{') add({ kind: 'output', expression: parseExpression(source), line });
    else if (mark === '%') statement(source, line);
    at = end + 2;
    if (/^raw\b/.test(source) && mark === '%') {
      const stop = text.slice(at).search(/\{%[-+]?\s*endraw/);
      const until = stop < 0 ? text.length : at + stop;
      add({ kind: 'text', text: text.slice(at, until), line: lineOf(at) });
      at = until;
    }
  }
  for (const { tag, node } of stack.slice(1))
    problems.push({ line: node!.line, message: `{% ${tag} %} is not closed.` });
  return { nodes: root, problems };
}

function nextTag(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1)) {
    const mark = text[at + 1];
    if (mark === '{' || mark === '%' || mark === '#') return at;
  }
  return text.length;
}

/** Where a tag ends: its closing mark outside quotes and brackets, since a dict may end in two braces. -1 if nowhere. */
function endOfTag(text: string, from: number, mark: '}' | '%'): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text[at]!;
    if (unit === '"' || unit === "'") {
      at = endOfString(text, at);
      if (at < 0) return -1;
    } else if (depth === 0 && unit === mark && text[at + 1] === '}') return at;
    else if ('([{'.includes(unit)) depth++;
    else if (')]}'.includes(unit) && depth > 0) depth--;
  }
  return -1;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[from]) return at;
  }
  return -1;
}
