import { UserError } from '../errors.ts';
import { brief } from '../util/page.ts';
import { isNamed } from './answers/coverage.ts';
import type { ConnectionInfo, ConnectionPort } from './connections.ts';
import type { GraphKeeper } from './scanner.ts';

export interface RegisterInput {
  readonly source_type: string;
  readonly connection_id: string;
  readonly scan_now: boolean;
}

export interface ScanInput {
  readonly source_id: string;
}

const MOST_PROBLEMS = 20;

/** Registers a connection as a source of the graph; registering it again changes nothing. */
export async function registerSource(
  keeper: GraphKeeper,
  port: ConnectionPort | undefined,
  { source_type, connection_id, scan_now }: RegisterInput,
  now: () => number,
  signal?: AbortSignal,
): Promise<object> {
  const connection = await connectionNamed(port, connection_id, signal);
  if (connection.unscannable !== undefined) {
    throw new UserError(
      'not_scannable',
      `The tables of ${brief(connection.name, 100)} cannot be listed: ${connection.unscannable}`,
      'Query it with run_query.',
    );
  }
  if (source_type && source_type !== connection.type) {
    throw new UserError(
      'wrong_source_type',
      `${brief(connection.name, 100)} is of type ${connection.type}, not ${brief(source_type, 50)}.`,
      `Pass source_type "${connection.type}" or leave it out.`,
    );
  }
  const source_id = `connection:${connection.connection_id}`;
  await keeper.state.change((state) =>
    state.sources.some((source) => source.source_id === source_id)
      ? state
      : {
          ...state,
          sources: [
            ...state.sources,
            {
              source_id,
              source_type: connection.type,
              connection_id: connection.connection_id,
              registered_at: new Date(now()).toISOString(),
            },
          ],
        },
  );
  const scanned = scan_now ? await harvest(keeper, port!, connection, now, signal) : undefined;
  if (!scan_now) await keeper.relink();
  return {
    action: 'REGISTER_SOURCE',
    source_id,
    source_type: connection.type,
    ...(scanned ?? { next_step: `SCAN_SOURCE with source_id "${source_id}" reads its tables.` }),
  };
}

/** Reads a source anew: the workspace with its SQLite connections, or one registered connection. */
export async function scanSource(
  keeper: GraphKeeper,
  port: ConnectionPort | undefined,
  { source_id }: ScanInput,
  now: () => number,
  signal?: AbortSignal,
): Promise<object> {
  const wanted = source_id.trim();
  if (wanted === 'workspace' || wanted === 'loci') return scanFiles(keeper, port, now, signal);
  const source = keeper.saved.sources.find((each) => each.source_id === wanted || each.connection_id === wanted);
  if (!source) {
    const known = ['workspace', ...keeper.saved.sources.map((each) => each.source_id)];
    throw new UserError(
      'unknown_source',
      `There is no source "${brief(wanted, 100)}".`,
      `Registered are: ${known.slice(0, 20).join(', ')}. REGISTER_SOURCE adds a connection.`,
    );
  }
  const connection = await connectionNamed(port, source.connection_id, signal);
  return {
    action: 'SCAN_SOURCE',
    source_id: source.source_id,
    ...(await harvest(keeper, port!, connection, now, signal)),
  };
}

async function scanFiles(
  keeper: GraphKeeper,
  port: ConnectionPort | undefined,
  now: () => number,
  signal?: AbortSignal,
): Promise<object> {
  await keeper.rescan();
  const sqlite = ((await port?.list(signal)) ?? []).filter(
    ({ type, unscannable }) => type === 'sqlite' && unscannable === undefined,
  );
  const failed: string[] = [];
  for (const connection of sqlite) {
    try {
      await harvest(keeper, port!, connection, now, signal);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failed.push(`${connection.connection_id}: ${error.message}`);
    }
  }
  const { assets, edges, problems } = keeper.graph;
  return {
    action: 'SCAN_SOURCE',
    source_id: 'workspace',
    assets: assets.size,
    edges,
    problems: problems
      .slice(0, MOST_PROBLEMS)
      .map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${brief(message, 200)}`),
    problems_total: problems.length,
    ...(sqlite.length > 0 && { connections_read: sqlite.length - failed.length }),
    ...(failed.length > 0 && { connections_failed: failed.slice(0, 10).map((line) => brief(line, 200)) }),
  };
}

async function harvest(
  keeper: GraphKeeper,
  port: ConnectionPort,
  { connection_id, type }: ConnectionInfo,
  now: () => number,
  signal?: AbortSignal,
): Promise<{ tables: number; scanned_at: string }> {
  const tables = await port.harvest(connection_id, signal);
  const scanned_at = new Date(now()).toISOString();
  await keeper.state.change((state) => ({
    ...state,
    harvests: { ...state.harvests, [connection_id]: { type, scanned_at, tables: structuredClone(tables) as never } },
  }));
  await keeper.relink();
  return { tables: tables.length, scanned_at };
}

async function connectionNamed(
  port: ConnectionPort | undefined,
  name: string,
  signal?: AbortSignal,
): Promise<ConnectionInfo> {
  const all = (await port?.list(signal)) ?? [];
  const found = all.find((connection) => isNamed(connection, name));
  if (found) return found;
  const known = all.map(({ connection_id }) => connection_id).join(', ');
  throw new UserError(
    'unknown_connection',
    `There is no connection "${brief(name, 100)}".`,
    known
      ? `Registered are: ${brief(known, 500)}.`
      : 'No connection is registered; a person adds one in the Connections view.',
  );
}
