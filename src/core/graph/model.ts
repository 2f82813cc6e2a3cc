/** One column, field or property of an asset. */
export interface Column {
  readonly name: string;
  readonly type?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly primary_key?: boolean;
  /** Qualified name of the asset that a foreign key names, and its column. */
  readonly references?: { readonly asset: string; readonly column?: string };
  readonly default?: string;
  /** Checks that hold for the column, such as `unique`; dbt only. */
  readonly tests?: readonly string[];
}

/** Where in the workspace something is said. */
export interface Place {
  /** Path from its workspace folder, `/`-separated; `@name/` goes before it in all but the first folder. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
}

/** How fresh an asset's data is, and how that is known. */
export interface Freshness {
  /** ISO time of the data's last known change. */
  readonly changed_at?: string;
  readonly basis: 'file_modified' | 'declared' | 'not_measured';
  /** What its owners promise, in words. */
  readonly expected?: string;
}

/** Small facts about an asset: `row_count`, `owner`, `schedule`, `materialized`, `url`, … */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/** A data asset. */
export interface Asset {
  /** See names.ts. */
  readonly qualified_name: string;
  /** The scheme of the qualified name: `postgres`, `dbt`, `file`, … */
  readonly source_system: string;
  /** `table`, `view`, `model`, `source`, `seed`, `file`, `notebook`, `dashboard`, `pipeline`, `job`, `endpoint`, `type`, … */
  readonly node_type: string;
  readonly name: string;
  readonly description?: string;
  readonly columns?: readonly Column[];
  /** Columns that the asset has, where that is known to be another number than those listed. */
  readonly column_count?: number;
  /** DDL, SQL or schema text that defines it. */
  readonly definition?: string;
  readonly place?: Place;
  readonly tags?: readonly string[];
  readonly facts?: Facts;
  readonly freshness?: Freshness;
  /** The registered connection that holds it. */
  readonly connection_id?: string;
  /** ISO time. */
  readonly last_scanned_at: string;
  /** How it came into the graph; `external`: something names it, nothing defines it. */
  readonly origin: 'scanned' | 'harvested' | 'added' | 'external';
  /** Text to search it by, of added assets; scanned ones are searched by what they hold. */
  readonly content?: string;
}

/** One column and where its values come from. */
export interface ColumnPair {
  readonly from: string;
  readonly to: string;
}

/** Data flows from one asset into another. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** What says so: `view`, `insert_select`, `dbt_ref`, `read_csv`, … */
  readonly basis: string;
  readonly place?: Place;
  /** Column lineage; absent where only the assets are known. */
  readonly columns?: readonly ColumnPair[];
}

/** Bases of edges between two names of the same data. */
export const SAME_DATA: ReadonlySet<string> = new Set(['dbt_source_table', 'maps_table']);

/** Something that could not be read or applied; the rest was kept. */
export interface Problem extends Place {
  readonly message: string;
}

/** The assets of a workspace and its connections, and how data flows among them. Made anew on every change, never altered. */
export interface Graph {
  readonly assets: ReadonlyMap<string, Asset>;
  /** By upstream and by downstream qualified name. */
  readonly downstream: ReadonlyMap<string, readonly Edge[]>;
  readonly upstream: ReadonlyMap<string, readonly Edge[]>;
  readonly edges: number;
  readonly problems: readonly Problem[];
}
