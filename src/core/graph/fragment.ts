import type { Asset, Column } from './model.ts';
import type { ParseSql, SqlStatement } from './sql.ts';

/** What a scanner names but cannot know: which asset it is depends on the other files. */
export type Ref =
  /** By qualified name. */
  | { readonly kind: 'name'; readonly name: string }
  /** A table as SQL names it, in the database of a SQLite file where that is known; `or` is the next file to try. */
  | { readonly kind: 'table'; readonly parts: readonly string[]; readonly database?: string; readonly or?: string }
  /** A file of the workspace; `*` stands for what the scanner could not evaluate. `or` is the next path to try. */
  | { readonly kind: 'file'; readonly path: string; readonly or?: string }
  | { readonly kind: 'dbt'; readonly name: string; readonly package?: string; readonly version?: string }
  | { readonly kind: 'dbt_source'; readonly source: string; readonly table: string }
  /** The dbt project that a command runs: the nearest one. */
  | { readonly kind: 'dbt_project' };

/** A column whose foreign key names a table as SQL does, or an asset where that is known. */
export type ColumnDraft = Omit<Column, 'references'> & {
  readonly references?: {
    readonly table?: readonly string[];
    readonly asset?: string;
    readonly column?: string;
  };
};

/** An asset as one file describes it. */
export type AssetDraft = Omit<
  Asset,
  'last_scanned_at' | 'origin' | 'source_system' | 'columns' | 'place' | 'connection_id' | 'content'
> & {
  readonly columns?: readonly ColumnDraft[];
  readonly line?: number;
};

export interface EdgeDraft {
  readonly from: Ref;
  readonly to: Ref;
  readonly basis: string;
  readonly line?: number;
  /** The edge counts only if both ends are known: a word in a command may be no asset. */
  readonly optional?: true;
}

/** A query that fills an asset: what it reads, and where each of its columns comes from. */
export interface FlowDraft {
  readonly to: Ref;
  readonly reads: readonly FlowRead[];
  readonly outputs: readonly OutputDraft[];
  readonly line?: number;
}

export interface FlowRead {
  readonly ref: Ref;
  readonly basis: string;
  readonly line?: number;
}

export interface OutputDraft {
  /** `*`: every column of what its source names. */
  readonly name: string;
  /** `read` is an index into the flow's reads. */
  readonly sources: readonly { readonly read: number; readonly column: string }[];
  /** Names that may belong to any of the reads. */
  readonly unresolved?: readonly string[];
}

export interface FragmentProblem {
  readonly line?: number;
  readonly message: string;
}

/** SQL statements of a file that change a database: they take effect together with those of other files, in order. */
export interface Script {
  readonly dialect: string;
  readonly statements: readonly SqlStatement[];
}

/** A dbt query, read without running it. */
export interface DbtQuery {
  readonly config: DbtConfig;
  readonly reads: readonly FlowRead[];
  readonly outputs: readonly OutputDraft[];
}

export type DbtConfig = Readonly<Record<string, string | readonly string[]>>;

export interface DbtReference {
  readonly ref: Extract<Ref, { kind: 'dbt' | 'dbt_source' }>;
  readonly line: number;
}

/** What a file adds to a dbt project. */
export type DbtPart =
  | {
      readonly kind: 'model' | 'snapshot' | 'analysis' | 'test';
      readonly name: string;
      readonly line: number;
      readonly description?: string;
      readonly definition: string;
      readonly query: DbtQuery;
    }
  | { readonly kind: 'seed'; readonly name: string; readonly columns: readonly ColumnDraft[]; readonly rows?: number }
  | {
      readonly kind: 'properties';
      readonly of: 'model' | 'seed' | 'snapshot' | 'analysis';
      readonly name: string;
      readonly line: number;
      readonly description?: string;
      readonly columns: readonly ColumnDraft[];
      readonly config: DbtConfig;
      readonly owner?: string;
    }
  | {
      readonly kind: 'source';
      readonly source: string;
      readonly table: string;
      /** Where the database has it. */
      readonly relation: readonly string[];
      readonly line: number;
      readonly description?: string;
      readonly columns: readonly ColumnDraft[];
      readonly tags: readonly string[];
      readonly expected?: string;
    }
  | {
      readonly kind: 'exposure';
      readonly name: string;
      readonly line: number;
      readonly label?: string;
      readonly type?: string;
      readonly description?: string;
      readonly url?: string;
      readonly owner?: string;
      readonly depends: readonly DbtReference[];
    }
  | { readonly kind: 'doc'; readonly name: string; readonly text: string };

/** What one file says, whatever the others say: the unit that is kept until the file changes. */
export interface Fragment {
  readonly assets?: readonly AssetDraft[];
  readonly edges?: readonly EdgeDraft[];
  readonly flows?: readonly FlowDraft[];
  readonly problems?: readonly FragmentProblem[];
  readonly script?: Script;
  readonly dbt?: readonly DbtPart[];
  /** Set when only part of the file was read. */
  readonly partial?: string;
}

/** A file as a scanner sees it. */
export interface ScannedFile {
  /** Its path in the graph: see `Place.file`. */
  readonly path: string;
  /** Absolute. */
  readonly absolute: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** The dbt project it belongs to, and what it is there. */
  readonly dbt?: { readonly project: string; readonly role: DbtRole } | undefined;
  /** Decoded text: no byte order mark, LF line ends. @throws UserError `binary` or `too_large`. */
  text(): Promise<string>;
}

export type DbtRole = 'model' | 'seed' | 'snapshot' | 'analysis' | 'test' | 'macro' | 'properties' | 'doc';

export interface ScanContext {
  readonly parseSql: ParseSql;
  readonly signal: AbortSignal;
}

/** Reads one kind of file. It never throws for what a file holds: that is a problem of the fragment. */
export interface Scanner {
  /** Part of what a kept fragment is known by. */
  readonly name: string;
  claims(file: Pick<ScannedFile, 'path' | 'dbt'>): boolean;
  scan(file: ScannedFile, context: ScanContext): Promise<Fragment>;
}
