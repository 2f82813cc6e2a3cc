import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { Host } from '../core/host.ts';
import { startWorker } from '../core/util/worker.ts';
import { readSettings } from './settings.ts';

export interface NodeHostOptions {
  /** Folder of the bundled doors. */
  readonly dist: string;
  /** Absolute paths of the workspace's folders. */
  readonly workspaces: readonly string[];
  readonly storage: string;
  readonly userData?: string | undefined;
  readonly verbose: boolean;
}

/** The host of the command line: settings from files, messages to stderr, secrets from the environment. */
export function createNodeHost({ dist, workspaces, storage, userData, verbose }: NodeHostOptions): Host {
  const read = new Map(workspaces.map((path) => [path, readSettings(path, userData)]));
  const first = read.get(workspaces[0]!)!;
  const host: Host = {
    storage,
    media: join(dist, '..', 'media'),
    folders: () => workspaces.map((path) => ({ name: basename(path), path })),
    settings: () => first.settings,
    trusted: () => true,
    customizations: () => ({
      home: homedir(),
      profile: userData && join(userData, 'User', 'prompts'),
      locations: {},
      contributions: [{ kind: 'skill', owner: 'loci', path: join(dist, '..', 'media', 'skills', 'loci') }],
    }),
    chats: () => ({
      userData: userData === undefined ? [] : [join(userData, 'User'), userData],
      home: homedir(),
      editor: false,
    }),
    excludes: ({ path }) => read.get(path)?.excludes ?? [],
    secret: async (name) =>
      process.env[
        `LOCI_${name
          .replace(/[.]/g, '_')
          .replace(/([A-Z])/g, '_$1')
          .toUpperCase()}`
      ],
    log(level, message) {
      if (verbose || level === 'warn' || level === 'error') process.stderr.write(`loci: ${message}\n`);
    },
    now: Date.now,
    startIndexer: () => startWorker(join(dist, 'indexer.js')),
  };
  for (const problem of first.problems) host.log('warn', problem);
  return host;
}

/** Where the command line keeps indexes and state unless told otherwise. */
export function defaultStorage(): string {
  if (process.platform === 'win32')
    return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'loci');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'loci');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'loci');
}
