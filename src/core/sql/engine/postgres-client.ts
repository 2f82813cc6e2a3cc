import type { Socket } from 'node:net';
import { Client, DatabaseError, type FieldDef, type QueryArrayConfig } from 'pg';
import { UserError } from '../../errors.ts';
import { throwIfAborted } from '../../util/abort.ts';
import type { PostgresConnection } from '../connections/record.ts';
import { tookTooLong } from './file-process.ts';
import type { Limits } from './protocol.ts';

/** Most bytes that a server may send for one query before the connection is cut. */
const MOST_BYTES = 64_000_000;
const CONNECT_MS = 10_000;
const GRACE_MS = 1000;
/** What PostgreSQL calls a statement that was cancelled, by its time limit too. */
const CANCELED = '57014';

export interface Session {
  /** One statement by the extended protocol, which takes no second one. Values come as the text that the server sends. */
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: (string | null)[][]; fields: FieldDef[]; changed: number | null }>;
}

/**
 * Opens a session with a PostgreSQL server for some work and closes it afterwards, whatever happens. At the time limit,
 * and when the signal fires, the server is told to cancel what is running.
 * @throws UserError `unreachable` when the server cannot be reached or does not let the user in
 */
export async function withSession<T>(
  connection: PostgresConnection,
  password: string | undefined,
  { milliseconds }: Pick<Limits, 'milliseconds'>,
  signal: AbortSignal | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  const client = clientOf(connection, password, milliseconds);
  // An error between queries reaches no query; the next one, or the end, reports it.
  client.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  let tooLarge: Error | undefined;
  let running = 0;
  const session: Session = {
    async query(text, values = []) {
      running++;
      const config: QueryArrayConfig & { queryMode: 'extended' } = {
        text,
        values: [...values],
        rowMode: 'array',
        queryMode: 'extended',
      };
      const result = await client.query(config);
      running--;
      return { rows: result.rows as (string | null)[][], fields: result.fields, changed: result.rowCount };
    },
  };
  try {
    const stop = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tookTooLong(milliseconds)), milliseconds + GRACE_MS);
      onAbort = () => reject(signal!.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    await Promise.race([connect(client, connection), stop]);
    limitBytes(client, (error) => {
      tooLarge = error;
    });
    return await Promise.race([work(session), stop]);
  } catch (error) {
    // A query that the server itself refused is not running any more.
    if (error instanceof DatabaseError) running = 0;
    throw tooLarge ?? (error instanceof DatabaseError && error.code === CANCELED ? tookTooLong(milliseconds) : error);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    if (running > 0 && !tooLarge) await cancel(client, clientOf(connection, password, CONNECT_MS));
    await end(client);
  }
}

function clientOf(connection: PostgresConnection, password: string | undefined, milliseconds: number): Client {
  return new Client({
    host: connection.host,
    port: connection.port,
    database: connection.database,
    user: connection.user,
    // Never the password of another place: neither PGPASSWORD nor ~/.pgpass.
    password: () => password ?? '',
    ssl: connection.ssl === 'disable' ? false : { rejectUnauthorized: connection.ssl === 'verify' },
    application_name: 'Loci',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: milliseconds,
    types: { getTypeParser: () => (value: string) => value },
  });
}

async function connect(client: Client, { host, port, database, user }: PostgresConnection): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const message = (error as Error).message || (error as { code?: string }).code || 'no answer';
    throw new UserError(
      'unreachable',
      `PostgreSQL at ${host}:${port} (database ${database}, user ${user}) cannot be reached: ${message}.`,
      'Check that the server runs and that host, port, user and password are right; a person can correct the connection.',
    );
  }
}

/** Cuts the connection when a server sends more than fits into memory: a driver cannot stop within a row. */
function limitBytes(client: Client, onCut: (error: Error) => void): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) return;
    onCut(
      new UserError(
        'too_large',
        `The result is larger than ${MOST_BYTES / 1e6} MB.`,
        'Select fewer columns or rows, or cut long values with left().',
      ),
    );
    stream.destroy();
  });
}

/** Tells the server to stop what a session runs: to close the connection alone would let it run on. */
async function cancel(client: Client, second: Client): Promise<void> {
  second.on('error', () => {});
  const { processID } = client as unknown as { processID: number | null };
  try {
    await second.connect();
    await second.query('SELECT pg_catalog.pg_cancel_backend($1)', [processID]);
  } catch {
    // The server's own time limit ends it.
  }
  await end(second);
}

/** A server that does not answer any more keeps nobody waiting. */
async function end(client: Client): Promise<void> {
  const ended = client.end().catch(() => {});
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())]);
}
