import type { Settings } from './settings.ts';
import type { Port } from './util/rpc.ts';

export interface WorkspaceFolder {
  readonly name: string;
  /** Absolute path on disk. */
  readonly path: string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What the core asks of its surroundings: the editor, or a command line. */
export interface Host {
  /** Folder where indexes and state live. */
  readonly storage: string;
  /** Folder of the packaged resources (`media/`). */
  readonly media: string;
  folders(): readonly WorkspaceFolder[];
  settings(): Settings;
  /** False while the person has not said that the workspace may be trusted. */
  trusted(): boolean;
  /** Globs of the editor's `files.exclude` that are switched on, for one workspace folder. */
  excludes(folder: WorkspaceFolder): readonly string[];
  /** A secret the user stored, or undefined. */
  secret(name: string): Promise<string | undefined>;
  log(level: LogLevel, message: string): void;
  now(): number;
  /** Starts the worker thread that owns the index. */
  startIndexer(): IndexerThread;
}

export interface IndexerThread {
  readonly port: Port;
  /** Called once if the thread ends by itself, with the reason. */
  onExit(listener: (reason: string) => void): void;
  stop(): Promise<void>;
}
