import {
  type CommonTable,
  type Expression,
  NOTHING,
  type Output,
  type Query,
  type Relation,
  type Select,
} from './query.ts';
import {
  merge,
  type Resolved,
  resolveColumn,
  type Scope,
  type Source,
  sameName,
  sourceNamed,
  tableColumns,
} from './scope.ts';
import type { ColumnLineage, Dialect, TableName } from './statement.ts';
import { SyntaxProblem } from './syntax-problem.ts';

/** Columns of a table in their order; undefined when they are not known. */
export type ColumnsOf = (table: TableName) => readonly string[] | undefined;

export interface LineageContext {
  readonly columnsOf: ColumnsOf;
  readonly dialect: Dialect;
  /** Called for each real table that is read. */
  readonly read: (table: TableName) => void;
}

/** A hostile query doubles its columns with every `*`; a real one has hundreds. */
const MOST_COLUMNS = 10_000;

type Columns = readonly ColumnLineage[];
/** The common tables in sight, by lower-case name. */
type Ctes = ReadonlyMap<string, Columns>;

/** Dialects where an expression may use the alias of an output before it. */
const ALIAS_REUSE: ReadonlySet<Dialect> = new Set([
  'snowflake',
  'redshift',
  'databricks',
  'spark',
  'duckdb',
  'clickhouse',
  'teradata',
  'generic',
]);

/** The output columns of a query with where each comes from, traced through CTEs, subqueries, joins and unions. */
export function traceQuery(query: Query, context: LineageContext): Columns {
  return trace(query, new Map(), undefined, context);
}

/** `self`: the recursive common table whose query this is; its left side gives the columns that its right side reads. */
function trace(
  query: Query,
  around: Ctes,
  outer: Scope | undefined,
  context: LineageContext,
  self?: CommonTable,
): Columns {
  const ctes = new Map(around);
  for (const cte of query.ctes) {
    ctes.set(cte.name.toLowerCase(), rename(trace(cte.query, ctes, outer, context, cte), cte.columns));
  }
  const { body } = query;
  if (body.kind === 'select') return traceSelect(body, ctes, outer, context);
  if (body.kind === 'rows') return traceRows(body.rows, ctes, outer, context);
  const left = trace(body.left, ctes, outer, context, self);
  if (self) ctes.set(self.name.toLowerCase(), rename(left, self.columns));
  const right = trace(body.right, ctes, outer, context);
  return body.leftOnly ? left : combine(left, right, body.byName);
}

function combine(left: Columns, right: Columns, byName: boolean): Columns {
  const mate = ({ column }: ColumnLineage, i: number) =>
    byName ? right.find((other) => sameName(other.column, column)) : right[i];
  const paired = left.map((column, i) => named(column.column, merge([facts(column), facts(mate(column, i))])));
  if (!byName) return paired;
  return [...paired, ...right.filter(({ column }) => !left.some((other) => sameName(other.column, column)))];
}

function traceSelect(select: Select, ctes: Ctes, outer: Scope | undefined, context: LineageContext): Columns {
  const sources: Source[] = [];
  const scope: Scope = { sources, outer };
  for (const relation of select.from) sources.push(sourceOf(relation, ctes, scope, context));
  const columns: ColumnLineage[] = [];
  const resolve = (expression: Expression): Resolved => resolveExpression(expression, columns, ctes, scope, context);
  for (const output of select.outputs) {
    if (output.kind === 'star') for (const column of expandStar(output, scope, resolve)) columns.push(column);
    else columns.push(named(output.name, resolve(output.expression)));
  }
  resolveExpression(select.conditions, columns, ctes, scope, context);
  return columns;
}

function traceRows(
  rows: readonly (readonly Expression[])[],
  ctes: Ctes,
  outer: Scope | undefined,
  context: LineageContext,
): Columns {
  const scope: Scope = { sources: [], outer };
  const columns: Resolved[] = [];
  for (const row of rows) {
    row.forEach((value, i) => {
      columns[i] = merge([columns[i] ?? facts(undefined), resolveExpression(value, [], ctes, scope, context)]);
    });
  }
  return columns.map((column, i) => named(`column${i + 1}`, column));
}

