import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { WorkspaceFolder } from '../host.ts';
import { redact } from '../redact/redact.ts';
import { type ConnectionsConfig, createConnections } from './connections/connections.ts';
import { ConnectionRecord, WORKSPACE } from './connections/record.ts';
import { anchorOf, fileAnchor } from './history/anchors.ts';
import { answerPastQueries, type FindInput } from './history/answer.ts';
import { chatSql, type PastChat } from './history/chat-sql.ts';
import type { HistoryEntry } from './history/entry.ts';
import type { LearningPort } from './history/find.ts';
import { historyLog } from './history/log.ts';
import { gatherQueries, type ParsedQuery } from './history/past-queries.ts';
import { sqlFiles } from './history/sql-files.ts';
import { judgeFor, type QueryInput, type QueryRun, runQuery } from './run/run-query.ts';

export interface SqlConfig {
  readonly storage: string;
  readonly folders: readonly WorkspaceFolder[];
  readonly trusted: boolean;
  /** Connections that the settings register. */
  readonly connections: readonly unknown[];
  /** By passwordKey. */
  readonly passwords: Readonly<Record<string, string>>;
  readonly allowWrites: boolean;
  /** Whether the history keeps the first rows of results. */
  readonly keepPreviews: boolean;
  /** Whether queries of other workspaces may be shown. */
  readonly otherWorkspaces: boolean;
  readonly timeoutMs: number;
}

export interface SqlOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  log(message: string): void;
  /** Past chats, which may hold SQL. */
  readonly chats?: ((signal?: AbortSignal) => AsyncIterable<PastChat>) | undefined;
  readonly learnings?: LearningPort | undefined;
  /** A connection was added, changed, removed or tested, or a query was run. */
  onChange(): void;
}

interface Caller {
  readonly thread: string | undefined;
  readonly agent: string | undefined;
}

const PREVIEW_ROWS = 5;
const PREVIEW_BYTES = 4000;
const LONGEST_SQL = 20_000;

