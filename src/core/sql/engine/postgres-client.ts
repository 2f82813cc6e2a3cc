import { Client, type FieldDef } from 'pg';
import { UserError } from '../../errors.ts';
import { throwIfAborted } from '../../util/abort.ts';
import type { PostgresConnection } from '../connections/record.ts';
import { tookTooLong } from './file-process.ts';
import type { Limits } from './protocol.ts';

/** Most bytes that a server may send for one query before the connection is cut. */
const MOST_BYTES = 64_000_000;
const CONNECT_MS = 10_000;

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
  const client = new Client({
    host: connection.host,
    port: connection.port,
    database: connection.database,
    user: connection.user,
    // Never the password of another place: neither PGPASSWORD nor ~/.pgpass.
    password: password ?? '',
    ssl: connection.ssl === 'disable' ? false : { rejectUnauthorized: connection.ssl === 'verify' },
    application_name: 'Loci',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: milliseconds,
    types: { getTypeParser: () => (value: string) => value },
  });
  // An error between queries reaches no query; the next one, or the end, reports it.
  client.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  let failure: Error | undefined;
  try {
    const stop = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tookTooLong(milliseconds)), milliseconds + 1000);
      onAbort = () => reject(signal!.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    await Promise.race([connect(client, connection), stop]);
    limitBytes(client, (error) => {
      failure = error;
    });
    return await Promise.race([work(sessionOf(client)), stop]);
  } catch (error) {
    throw failure ?? (isTimeout(error) ? tookTooLong(milliseconds) : error);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    await close(client, connection);
  }
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

function sessionOf(client: Client): Session {
  return {
    async query(text, values = []) {
      const { rows, fields, rowCount } = (await client.query({
        text,
        values: [...values],
        rowMode: 'array',
        queryMode: 'extended',
      } as never)) as unknown as { rows: (string | null)[][]; fields: FieldDef[]; rowCount: number | null };
      return { rows, fields, changed: rowCount };
    },
  };
}

interface Wire {
  readonly connection: { readonly stream: NodeJS.ReadableStream & { destroy(): void } };
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** Cuts the connection when a server sends more than fits into memory: a driver cannot stop within a row. */
function limitBytes(client: Client, onCut: (error: Error) => void): void {
  const { stream } = (client as unknown as Wire).connection;
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

/** Ends the session; what still runs is cancelled first, since a closed connection alone does not stop it. */
async function close(client: Client, connection: PostgresConnection): Promise<void> {
  const { processID, secretKey } = client as unknown as Wire;
  const busy = (client as unknown as { activeQuery?: unknown; _activeQuery?: unknown })._activeQuery;
  if (busy && processID !== null && secretKey !== null) await cancel(connection, processID, secretKey);
  await Promise.race([client.end().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
}
