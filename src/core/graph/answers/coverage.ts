import { brief } from '../../util/page.ts';
import type { ConnectionInfo } from '../connections.ts';
import type { Graph } from '../model.ts';
import type { GraphState } from '../state.ts';
import { nameQuery } from './match.ts';

/** What a search covers: which connections' tables are in the graph, which are not, and how to have them read. */
export interface Coverage {
  readonly index_status: 'ready' | 'ready_with_warnings' | 'partial' | 'coverage_unmeasured' | 'unavailable';
  readonly index_status_reason: string;
  readonly unharvested_connections?: readonly string[];
  /** Those of them whose name or description matches the query. */
  readonly unharvested_matching_query?: readonly string[];
  readonly unindexable_connections?: readonly Unindexable[];
  readonly harvest_calls?: readonly HarvestCall[];
}

interface Unindexable {
  readonly connection_id: string;
  readonly canonical_connection_id: string;
  readonly connection_type: string;
  readonly reason: string;
  readonly matches_query: boolean;
}

interface HarvestCall {
  readonly connection_id: string;
  readonly tool_name: 'lineage_action';
  readonly arguments: Readonly<Record<string, string | boolean>>;
  readonly note: string;
}

export interface CoverageInput {
  readonly query: string;
  readonly connection_id: string;
  readonly graph: Graph;
  readonly state: GraphState;
  /** Undefined when the registry could not be read. */
  readonly connections: readonly ConnectionInfo[] | undefined;
  readonly warnings: number;
  /** Why the files' part of the graph is not whole, if so. */
  readonly scanning: string | undefined;
  readonly folders: number;
}

const MOST_LISTED = 10;

export function coverageOf(input: CoverageInput): Coverage {
  const { query, connection_id: only, graph, state, connections, scanning, folders } = input;
  const scope = only ? ` Only the connection ${brief(only, 80)} was looked at; others were not checked.` : '';
  if (folders === 0 && graph.assets.size === 0) {
    return {
      index_status: 'unavailable',
      index_status_reason: 'No folder is open, and nothing was added to the graph.',
    };
  }
  if (connections === undefined) {
    const reason =
      'The registered connections could not be listed, so it is not known whether their tables are in the graph.';
    return { index_status: 'coverage_unmeasured', index_status_reason: scanning ? `${scanning} ${reason}` : reason };
  }
  const looked = connections.filter((connection) => !only || isNamed(connection, only));
  const words = nameQuery(query).words;
  const matches = ({ name, description = '', connection_id }: ConnectionInfo) => {
    const said = `${connection_id} ${name} ${description}`.toLowerCase();
    return words.some((word) => said.includes(word));
  };
  const unindexable = looked.filter(({ unscannable }) => unscannable !== undefined);
  const untyped = looked.filter(({ type }) => type === '');
  // A harvest that found no tables was one all the same.
  const unharvested = looked.filter(
    ({ unscannable, connection_id }) => unscannable === undefined && !state.harvests[connection_id],
  );
  const lists = {
    ...(unharvested.length > 0 && {
      unharvested_connections: unharvested.slice(0, MOST_LISTED).map(({ connection_id }) => connection_id),
      unharvested_matching_query: unharvested
        .filter(matches)
        .slice(0, MOST_LISTED)
        .map(({ connection_id }) => connection_id),
      harvest_calls: unharvested.slice(0, MOST_LISTED).map((connection) => harvestCall(connection, state)),
    }),
    ...(unindexable.length > 0 && {
      unindexable_connections: unindexable.slice(0, MOST_LISTED).map((connection) => ({
        connection_id: connection.connection_id,
        canonical_connection_id: connection.canonical_connection_id,
        connection_type: connection.type,
        reason: brief(connection.unscannable!, 200),
        matches_query: matches(connection),
      })),
    }),
  };
  if (scanning || unharvested.length > 0) {
    const missing =
      unharvested.length > 0
        ? `The tables of ${unharvested.length} registered connection${unharvested.length > 1 ? 's are' : ' is'} not in the graph: see harvest_calls.`
        : '';
    return {
      index_status: 'partial',
      index_status_reason: [scanning, missing].filter(Boolean).join(' ') + scope,
      ...lists,
    };
  }
  if (untyped.length > 0) {
    return {
      index_status: 'coverage_unmeasured',
      index_status_reason: `${untyped.length} registered connections have no type.${scope}`,
      ...lists,
    };
  }
  const files = `${graph.assets.size} assets in the graph.`;
  if (input.warnings > 0)
    return { index_status: 'ready_with_warnings', index_status_reason: `${files} See warnings.${scope}`, ...lists };
  return { index_status: 'ready', index_status_reason: `${files}${scope}`, ...lists };
}

/** True when a connection is called so: by id, canonical id or name. */
export function isNamed(connection: ConnectionInfo, name: string): boolean {
  return [connection.connection_id, connection.canonical_connection_id, connection.name].includes(name);
}

function harvestCall({ connection_id, type }: ConnectionInfo, { sources }: GraphState): HarvestCall {
  const registered = sources.find((source) => source.connection_id === connection_id);
  const call = { connection_id, tool_name: 'lineage_action' as const };
  if (registered) {
    const note = 'Its source is registered: this reads its tables into the graph.';
    return { ...call, arguments: { action: 'SCAN_SOURCE', source_id: registered.source_id }, note };
  }
  if (type === 'sqlite') {
    const note = 'SQLite connections are read with the workspace source: no source has to be registered.';
    return { ...call, arguments: { action: 'SCAN_SOURCE', source_id: 'workspace' }, note };
  }
  return {
    ...call,
    arguments: { action: 'REGISTER_SOURCE', source_type: type, connection_id, scan_now: true },
    note: 'No source is registered for it yet: this registers one and reads its tables into the graph.',
  };
}