/** Connections, queries on them, and the history of queries. */
export function createSql({ now, log, chats, learnings, onChange }: SqlOptions) {
  let config: SqlConfig | undefined;
  const configured = (): SqlConfig => {
    if (!config) throw new Error('the SQL domain is not configured');
    return config;
  };
  const connections = createConnections((): ConnectionsConfig => {
    const { storage, folders, trusted, passwords } = configured();
    return { storage, folders, trusted, passwords, fromSettings: settingsConnections(configured(), log) };
  });
  const filesOf = sqlFiles();
  const inChats = chats && chatSql(chats, (message) => log(message));
  const parsed = new Map<string, ParsedQuery | undefined>();
  let history: ReturnType<typeof historyLog> | undefined;

  const record = async (
    input: QueryInput,
    caller: Caller,
    run: QueryRun | undefined,
    failure: UserError | undefined,
    started: number,
  ): Promise<void> => {
    const { folders, keepPreviews } = configured();
    const rows = run?.result.rows ?? [];
    const preview = rows.slice(0, PREVIEW_ROWS);
    const columns = run?.result.columns.map(({ name }) => name) ?? [];
    const entry: HistoryEntry = {
      v: 1,
      id: randomUUID(),
      at: new Date(started).toISOString(),
      workspace: folders[0]?.path ?? '',
      ...(caller.thread !== undefined && { thread: caller.thread }),
      ...(caller.agent !== undefined && { agent: caller.agent }),
      connection_id: run?.connectionId ?? input.connection_id,
      dialect: run?.dialect ?? '',
      sql: redact(input.sql.slice(0, LONGEST_SQL)).text,
      anchors: run ? anchorsOf(run) : [],
      columns,
      rows: run?.result.changed ?? rows.length,
      milliseconds: now() - started,
      ...(failure && { error: failure.message }),
      ...(keepPreviews &&
        rows.length > 0 &&
        JSON.stringify(preview).length <= PREVIEW_BYTES && { preview: { columns, rows: preview as unknown[][] } }),
    };
    await history!
      .append(entry)
      .catch((error: unknown) => log(`The query was not recorded: ${(error as Error).message}`));
    onChange();
  };

  return {
    /** For the graph and the inventory: the registered connections, and what one of them holds. */
    port: {
      list: async () => (await connections.list()).filter(({ origin }) => origin !== 'implicit'),
      harvest: (id: string, signal?: AbortSignal) => connections.harvest(id, signal),
    },
    async configure(next: SqlConfig) {
      if (next.storage !== config?.storage) history = historyLog(join(next.storage, 'sql', 'history'));
      config = next;
      await history!
        .rotate()
        .catch((error: unknown) => log(`The query history could not be rotated: ${(error as Error).message}`));
    },

    methods: {
      /** Registered connections and the workspace's files; opens none. */
      async list() {
        return { connections: await connections.list() };
      },
      /** Data files of the workspace, as tables of the connection `workspace`. */
      async files(_: undefined, signal?: AbortSignal) {
        return { files: (await connections.files(signal)).map(({ path, format, size }) => ({ path, format, size })) };
      },
      /** Registers a connection. @returns its id, and the key to store its password under */
      async add({ connection }: { connection: unknown }) {
        const result = await connections.put(connectionOf(connection));
        onChange();
        return result;
      },
      async edit({ connection_id, connection }: { connection_id: string; connection: unknown }) {
        const result = await connections.put(connectionOf(connection), connection_id);
        onChange();
        return result;
      },
      async remove({ connection_id }: { connection_id: string }) {
        const result = await connections.remove(connection_id);
        onChange();
        return result;
      },
      /** Opens a connection, registered or not yet. @throws UserError when it cannot be reached */
      async test(
        input: { connection_id: string } | { connection: unknown; password?: string | undefined },
        signal?: AbortSignal,
      ) {
        const found = 'connection_id' in input ? await connections.find(input.connection_id) : undefined;
        const record = found?.record ?? connectionOf('connection' in input ? input.connection : undefined);
        const password = found?.password ?? ('password' in input ? input.password : undefined);
        try {
          return await connections.test(record, password, signal);
        } finally {
          onChange();
        }
      },
      /** Tables, views, columns, keys and comments of a connection, read now. */
      async harvest({ connection_id }: { connection_id: string }, signal?: AbortSignal) {
        const tables = await connections.harvest(connection_id, signal);
        onChange();
        return { connection_id, tables };
      },
      /** Whether a statement only reads, as the gate sees it. */
      async judge(input: { connection_id: string; sql: string }) {
        const { allowWrites } = configured();
        return { ...(await judgeFor(input, connections)), allow_writes: allowWrites };
      },
      /** Runs one statement; a write only where the settings allow it, and the caller had it confirmed. */
      async run({ caller, ...input }: QueryInput & { caller: Caller }, signal?: AbortSignal) {
        const { allowWrites, timeoutMs } = configured();
        const started = now();
        try {
          const run = await runQuery(input, { connections, mayWrite: allowWrites, milliseconds: timeoutMs }, signal);
          await record(input, caller, run, undefined, started);
          return {
            ...run.result,
            connection_id: run.connectionId,
            ordered: run.judgement.ordered,
            milliseconds: now() - started,
          };
        } catch (error) {
          if (error instanceof UserError && error.code !== 'unknown_connection')
            await record(input, caller, undefined, error, started);
          throw error;
        }
      },
      /** Queries that were run or written before. */
      async findPast({ scope, ...input }: FindInput & { scope: 'self' | 'all' }, signal?: AbortSignal) {
        const { folders, otherWorkspaces, keepPreviews, trusted } = configured();
        if (scope === 'all' && !otherWorkspaces) {
          throw new UserError(
            'scope_not_allowed',
            'Queries of other workspaces are not shown here.',
            'Call it with scope "self"; a person can allow more with the setting loci.threads.otherWorkspaces. search_threads has wider recall.',
          );
        }
        const { entries, damaged } = await history!.entries();
        const { queries, coverage } = await gatherQueries(
          {
            entries,
            damaged,
            chats: inChats?.(signal),
            files: await filesOf(trusted ? folders : [], signal),
            folders,
            everywhere: scope === 'all',
            parsed,
          },
          signal,
        );
        return answerPastQueries(input, queries, coverage, { wiki: learnings, previews: keepPreviews });
      },
      /** The newest runs, for the Query History view. */
      async history({ limit }: { limit: number }) {
        const { entries } = await history!.entries();
        const workspace = configured().folders[0]?.path ?? '';
        return {
          entries: entries
            .filter((entry) => entry.workspace === workspace)
            .slice(-limit)
            .reverse(),
        };
      },
      /** Forgets every recorded run. */
      async clearHistory() {
        await history!.clear();
        onChange();
      },
    },
  };
}

function anchorsOf({ connectionId, dialect, tables }: QueryRun): string[] {
  if (connectionId === WORKSPACE) return tables.map(fileAnchor);
  return tables.map((table) => anchorOf(table, dialect, connectionId));
}

function connectionOf(value: unknown): ConnectionRecord {
  const parsed = ConnectionRecord.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new UserError(
    'bad_connection',
    `The connection is not complete: ${[...path, message].join(': ')}.`,
    'Correct it and try again.',
  );
}

function settingsConnections({ connections }: SqlConfig, log: (message: string) => void): ConnectionRecord[] {
  return connections.flatMap((value, i) => {
    const parsed = ConnectionRecord.safeParse(value);
    if (parsed.success) return [parsed.data];
    log(`loci.data.connections: entry ${i + 1} is left out: ${parsed.error.issues[0]?.message}`);
    return [];
  });
}
