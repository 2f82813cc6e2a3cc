import type { AssetDraft, ColumnDraft, EdgeDraft, FlowDraft, Fragment, FragmentProblem } from '../fragment.ts';
import type { Asset, Place, Problem } from '../model.ts';
import type { DbtProject } from '../scan/dbt-project.ts';

/** A scanned file with what it says. */
export interface FileFragment {
  readonly path: string;
  readonly mtimeMs: number;
  /** ISO time. */
  readonly scannedAt: string;
  readonly project?: DbtProject | undefined;
  readonly fragment: Fragment;
}

/** How SQL may name an asset. */
export interface Relation {
  readonly table: string;
  /** Undefined when any schema may be meant. */
  readonly schema?: string | undefined;
  /** The database root, SQLite file, connection or dbt project it is in. */
  readonly database: string;
  /** Which of several equals is meant: lower goes first. */
  readonly rank: number;
}

/** Ranks of `Relation`. */
export const RANK = { ddl: 0, dbt: 1, connection: 2, source: 3, file: 4 } as const;

/** An asset while the graph is put together. */
export interface WorkingAsset extends AssetDraft {
  readonly origin: Asset['origin'];
  readonly last_scanned_at: string;
  readonly place?: Place;
  readonly relations?: readonly Relation[];
  readonly connection_id?: string;
  readonly content?: string;
  /** Schema that names without one mean where the asset is defined. */
  readonly schema?: string | undefined;
  /** Columns as they are known once flows are followed. */
  resolved?: readonly ColumnDraft[];
}

/** Anything said in a file. */
export type From<T> = T & { readonly file: string };

/** What a part of the assembly adds. */
export interface Contribution {
  readonly assets: WorkingAsset[];
  readonly edges: From<EdgeDraft>[];
  readonly flows: From<FlowDraft>[];
  readonly problems: Problem[];
}

export function contribution(): Contribution {
  return { assets: [], edges: [], flows: [], problems: [] };
}

export function problemIn(file: string, { line, message }: FragmentProblem): Problem {
  return { file, ...(line !== undefined && { line }), message };
}
