import * as z from 'zod';

const name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'use letters, digits, - and _, at most 64, beginning with a letter or digit',
  )
  .describe('Name of the connection; its id is <type>.<name>.');
const description = z.string().max(500).optional().describe('What is in it, for people and agents.');

/** A connection as a person registers it, without its password. */
export const ConnectionRecord = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('postgres'),
    name,
    description,
    host: z.string().min(1).default('localhost'),
    port: z.int().min(1).max(65_535).default(5432),
    database: z.string().min(1),
    user: z.string().min(1),
    ssl: z.enum(['disable', 'require', 'verify']).default('disable'),
  }),
  z.object({
    type: z.literal('sqlite'),
    name,
    description,
    path: z
      .string()
      .min(1)
      .describe('The database file: absolute, from the home folder (~/…) or relative to the workspace.'),
  }),
]);

export type ConnectionRecord = z.output<typeof ConnectionRecord>;
export type PostgresConnection = Extract<ConnectionRecord, { type: 'postgres' }>;
export type SqliteConnection = Extract<ConnectionRecord, { type: 'sqlite' }>;

/** The connection that the workspace's own data files are. */
export const WORKSPACE = 'workspace';

export function connectionId({ type, name: own }: Pick<ConnectionRecord, 'type' | 'name'>): string {
  return `${type}.${own}`;
}

/**
 * What a password belongs to: the server, database and user, not the connection's name. A workspace that registers a
 * server of its own under a known name gets nobody's password.
 */
export function passwordKey({ user, host, port, database }: PostgresConnection): string {
  return `postgres://${user}@${host}:${port}/${database}`;
}
