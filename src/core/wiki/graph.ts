/** A node of the graph of data assets, as a wiki page shows it. */
export interface GraphNode {
  readonly qualified_name: string;
  readonly name: string;
  readonly node_type: string;
  readonly source_system: string;
  /** What is known of the asset, as Markdown: description, columns, definition, where it lies. */
  readonly content: string;
}

/** A node in a listing or among search results. */
export interface GraphEntry {
  readonly qualified_name: string;
  readonly name: string;
  readonly node_type: string;
  readonly summary?: string;
  /** Search only: similarity, 0 to 1; absent when it was not measured. */
  readonly score?: number;
}

/** What the wiki asks of the graph of data assets. Names are matched exactly. */
export interface WikiGraph {
  node(qualifiedName: string, signal?: AbortSignal): Promise<GraphNode | undefined>;
  /** Immediate children; for an empty prefix the source systems, such as `sqlite://`. */
  children(prefix: string, signal?: AbortSignal): Promise<readonly GraphEntry[]>;
  /** At most `limit` nodes, best first. */
  search(query: string, limit: number, signal?: AbortSignal): Promise<readonly GraphEntry[]>;
}
