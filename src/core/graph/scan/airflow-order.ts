import type { PythonToken } from './python.ts';
import type { PythonCall } from './python-calls.ts';

export interface TaskOrder {
  readonly before: string;
  readonly after: string;
  readonly line: number;
}

type Group = readonly string[];

/** Pairs of tasks that are kept of a file. */
const MOST_PAIRS = 20_000;

/**
 * The order of tasks: `a >> [b, c] >> d`, `d << a`, `a.set_upstream(b)`, `chain(a, b)`, and calls of decorated tasks in
 * one another's arguments. Tasks are known by the variables that hold them.
 */
export function dependencies(
  tokens: readonly PythonToken[],
  calls: readonly PythonCall[],
  tasks: ReadonlyMap<string, string>,
): TaskOrder[] {
  const found = new Map<string, TaskOrder>();
  const results = resultsOf(calls, tasks);
  const taskOf = (name: string) => tasks.get(name) ?? results.get(name);
  const link = (before: Group, after: Group, line: number) => {
    for (const first of before) {
      for (const second of after) {
        if (found.size >= MOST_PAIRS) return;
        if (first !== second) found.set(`${first}\0${second}`, { before: first, after: second, line });
      }
    }
  };
  const groupOf = (part: readonly PythonToken[]): Group => [
    ...new Set(part.flatMap(({ type, text }) => (type === 'name' ? (taskOf(text) ?? []) : []))),
  ];

  for (const statement of statementsOf(tokens)) {
    const { operands, operators } = shifts(statement);
    for (const [i, operator] of operators.entries()) {
      const [left, right] = [groupOf(operands[i]!), groupOf(operands[i + 1]!)];
      const line = statement[0]!.line;
      if (operator === '>>') link(left, right, line);
      else link(right, left, line);
    }
  }
  for (const call of calls) {
    const [owner = '', method = ''] = call.name.split('.').slice(-2);
    const args = call.args.map((argument) => groupOf(argument.tokens));
    if (method === 'set_downstream') link(groupOfName(owner), args.flat(), call.line);
    else if (method === 'set_upstream') link(args.flat(), groupOfName(owner), call.line);
    else if (call.name === 'chain') for (let i = 1; i < args.length; i++) link(args[i - 1]!, args[i]!, call.line);
    else if (tasks.has(call.name)) link(args.flat(), [tasks.get(call.name)!], call.line);
  }
  return [...found.values()];

  function groupOfName(name: string): Group {
    const task = taskOf(name);
    return task === undefined ? [] : [task];
  }
}

/** Variables that hold what a decorated task gives back. */
function resultsOf(calls: readonly PythonCall[], tasks: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    calls.flatMap(({ name, target }) => {
      const task = tasks.get(name.split('.')[0]!);
      return target && task ? [[target, task] as const] : [];
    }),
  );
}

function* statementsOf(tokens: readonly PythonToken[]): Generator<readonly PythonToken[]> {
  let start = 0;
  for (const [i, { type }] of tokens.entries()) {
    if (type !== 'end') continue;
    if (i > start) yield tokens.slice(start, i);
    start = i + 1;
  }
}

/** Splits a statement at `>>` and `<<` outside brackets. */
function shifts(statement: readonly PythonToken[]) {
  const operands: PythonToken[][] = [[]];
  const operators: string[] = [];
  let depth = 0;
  for (const token of statement) {
    if (token.type === 'mark') {
      if ('([{'.includes(token.text)) depth++;
      else if (')]}'.includes(token.text)) depth--;
      else if (depth === 0 && (token.text === '>>' || token.text === '<<')) {
        operators.push(token.text);
        operands.push([]);
        continue;
      }
    }
    operands.at(-1)!.push(token);
  }
  return { operands, operators };
}
