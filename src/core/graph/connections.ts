/** How a connection stands: registered or not, and whether it was reached. */
export const CONNECTION_STATUSES = {
  bound_unmeasured: 'Registered; nothing has opened it, so it is not known whether it can be reached.',
  bound: 'Registered, and reached when it was last opened.',
  bound_unreachable: 'Registered, but it could not be reached when it was last opened.',
  bound_inaccessible: 'Registered, but not for this workspace or agent.',
  bound_removed: 'The graph still names it, but it is no longer registered.',
  unbound: 'Belongs to no registered connection.',
} as const;

export type ConnectionStatus = keyof typeof CONNECTION_STATUSES;

/** A registered connection, as the graph needs it. */
export interface ConnectionInfo {
  readonly connection_id: string;
  /** `<type>.<name>`. */
  readonly canonical_connection_id: string;
  /** `postgres`, `sqlite`, … */
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly status: ConnectionStatus;
  /** Why its tables cannot be listed, if so. */
  readonly unscannable?: string;
}

export interface HarvestedColumn {
  readonly name: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly primary_key?: boolean;
  readonly comment?: string;
  readonly references?: { readonly schema?: string; readonly table: string; readonly column?: string };
}

/** A table or view that a connection has. */
export interface HarvestedTable {
  /** Parts before the table's name that the database uses: catalog, schema. */
  readonly path: readonly string[];
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly HarvestedColumn[];
  readonly comment?: string;
  readonly definition?: string;
}

/** What the graph asks of the registered connections. */
export interface ConnectionPort {
  /** Opens none of them. */
  list(signal?: AbortSignal): Promise<readonly ConnectionInfo[]>;
  /** Opens one and reads its schema. @throws UserError when it cannot be reached or read. */
  harvest(connectionId: string, signal?: AbortSignal): Promise<readonly HarvestedTable[]>;
}
