import { mkdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { type Closed, closedPaths } from './closed.ts';
import { type CommandSurroundings, confirmCommand, runCommand } from './command.ts';
import type { CommandInput } from './command-plan.ts';
import { confirmFiles, type FilesInput, runFiles } from './files.ts';
import type { Surroundings } from './place.ts';
import type { Declined } from './refusal.ts';
import { createSandbox } from './sandbox.ts';
import { createSecretFiles } from './secret-files.ts';

export interface LocalConfig {
  /** Folder of Loci's own data. */
  readonly storage: string;
  /** Absolute paths of the workspace's folders. */
  readonly workspace: readonly string[];
  /** False while the person has not said that the workspace may be trusted. */
  readonly trusted: boolean;
  /** Keeps credential stores closed. */
  readonly blockCredentials: boolean;
}

export interface LocalOptions {
  now(): number;
  readonly home?: string;
}

/** How long it holds where the credential stores lie, in milliseconds: some thousand paths are looked up. */
const FRESH_MS = 2000;
/** Most questions whose answer is waited for. */
const MOST_ASKED = 100;

/** Files and commands of the person's computer: what is closed, what is asked about first, and what confines the rest. */
export function createLocal({ now, home: givenHome = homedir() }: LocalOptions) {
  let config: LocalConfig | undefined;
  let closed: { readonly at: number; readonly paths: Promise<Closed> } | undefined;
  const sandbox = createSandbox();
  const secretFiles = createSecretFiles(now);
  /** Real paths that a change led to when it was confirmed, by the change. */
  const asked = new Map<string, readonly string[]>();

  const surroundings = async (): Promise<Surroundings> => {
    const { storage, blockCredentials } = configured(config);
    const own = join(storage, 'files');
    await mkdir(own, { recursive: true });
    const ownFolder = await realpath(own);
    const home = await realpath(givenHome);
    if (!closed || now() - closed.at > FRESH_MS) {
      closed = { at: now(), paths: closedPaths({ home, storage, ownFolder, blockCredentials }) };
    }
    return { home, ownFolder, closed: await closed.paths };
  };

  const forCommands = async (): Promise<CommandSurroundings> => {
    const { blockCredentials, workspace } = configured(config);
    return { ...(await surroundings()), blockCredentials, workspace, sandbox, secretFiles };
  };

  const untrusted = (): Declined | undefined =>
    configured(config).trusted
      ? undefined
      : {
          status: 'unavailable',
          message: 'This workspace is not trusted.',
          next_step: 'Ask the person to trust it in the editor.',
        };

  const methods = {
    /** What a person is to be asked before a file is changed; undefined for nothing. */
    async confirmFiles(input: FilesInput) {
      if (untrusted()) return undefined;
      const change = await confirmFiles(input, await surroundings());
      if (!change) return undefined;
      const [oldest] = asked.keys();
      if (asked.size >= MOST_ASKED && oldest !== undefined) asked.delete(oldest);
      asked.set(JSON.stringify(input), change.targets);
      return change.question;
    },
    /** One action on files; a change must have been asked about, unless it stays in Loci's own folder. */
    async files(input: FilesInput, signal?: AbortSignal) {
      const key = JSON.stringify(input);
      const agreed = asked.get(key);
      asked.delete(key);
      return untrusted() ?? runFiles(input, await surroundings(), agreed, signal);
    },
    /** What a person is to be asked before a command; undefined for nothing. */
    async confirmCommand(input: CommandInput) {
      return untrusted() ? undefined : confirmCommand(input, await forCommands());
    },
    /** Runs a command in the sandbox; one that does more than read must have been asked about. */
    async command(input: CommandInput, signal?: AbortSignal) {
      return untrusted() ?? runCommand(input, await forCommands(), signal);
    },
  };

  return {
    methods,
    async configure(next: LocalConfig): Promise<void> {
      config = next;
      closed = undefined;
    },
    close: () => sandbox.close(),
  };
}

function configured(config: LocalConfig | undefined): LocalConfig {
  if (!config) throw new UserError('not_ready', 'Loci is still starting.', 'Try again in a moment.');
  return config;
}
