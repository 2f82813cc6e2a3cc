import { stat } from 'node:fs/promises';
import { UserError } from '../../errors.ts';
import type { WorkspaceFolder } from '../../host.ts';
import { expandPath } from '../../util/paths.ts';
import { askFileProcess } from '../engine/file-process.ts';
import { withSession } from '../engine/postgres-client.ts';
import { readPostgresSchema } from '../engine/postgres-schema.ts';
import type { TableSchema } from '../engine/protocol.ts';
import { type DataFile, dataFiles } from './data-files.ts';
import { type ConnectionRecord, connectionId, passwordKey, type SqliteConnection, WORKSPACE } from './record.ts';
import { connectionStore } from './store.ts';

/** How a connection stands: the vocabulary of search_data_context. */
export type ConnectionStatus = 'bound_unmeasured' | 'bound' | 'bound_unreachable' | 'bound_inaccessible';

export interface Connection {
  readonly connection_id: string;
  /** `<type>.<name>`. */
  readonly canonical_connection_id: string;
  readonly type: ConnectionRecord['type'] | 'files';
  readonly name: string;
  readonly description?: string;
  readonly status: ConnectionStatus;
  /** Whether it was reached when it was last opened; absent when nothing has opened it. */
  readonly reachable?: boolean;
  /** Why it was not reached, or must not be opened. */
  readonly reason?: string;
  /** Who registered it: the person, the settings, or nobody, for the workspace's own files. */
  readonly origin: 'registered' | 'setting' | 'implicit';
  /** Server and database, or file; never a password. */
  readonly target: string;
  readonly dialect: 'postgres' | 'sqlite';
  /** Why its tables cannot be listed, if so. */
  readonly unscannable?: string;
}

export interface ConnectionsConfig {
  readonly storage: string;
  readonly folders: readonly WorkspaceFolder[];
  /** False: what the workspace's settings register is not opened. */
  readonly trusted: boolean;
  /** Connections from the settings. */
  readonly fromSettings: readonly ConnectionRecord[];
  /** By passwordKey. */
  readonly passwords: Readonly<Record<string, string>>;
}

const SCHEMA_MS = 30_000;
const TEST_MS = 10_000;

