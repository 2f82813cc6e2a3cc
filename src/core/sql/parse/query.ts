import type { TableName } from './statement.ts';

/** A query expression in the terms that lineage needs, whichever parser read it. */
export interface Query {
  readonly ctes: readonly CommonTable[];
  readonly body: Select | SetOperation | Rows;
}

export interface CommonTable {
  readonly name: string;
  /** Column names in parentheses after the name. */
  readonly columns: readonly string[];
  readonly query: Query;
}

export interface Select {
  readonly kind: 'select';
  readonly from: readonly Relation[];
  readonly outputs: readonly Output[];
  /** WHERE, GROUP BY, HAVING, ON, …: they decide which rows, not which values. */
  readonly conditions: Expression;
}

export interface SetOperation {
  readonly kind: 'set';
  readonly left: Query;
  readonly right: Query;
  /** EXCEPT and INTERSECT give the left side's values. */
  readonly leftOnly: boolean;
  /** UNION BY NAME. */
  readonly byName: boolean;
}

/** VALUES. */
export interface Rows {
  readonly kind: 'rows';
  readonly rows: readonly (readonly Expression[])[];
}

/** What an expression names; how it computes does not matter. */
export interface Expression {
  readonly columns: readonly ColumnName[];
  readonly queries: readonly Query[];
}

/** A column as it is written: qualifiers, then its name. */
export type ColumnName = readonly string[];

export type Output =
  | { readonly kind: 'column'; readonly name: string; readonly expression: Expression }
  | {
      readonly kind: 'star';
      /** The `t` of `t.*`. */
      readonly qualifier: readonly string[];
      readonly except: readonly string[];
      readonly replace: readonly { readonly name: string; readonly expression: Expression }[];
      readonly rename: readonly { readonly from: string; readonly to: string }[];
    };

export type Relation = {
  readonly alias?: string | undefined;
  readonly columns?: readonly string[];
  /** Columns of `JOIN … USING`; `*` for a natural join. */
  readonly using?: readonly string[];
} & (
  | { readonly kind: 'table'; readonly name: TableName }
  | { readonly kind: 'query'; readonly query: Query }
  /** A function, pivot or unnested value: its columns come from whatever its arguments name. */
  | { readonly kind: 'derived'; readonly from: readonly Relation[]; readonly expression: Expression }
);

export const NOTHING: Expression = { columns: [], queries: [] };

/** Key to look a table name up by. */
export function tableKey({ parts }: TableName): string {
  return parts.join('\u0000').toLowerCase();
}

/** The table names, each once, in order. */
export function distinctTables(tables: readonly TableName[]): TableName[] {
  const first = new Map<string, TableName>();
  for (const table of tables) if (!first.has(tableKey(table))) first.set(tableKey(table), table);
  return [...first.values()];
}