function sourceOf(relation: Relation, ctes: Ctes, scope: Scope, context: LineageContext): Source {
  const { alias, columns: names = [], using = [] } = relation;
  const source = (qualifier: readonly string[], columns: Columns): Source => ({
    qualifier: alias ? [alias] : qualifier,
    columns: rename(columns, names),
    derived: false,
    using,
  });
  if (relation.kind === 'query') return source([], trace(relation.query, ctes, scope, context));
  if (relation.kind === 'table') {
    const { parts } = relation.name;
    const cte = parts.length === 1 ? ctes.get(parts[0]!.toLowerCase()) : undefined;
    if (cte) return source(parts, cte);
    context.read(relation.name);
    return source(parts, tableColumns(relation.name, context.columnsOf(relation.name)));
  }
  const inner: Scope = { sources: relation.from.map((part) => sourceOf(part, ctes, scope, context)), outer: scope };
  const values = resolveExpression(relation.expression, [], ctes, inner, context);
  const outputs = names.length > 0 ? names : ['*'];
  return { ...source([], []), columns: outputs.map((name) => named(name, values)), derived: true };
}

function resolveExpression(
  expression: Expression,
  outputs: Columns,
  ctes: Ctes,
  scope: Scope,
  context: LineageContext,
): Resolved {
  if (expression === NOTHING) return facts(undefined);
  const aliases = ALIAS_REUSE.has(context.dialect);
  const columns = expression.columns.map((name) => {
    const alias = aliases && name.length === 1 ? outputs.find(({ column }) => sameName(column, name[0]!)) : undefined;
    const listed =
      alias && scope.sources.some((source) => source.columns.some((column) => sameName(column.column, name[0]!)));
    return alias && !listed ? facts(alias) : resolveColumn(name, scope);
  });
  const queries = expression.queries.map((query) => trace(query, ctes, scope, context).map(facts));
  return merge([...columns, ...queries.flat()]);
}

function expandStar(
  star: Extract<Output, { kind: 'star' }>,
  scope: Scope,
  resolve: (expression: Expression) => Resolved,
): ColumnLineage[] {
  const one = star.qualifier.length > 0 ? sourceNamed(star.qualifier, scope) : undefined;
  if (star.qualifier.length > 0 && !one) {
    return [{ column: '*', sources: [], unresolved: [`${star.qualifier.join('.')}.*`] }];
  }
  const sources = one ? [one] : scope.sources;
  const columns: ColumnLineage[] = [];
  for (const source of sources) {
    const shared = one ? [] : source.using;
    if (columns.length + source.columns.length > MOST_COLUMNS) {
      throw new SyntaxProblem(`The query has more than ${MOST_COLUMNS.toLocaleString('en')} columns`);
    }
    for (const column of source.columns) {
      const isShared = shared.includes('*') || shared.some((using) => sameName(using, column.column));
      const at = isShared ? columns.findIndex((other) => sameName(other.column, column.column)) : -1;
      // A column of USING comes once, from both sides.
      if (at >= 0 && column.column !== '*') {
        columns[at] = named(columns[at]!.column, merge([facts(columns[at]), facts(column)]));
      } else columns.push(column);
    }
  }
  return columns.flatMap((column) => {
    if (star.except.some((name) => sameName(name, column.column))) return [];
    const replaced = star.replace.find(({ name }) => sameName(name, column.column));
    if (replaced) return [named(column.column, resolve(replaced.expression))];
    const renamed = star.rename.find(({ from }) => sameName(from, column.column));
    return [renamed ? { ...column, column: renamed.to } : column];
  });
}

function rename(columns: Columns, names: readonly string[]): Columns {
  if (names.length === 0) return columns;
  // Past a `*` positions mean nothing; the names are right all the same.
  const star = columns.findIndex(({ column }) => column === '*');
  if (star >= 0)
    return names.map((column, i) =>
      i < star ? { ...columns[i]!, column } : { column, sources: [], unresolved: [column] },
    );
  return columns.map((column, i) => ({ ...column, column: names[i] ?? column.column }));
}

function facts(column: ColumnLineage | undefined): Resolved {
  return { sources: column?.sources ?? [], unresolved: column?.unresolved ?? [] };
}

function named(column: string, { sources, unresolved }: Resolved): ColumnLineage {
  return { column, sources, ...(unresolved.length > 0 && { unresolved }) };
}
