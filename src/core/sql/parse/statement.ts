/** A table's name as SQL writes it, its parts unquoted: catalog, schema, table, as many as are written. */
export interface TableName {
  readonly parts: readonly string[];
}

export interface ColumnDefinition {
  readonly name: string;
  /** As the dialect writes it. */
  readonly type?: string;
  readonly nullable?: boolean;
  readonly primaryKey?: boolean;
  readonly references?: { readonly table: TableName; readonly column?: string };
  readonly default?: string;
  readonly comment?: string;
}

export type StatementKind =
  | 'select'
  | 'insert'
  | 'update'
  | 'delete'
  | 'merge'
  | 'create_table'
  | 'create_view'
  | 'alter_table'
  | 'comment'
  | 'drop'
  | 'other';

/** An output column and the columns of real tables that its values come from. */
export interface ColumnLineage {
  /** `*`: all columns of a table whose columns are not known. */
  readonly column: string;
  readonly sources: readonly ColumnSource[];
  /** Names in its expression that could not be told to belong to one table. */
  readonly unresolved?: readonly string[];
}

export interface ColumnSource {
  readonly table: TableName;
  readonly column: string;
}

/** What one statement does, in terms of tables and columns. */
export interface StatementFacts {
  readonly kind: StatementKind;
  /** The table that it creates, changes, describes or writes to. */
  readonly target?: TableName;
  /** All of them, when a DROP names several. */
  readonly targets?: readonly TableName[];
  /** Real tables that it reads: no CTE names, each once. */
  readonly reads: readonly TableName[];
  /** Of create_table: all; of alter_table: those added or changed; of comment: the one described. */
  readonly columns?: readonly ColumnDefinition[];
  /** Columns that an alter_table drops. */
  readonly dropped?: readonly string[];
  /** Columns that an alter_table renames. */
  readonly renamed?: readonly { readonly from: string; readonly to: string }[];
  /** New name of the table that an alter_table renames. */
  readonly renamedTo?: TableName;
  /** Description of the target. */
  readonly comment?: string;
  readonly lineage?: readonly ColumnLineage[];
}

export interface SqlStatement extends StatementFacts {
  /** UTF-16 offsets into the text; comments before and the delimiter after are not part of it. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface SqlProblem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface ParsedSql {
  readonly dialect: Dialect;
  /** False when nobody named the dialect and nothing in the text speaks for it: it is one of several that fit. */
  readonly certain: boolean;
  readonly statements: readonly SqlStatement[];
  /** Statements that were not understood; they are in no other list. */
  readonly problems: readonly SqlProblem[];
}

/** Names as the polyglot parser spells them; `postgres` alone is read by PostgreSQL's own parser. */
export type Dialect = (typeof DIALECTS)[number];

export const DIALECTS = [
  'postgres',
  'mysql',
  'sqlite',
  'tsql',
  'snowflake',
  'bigquery',
  'duckdb',
  'oracle',
  'redshift',
  'databricks',
  'spark',
  'hive',
  'clickhouse',
  'trino',
  'presto',
  'athena',
  'teradata',
  'generic',
] as const;
