import { forEachChild, parse, type SyntaxNode } from 'unbash';

/** A program and its arguments as they stand in the source, quotes removed. */
export type Invocation = readonly [name: string, ...args: string[]];

/** How deep commands within commands (`bash -c "…"`) are looked into. */
const MOST_NESTED = 4;

/** Programs that run the program named by their arguments, with the options that take a value. */
const WRAPPERS: Readonly<Record<string, RegExp>> = {
  sudo: /^-[ugpChRTD]$/,
  doas: /^-[uC]$/,
  env: /^-[uCS]$/,
  xargs: /^-[ILnPsdEa]$/,
  nohup: /^$/,
  time: /^-[fo]$/,
  nice: /^-n$/,
  timeout: /^-[ks]$/,
  command: /^$/,
  builtin: /^$/,
  exec: /^-a$/,
  stdbuf: /^-[ioe]$/,
  watch: /^-[nd]$/,
};

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh']);

/**
 * Every program that a command line names to be run, also inside substitutions, loops, wrappers such as `sudo` and
 * strings given to a shell. For warnings and for what a sandbox must offer; not a proof that nothing else is run.
 */
export function invocationsOf(source: string, nested = 0): Invocation[] {
  const found: Invocation[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name) {
      const args = node.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text));
      found.push(...unwrapped([node.name.value, ...args], nested));
    }
    forEachChild(node, visit);
  };
  visit(parse(source));
  return found;
}

function unwrapped([path, ...args]: Invocation, nested: number): Invocation[] {
  const name = path.split('/').at(-1)!;
  const own: Invocation = [name, ...args];
  if (nested >= MOST_NESTED) return [own];
  if (SHELLS.has(name)) {
    const at = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg));
    const inner = at < 0 ? undefined : args[at + 1];
    return inner === undefined ? [own] : [own, ...invocationsOf(inner, nested + 1)];
  }
  if (name === 'eval') return [own, ...invocationsOf(args.join(' '), nested + 1)];
  const valued = WRAPPERS[name];
  if (!valued) return [own];
  let at = 0;
  while (at < args.length && (/^-/.test(args[at]!) || /^\w+=/.test(args[at]!))) at += valued.test(args[at]!) ? 2 : 1;
  if (name === 'timeout') at++;
  const [inner, ...rest] = args.slice(at);
  return inner === undefined ? [own] : [own, ...unwrapped([inner, ...rest], nested + 1)];
}
