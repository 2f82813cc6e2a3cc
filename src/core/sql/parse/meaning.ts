import { type ColumnsOf, type LineageContext, traceQuery } from './lineage.ts';
import {
  type CommonTable,
  distinctTables,
  type Expression,
  type Output,
  type Query,
  type Relation,
  tableKey,
} from './query.ts';
import type {
  ColumnDefinition,
  ColumnLineage,
  Dialect,
  StatementFacts,
  StatementKind,
  TableName,
} from './statement.ts';

/** A statement as its parser's adapter understands it, before its names are traced to tables. */
export interface Meaning extends Pick<StatementFacts, 'dropped' | 'renamed' | 'renamedTo' | 'comment'> {
  readonly kind: StatementKind;
  /** All tables it is about; the first is the statement's target. */
  readonly targets?: readonly TableName[];
  readonly columns?: readonly ColumnDefinition[];
  /** What it selects, or what fills its target. */
  readonly query?: Query;
  /** Names given to the query's columns: of a view, or the columns an INSERT lists. */
  readonly names?: readonly string[];
  /** Values that an UPDATE or MERGE sets, over the relations they come from. */
  readonly assignments?: Assignments;
  /** Expressions that only read: of a DELETE, a CALL, … */
  readonly conditions?: Expression;
}

export interface Assignments {
  readonly ctes: readonly CommonTable[];
  readonly from: readonly Relation[];
  readonly values: readonly { readonly name: string; readonly expression: Expression }[];
  readonly conditions: Expression;
}

/** Traces the names of a statement: the tables it reads and, column by column, where its values come from. */
export function factsOf(meaning: Meaning, dialect: Dialect, columnsOf: ColumnsOf): StatementFacts {
  const { query, names = [], assignments, conditions, targets = [], columns, ...kept } = meaning;
  const [target] = targets;
  const read: TableName[] = [];
  const context: LineageContext = { columnsOf, dialect, read: (table) => void read.push(table) };
  let lineage: readonly ColumnLineage[] | undefined;
  if (query) {
    const traced = traceQuery(query, context);
    const listed = kept.kind === 'insert' && names.length === 0 && target ? columnsOf(target) : names;
    lineage = nameColumns(traced, listed, kept.kind === 'insert');
  } else if (assignments) {
    lineage = traceQuery(asQuery(assignments), context);
  }
  if (conditions) traceQuery(asQuery({ ctes: [], from: [], values: [], conditions }), context);
  const writes = assignments && target ? tableKey(target) : undefined;
  const reads = distinctTables(read).filter((table) => tableKey(table) !== writes);
  return {
    ...kept,
    ...(target && { target }),
    ...(targets.length > 1 && { targets }),
    reads,
    ...(columns && { columns }),
    ...(lineage && { lineage }),
  };
}

function asQuery({ ctes, from, values, conditions }: Assignments): Query {
  const outputs = values.map(({ name, expression }): Output => ({ kind: 'column', name, expression }));
  return { ctes, body: { kind: 'select', from, outputs, conditions } };
}

/**
 * Columns under the names that the target gives them by position. An INSERT without a column list into a table whose
 * columns are not known has no column lineage: names alone would be a guess.
 */
function nameColumns(
  traced: readonly ColumnLineage[],
  names: readonly string[] | undefined,
  isInsert: boolean,
): readonly ColumnLineage[] | undefined {
  const hasStar = traced.some(({ column }) => column === '*');
  if (names && names.length > 0 && !hasStar) {
    return traced.slice(0, names.length).map((column, i) => ({ ...column, column: names[i]! }));
  }
  if (!isInsert && (!names || names.length === 0)) return traced;
  return undefined;
}
