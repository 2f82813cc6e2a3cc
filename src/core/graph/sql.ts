/** A table's name as SQL writes it, its parts unquoted: `['core', 'orders']`. */
export interface TableName {
  readonly parts: readonly string[];
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly primaryKey?: boolean;
  readonly references?: { readonly table: TableName; readonly column?: string };
  readonly default?: string;
  readonly comment?: string;
}

export interface SqlStatement {
  readonly kind:
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
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  readonly target?: TableName;
  readonly reads: readonly TableName[];
  /** Of create_table: all; of alter_table: those added or changed; of comment: the one described. */
  readonly columns?: readonly ColumnDefinition[];
  readonly dropped?: readonly string[];
  readonly renamed?: readonly { readonly from: string; readonly to: string }[];
  readonly renamedTo?: TableName;
  readonly comment?: string;
  readonly lineage?: readonly ColumnLineage[];
  readonly text: string;
}

export interface ColumnLineage {
  /** `*`: all columns of a table whose columns the statement does not say. */
  readonly column: string;
  readonly sources: readonly { readonly table: TableName; readonly column: string }[];
  /** Names that could not be told to belong to one table. */
  readonly unresolved?: readonly string[];
}

export interface ParsedSql {
  readonly dialect: string;
  readonly statements: readonly SqlStatement[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Reads a SQL text statement by statement; what cannot be parsed is reported and never guessed. */
export type ParseSql = (
  text: string,
  options: { readonly dialect?: string | undefined; readonly signal?: AbortSignal | undefined },
) => Promise<ParsedSql>;
