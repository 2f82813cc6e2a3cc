import type { AssetDraft, EdgeDraft, Fragment, FragmentProblem, Ref, ScanContext, ScannedFile } from '../fragment.ts';
import { qualifiedName } from '../names.ts';
import { dependencies } from './airflow-order.ts';
import { dataAccess } from './data-access.ts';
import { UNKNOWN } from './dbt-template.ts';
import { fileRef } from './file-ref.ts';
import type { PythonToken } from './python.ts';
import { argumentOf, type Constants, callsIn, constantsIn, type PythonCall, textOf } from './python-calls.ts';
import { shellEdges } from './shell.ts';
import { sqlEdges } from './sql-edges.ts';
import { definitionOf, given } from './text.ts';

const SQL_ARGUMENTS = ['sql', 'query', 'bql'];
const TABLE_READS = ['source_table', 'source_project_dataset_table', 'source_project_dataset_tables', 'table_name'];
const TABLE_WRITES = [
  'destination_table',
  'destination_project_dataset_table',
  'target_table',
  'destination_dataset_table',
  'table',
];
const FILE_ARGUMENTS = ['filepath', 'file_path', 'filename', 'local_file_path', 'application', 'script'];

/** True for Python that defines an Airflow DAG. */
export function isAirflow(text: string): boolean {
  return /\bairflow\b/.test(text) && /\bDAG\s*\(|@dag\b/.test(text);
}

/** An Airflow DAG file: its DAG, its tasks in their order, and the data that their operators name. Nothing is run. */
export async function airflowFragment(
  file: ScannedFile,
  text: string,
  tokens: readonly PythonToken[],
  context: ScanContext,
): Promise<Fragment> {
  const constants = constantsIn(tokens);
  const calls = callsIn(tokens);
  const dags = dagsIn(tokens, calls, constants);
  const dag = dags[0];
  if (!dag) return { problems: [{ line: 1, message: 'An Airflow file whose DAG has no id that is written as text.' }] };
  const pipeline: Ref = { kind: 'name', name: qualifiedName('airflow', dag.id) };
  const assets: AssetDraft[] = [
    {
      qualified_name: qualifiedName('airflow', dag.id),
      node_type: 'pipeline',
      name: dag.id,
      line: dag.line,
      definition: definitionOf(text),
      ...given('description', dag.description ?? docstring(tokens)),
      ...given('tags', dag.tags),
      facts: { ...given('schedule', dag.schedule), ...given('owner', dag.owner) },
    },
  ];
  const edges: EdgeDraft[] = [];
  const problems: FragmentProblem[] = dags.slice(1).map(({ id, line }) => ({
    line,
    message: `A second DAG in the file, ${id}: its tasks are listed under ${dag.id}.`,
  }));
  const tasks = tasksIn(tokens, calls, constants);
  const byVariable = new Map(tasks.flatMap(({ id, variable }) => (variable ? [[variable, id] as const] : [])));
  for (const task of tasks) {
    const name = qualifiedName('airflow', dag.id, task.id);
    const self: Ref = { kind: 'name', name };
    assets.push({
      qualified_name: name,
      node_type: 'job',
      name: task.id,
      line: task.line,
      facts: { operator: task.operator, dag: dag.id, ...given('trigger_rule', task.rule) },
      ...given('definition', task.text),
    });
    if (task.call) {
      const found = await operatorEdges(task.call, file.path, self, constants, context);
      edges.push(...found.edges);
      problems.push(...found.problems);
    }
    if (task.body) {
      const found = await dataAccess(task.body, file.path, self, context, constants);
      edges.push(...found.edges);
      problems.push(...found.problems);
    }
  }
  const order = dependencies(tokens, calls, byVariable);
  const taskRef = (id: string): Ref => ({ kind: 'name', name: qualifiedName('airflow', dag.id, id) });
  for (const { before, after, line } of order) {
    edges.push({ from: taskRef(before), to: taskRef(after), basis: 'task_order', line });
  }
  const followed = new Set(order.map(({ after }) => after));
  for (const { id, line } of tasks)
    if (!followed.has(id)) edges.push({ from: pipeline, to: taskRef(id), basis: 'starts', line });
  return { assets, edges, ...given('problems', problems) };
}

interface Dag {
  readonly id: string;
  readonly line: number;
  readonly description?: string;
  readonly schedule?: string;
  readonly owner?: string;
  readonly tags?: readonly string[];
}

function dagsIn(tokens: readonly PythonToken[], calls: readonly PythonCall[], constants: Constants): Dag[] {
  return calls.flatMap((call): Dag[] => {
    const decorates = call.name === 'dag' && tokens[call.start - 1]?.text === '@';
    if (call.name !== 'DAG' && call.name !== 'models.DAG' && !decorates) return [];
    const written = textOf(argumentOf(call, 0, 'dag_id'), constants);
    const id =
      written && !written.includes('*') ? written : decorates ? functionAfter(tokens, call.end)?.name : undefined;
    if (!id) return [];
    const text = (...keywords: string[]) => textOf(argumentOf(call, 99, ...keywords), constants);
    const owner = argumentOf(call, 99, 'default_args');
    const ownerAt = owner?.findIndex(({ type, text: key }) => type === 'string' && key === 'owner') ?? -1;
    const tags = argumentOf(call, 99, 'tags')?.flatMap(({ type, text: tag }) => (type === 'string' ? [tag] : []));
    return [
      {
        id,
        line: call.line,
        ...given('description', text('description')),
        ...given('schedule', text('schedule', 'schedule_interval')),
        ...given('owner', ownerAt >= 0 ? textOf(owner!.slice(ownerAt + 2, ownerAt + 3), constants) : undefined),
        ...given('tags', tags),
      },
    ];
  });
}

interface Task {
  readonly id: string;
  readonly line: number;
  readonly operator: string;
  readonly variable?: string;
  readonly call?: PythonCall;
  /** Tokens of a decorated function. */
  readonly body?: readonly PythonToken[];
  readonly text?: string;
  readonly rule?: string;
}

/** Operators and sensors with a task_id, and functions decorated with `@task`. */
function tasksIn(tokens: readonly PythonToken[], calls: readonly PythonCall[], constants: Constants): Task[] {
  const tasks: Task[] = [];
  for (const call of calls) {
    const id = textOf(argumentOf(call, 99, 'task_id'), constants);
    if (id === undefined || tokens[call.start - 1]?.text === '@') continue;
    const command = textOf(argumentOf(call, 99, 'bash_command', ...SQL_ARGUMENTS), constants);
    tasks.push({
      id,
      line: call.line,
      operator: call.name.slice(call.name.lastIndexOf('.') + 1),
      call,
      ...given('variable', call.target),
      ...given('text', command && definitionOf(command)),
      ...given('rule', textOf(argumentOf(call, 99, 'trigger_rule'), constants)),
    });
  }
  for (const [i, token] of tokens.entries()) {
    if (token.text !== '@' || tokens[i + 1]?.text !== 'task' || (tokens[i - 1] && tokens[i - 1]!.type !== 'end'))
      continue;
    const decorated = functionAfter(tokens, i + 1);
    if (!decorated) continue;
    const call = calls.find(({ start }) => start === i + 1);
    const id = (call && textOf(argumentOf(call, 99, 'task_id'), constants)) ?? decorated.name;
    tasks.push({ id, line: token.line, operator: '@task', variable: decorated.name, body: decorated.body });
  }
  return tasks;
}

/** The function that a decorator stands on. Its body is taken to the next decorator or the end of the next 2,000 tokens. */
function functionAfter(
  tokens: readonly PythonToken[],
  from: number,
): { name: string; body: PythonToken[] } | undefined {
  const def = tokens.findIndex(({ text }, i) => i >= from && text === 'def');
  const name = tokens[def + 1];
  if (def < 0 || def - from > 500 || name?.type !== 'name') return undefined;
  const next = tokens.findIndex(
    ({ text }, i) => i > def && ((text === '@' && tokens[i - 1]?.type === 'end') || text === 'def'),
  );
  return { name: name.text, body: tokens.slice(def, Math.min(next < 0 ? tokens.length : next, def + 2000)) };
}

async function operatorEdges(call: PythonCall, file: string, self: Ref, constants: Constants, context: ScanContext) {
  const edges: EdgeDraft[] = [];
  const problems: FragmentProblem[] = [];
  const { line } = call;
  const text = (keyword: string, hole?: string) => textOf(argumentOf(call, 99, keyword), constants, hole);
  for (const keyword of SQL_ARGUMENTS) {
    const sql = text(keyword, UNKNOWN);
    if (sql === undefined) continue;
    if (/\.(?:sql|hql)\s*$/i.test(sql)) {
      const ref = fileRef(sql, file);
      if (ref) edges.push({ from: ref, to: self, basis: 'sql_file', line });
      continue;
    }
    const found = await sqlEdges(sql.replace(/\{\{[^{}]*\}\}/g, UNKNOWN), self, { ...context, line });
    edges.push(...found.edges);
    problems.push(...found.problems);
  }
  for (const [keywords, way] of [
    [TABLE_READS, 'read'],
    [TABLE_WRITES, 'write'],
  ] as const) {
    for (const keyword of keywords) {
      const name = text(keyword);
      if (name === undefined || !/^[\w.`$-]+$/.test(name)) continue;
      const ref: Ref = { kind: 'table', parts: name.replaceAll('`', '').split('.') };
      edges.push(
        way === 'read' ? { from: ref, to: self, basis: keyword, line } : { from: self, to: ref, basis: keyword, line },
      );
    }
  }
  for (const keyword of FILE_ARGUMENTS) {
    const path = text(keyword);
    const ref = path === undefined ? undefined : fileRef(path, file);
    if (ref) edges.push({ from: ref, to: self, basis: keyword, line });
  }
  const command = text('bash_command', UNKNOWN);
  if (command !== undefined) edges.push(...shellEdges(command, file, self, line));
  return { edges, problems };
}

/** The text a module begins with. */
function docstring(tokens: readonly PythonToken[]): string | undefined {
  const first = tokens.find(({ type }) => type !== 'end');
  return first?.type === 'string' ? first.text.trim() : undefined;
}
