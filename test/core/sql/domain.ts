import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { createSql, type SqlConfig, type SqlOptions } from '../../../src/core/sql/sql.ts';

export interface Domain {
  readonly folder: string;
  readonly storage: string;
  readonly sql: ReturnType<typeof createSql>['methods'];
  readonly port: ReturnType<typeof createSql>['port'];
  configure(more: Partial<SqlConfig>): Promise<void>;
  /** Runs a query with the tool's defaults. */
  run(
    connection_id: string,
    sql: string,
    more?: { limit?: number; offset?: number; thread?: string },
  ): ReturnType<Domain['sql']['run']>;
}

export function temporary(name = 'loci sql ü-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The SQL domain over a folder with the given files; a SQLite file is given by its script. */
export async function openDomain(
  files: Readonly<Record<string, string | Uint8Array | { readonly script: string }>> = {},
  options: Partial<SqlOptions> & {
    readonly config?: Partial<SqlConfig>;
    readonly storage?: string;
    readonly folder?: string;
  } = {},
): Promise<Domain> {
  const folder = options.folder ?? temporary();
  const storage = options.storage ?? temporary();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(join(folder, path), content);
    else {
      const database = new DatabaseSync(join(folder, path));
      database.exec(content.script);
      database.close();
    }
  }
  const domain = createSql({ now: Date.now, log: () => {}, onChange: () => {}, ...options });
  const config: SqlConfig = {
    storage,
    folders: [{ name: 'ws', path: folder }],
    trusted: true,
    connections: [],
    passwords: {},
    allowWrites: false,
    keepPreviews: false,
    otherWorkspaces: false,
    timeoutMs: 20_000,
    ...options.config,
  };
  await domain.configure(config);
  const sql = domain.methods;
  return {
    folder,
    storage,
    sql,
    port: domain.port,
    configure: (more) => domain.configure({ ...config, ...more }),
    run: (connection_id, text, { limit = 50, offset = 0, thread } = {}) =>
      sql.run({ connection_id, sql: text, limit, offset, caller: { thread, agent: undefined } }),
  };
}
