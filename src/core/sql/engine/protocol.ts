/** A value of a result: what JSON can hold. Integers beyond 2^53 and exact decimals come as text. */
export type Value = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown };

export interface ResultColumn {
  readonly name: string;
  /** As the database names it; of an expression without a declared type, as its values are. */
  readonly type: string;
}

export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Value[])[];
  /** There are rows after these. */
  readonly more: boolean;
  /** Rows that a statement changed; absent for a query. */
  readonly changed?: number;
  readonly notes: readonly string[];
}

export interface Statement {
  readonly sql: string;
  /** Rows to skip, and most rows to return. */
  readonly offset: number;
  readonly limit: number;
  /** False: the engine is opened so that it cannot write. */
  readonly write: boolean;
}

/** What one query may take. */
export interface Limits {
  readonly milliseconds: number;
  /** Of the values returned. */
  readonly bytes: number;
}

/** A data file that a query names, and the table it becomes. */
export interface FileTable {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly format: 'csv' | 'json' | 'jsonl' | 'parquet';
}

/** What the process that runs SQL over files is asked. */
export type FileRequest = { readonly limits: Limits } & (
  | { readonly kind: 'sqlite'; readonly path: string; readonly statement: Statement }
  | {
      readonly kind: 'files';
      readonly tables: readonly FileTable[];
      /** SQLite files by the schema name that the query uses. */
      readonly databases: readonly { readonly name: string; readonly path: string }[];
      readonly statement: Statement;
    }
  | { readonly kind: 'schema'; readonly path: string }
);

export type FileAnswer =
  | { readonly result: unknown }
  | { readonly failure: { readonly code: string; readonly message: string; readonly next: string } };

/** A table or view as its database describes it. */
export interface TableSchema {
  /** Parts before the name that the database uses: catalog, schema. */
  readonly path: readonly string[];
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly ColumnSchema[];
  readonly comment?: string;
  readonly definition?: string;
}

export interface ColumnSchema {
  readonly name: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly primary_key?: boolean;
  readonly comment?: string;
  readonly references?: { readonly schema?: string; readonly table: string; readonly column?: string };
}