/** The registered connections, and the workspace's data files as one more. Listing opens none of them. */
export function createConnections(config: () => ConnectionsConfig) {
  const measured = new Map<string, { reachable: boolean; reason?: string }>();
  const store = () => connectionStore(config().storage);

  const records = async (): Promise<{ record: ConnectionRecord; origin: 'registered' | 'setting' }[]> => {
    const registered = (await store().read()).map((record) => ({ record, origin: 'registered' as const }));
    const ids = new Set(registered.map(({ record }) => connectionId(record)));
    const others = config().fromSettings.filter((record) => !ids.has(connectionId(record)));
    return [...registered, ...others.map((record) => ({ record, origin: 'setting' as const }))];
  };

  const pathOf = ({ path }: SqliteConnection) => expandPath(path, config().folders[0]?.path ?? '/');
  const passwordOf = (record: ConnectionRecord) =>
    record.type === 'postgres' ? config().passwords[passwordKey(record)] : undefined;

  /** Remembers whether the work reached the database. */
  const measure = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      measured.set(id, { reachable: true });
      return result;
    } catch (error) {
      if (error instanceof UserError && error.code === 'unreachable')
        measured.set(id, { reachable: false, reason: error.message });
      else if (!(error instanceof UserError && error.code === 'timeout')) measured.set(id, { reachable: true });
      throw error;
    }
  };

  const open = (record: ConnectionRecord, origin: 'registered' | 'setting') => {
    if (origin === 'setting' && !config().trusted) {
      throw new UserError(
        'untrusted_workspace',
        `${connectionId(record)} comes from the settings of a workspace that is not trusted, so it is not opened.`,
        'A person can trust the workspace, or register the connection themselves.',
      );
    }
    return { record, password: passwordOf(record), id: connectionId(record) };
  };

  /** @throws UserError when there is no such connection, or it must not be opened */
  const find = async (id: string) => {
    const all = await records();
    const found = all.filter(({ record }) => connectionId(record) === id);
    const [first] = found.length > 0 ? found : all.filter(({ record }) => record.name === id);
    if (first) return open(first.record, first.origin);
    const known = [WORKSPACE, ...all.map(({ record }) => connectionId(record))];
    throw new UserError(
      'unknown_connection',
      `There is no connection "${id.slice(0, 100)}".`,
      `Pass one of: ${known.join(', ')}.`,
      { connections: known },
    );
  };

  const schemaOf = (
    record: ConnectionRecord,
    password: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<TableSchema[]> =>
    record.type === 'postgres'
      ? readPostgresSchema(record, password, { milliseconds: SCHEMA_MS }, signal)
      : askFileProcess(
          {
            kind: 'schema',
            path: pathOf(record),
            limits: { milliseconds: SCHEMA_MS, bytes: Number.POSITIVE_INFINITY },
          },
          signal,
        );

  return {
    find,
    measure,
    pathOf,
    files: (signal?: AbortSignal): Promise<DataFile[]> => dataFiles(config().folders, signal),

    async list(): Promise<Connection[]> {
      const registered = (await records()).map(({ record, origin }): Connection => {
        const id = connectionId(record);
        const locked = origin === 'setting' && !config().trusted;
        const known = measured.get(id);
        const reason = locked ? 'The workspace is not trusted.' : known?.reason;
        return {
          connection_id: id,
          canonical_connection_id: id,
          type: record.type,
          name: record.name,
          ...(record.description && { description: record.description }),
          status: locked
            ? 'bound_inaccessible'
            : !known
              ? 'bound_unmeasured'
              : known.reachable
                ? 'bound'
                : 'bound_unreachable',
          ...(locked ? { reachable: false } : known && { reachable: known.reachable }),
          ...(reason && { reason }),
          origin,
          target: record.type === 'postgres' ? passwordKey(record) : pathOf(record),
          dialect: record.type,
          ...(locked && { unscannable: 'The workspace is not trusted.' }),
        };
      });
      return [workspaceConnection(config().folders), ...registered];
    },

    /** Registers a connection, or changes the one with the id `replaces`. The password is stored by the caller, under `password_key`. */
    async put(record: ConnectionRecord, replaces?: string) {
      await store().put(record, replaces);
      measured.delete(connectionId(record));
      return {
        connection_id: connectionId(record),
        ...(record.type === 'postgres' && { password_key: passwordKey(record) }),
      };
    },

    async remove(id: string) {
      measured.delete(id);
      return { removed: await store().remove(id) };
    },

    /** Opens a connection once and says whether that worked. */
    async test(record: ConnectionRecord, password: string | undefined, signal?: AbortSignal) {
      await measure(connectionId(record), async () => {
        if (record.type === 'sqlite') {
          await stat(pathOf(record)).catch(() => {
            throw new UserError('unreachable', `There is no file ${pathOf(record)}.`, 'Correct the path.');
          });
          await schemaOf(record, undefined, signal);
        } else {
          await withSession(record, password ?? passwordOf(record), { milliseconds: TEST_MS }, signal, (session) =>
            session.query('SELECT 1'),
          );
        }
      });
      return { reachable: true as const };
    },

    /** Tables and views of a connection, read from it now. */
    async harvest(id: string, signal?: AbortSignal): Promise<TableSchema[]> {
      const { record, password, id: found } = await find(id);
      return measure(found, () => schemaOf(record, password, signal));
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;

function workspaceConnection(folders: readonly WorkspaceFolder[]): Connection {
  return {
    connection_id: WORKSPACE,
    canonical_connection_id: `files.${WORKSPACE}`,
    type: 'files',
    name: WORKSPACE,
    description:
      'CSV, TSV, JSON, JSONL, Parquet and SQLite files of the workspace, queried as tables with the SQL of SQLite.',
    status: 'bound',
    reachable: true,
    origin: 'implicit',
    target: folders.map(({ path }) => path).join(', '),
    dialect: 'sqlite',
  };
}
