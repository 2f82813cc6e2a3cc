import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultStorage } from './host.ts';

export const usage = `Usage:
  loci tool NAME ['JSON'|-] [options]   call a tool; its result is JSON on stdout
  loci tools                            list the tools
  loci search WORDS... [options]        search the knowledge bases, for people
  loci index [options]                  bring the index up to date and say what is in it

Options:
  --workspace DIR   the workspace folder (default: here); repeat it for several
  --storage DIR     where the index and state live
  --user-data DIR   an editor's user data folder, for its settings and chats
  --thread ID       the thread the call belongs to
  --agent NAME      the agent that calls (default: the one the thread runs with)
  --yes             confirm what a call asks to be confirmed
  --limit N         results of a search (default 5)
  --verbose         say more on stderr
  --version, --help`;

/** A command line that makes no sense; ends with exit code 2. */
export class UsageError extends Error {}

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly workspaces: readonly string[];
  readonly storage: string;
  readonly userData?: string | undefined;
  readonly thread?: string | undefined;
  readonly agent?: string | undefined;
  /** True when a person confirms, by the way they call, what the tool asks for. */
  readonly confirmed: boolean;
  readonly limit: number;
  readonly verbose: boolean;
}

/** Reads a command line; `fallback` is the command of one that names none. */
export function parseCommandLine(argv: readonly string[], fallback = 'help'): CommandLine {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) return { ...base(values), command: 'help', args: [] };
  if (values.version) return { ...base(values), command: 'version', args: [] };
  const [command = fallback, ...args] = positionals;
  return { ...base(values), command, args };
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      workspace: { type: 'string', multiple: true },
      storage: { type: 'string' },
      'user-data': { type: 'string' },
      thread: { type: 'string' },
      agent: { type: 'string' },
      yes: { type: 'boolean', short: 'y' },
      limit: { type: 'string' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
}

function base(values: ReturnType<typeof parse>['values']): Omit<CommandLine, 'command' | 'args'> {
  const limit = Number(values.limit ?? 5);
  if (!Number.isInteger(limit) || limit < 1 || limit > 20)
    throw new UsageError('--limit takes a whole number from 1 to 20.');
  if (values.workspace?.includes('')) throw new UsageError('--workspace: the folder is empty.');
  const workspaces = (values.workspace ?? ['.']).map((path) => resolve(path));
  for (const path of workspaces) {
    if (!isFolder(path)) throw new UsageError(`--workspace: ${path} is not a folder.`);
  }
  return {
    workspaces,
    storage: resolve(values.storage ?? defaultStorage()),
    userData: values['user-data'] && resolve(values['user-data']),
    thread: values.thread,
    agent: values.agent,
    confirmed: values.yes ?? false,
    limit,
    verbose: values.verbose ?? false,
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
