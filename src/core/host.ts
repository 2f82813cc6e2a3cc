import type { Settings } from './settings.ts';
import type { Port } from './util/rpc.ts';

export interface WorkspaceFolder {
  readonly name: string;
  /** Absolute path on disk. */
  readonly path: string;
}

/** A file for chats that an installed extension contributes. */
export interface Contribution {
  readonly kind: 'skill' | 'agent' | 'prompt';
  /** Extension id. */
  readonly owner: string;
  /** Absolute path; of a skill, its SKILL.md or its folder. */
  readonly path: string;
  /** What the extension says of it, for a skill that has no file. */
  readonly name?: string;
  readonly description?: string;
}

/** Where skills, custom agents and prompt files lie besides the workspace's own folders. */
export interface Customizations {
  /** The person's home folder. */
  readonly home: string;
  /** Folder of the editor's profile that holds the person's agents and prompts. */
  readonly profile: string | undefined;
  /** The editor's `chat.*Locations` settings: folders, each switched on or off. */
  readonly locations: Readonly<Partial<Record<Contribution['kind'], Readonly<Record<string, boolean>>>>>;
  readonly contributions: readonly Contribution[];
}

/** Where the chats of this machine lie. They are read, never written. */
export interface ChatStores {
  /** `User` folders of editors, absolute. */
  readonly userData: readonly string[];
  /** The extension's storage folder of the open workspace, where the editor gave one. */
  readonly workspaceStorage?: string | undefined;
  /** Home folder, for the stores of Copilot CLI and Claude Code. */
  readonly home: string;
  /** True where an editor hears that a chat should be compacted. */
  readonly editor: boolean;
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
  customizations(): Customizations;
  chats(): ChatStores;
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
