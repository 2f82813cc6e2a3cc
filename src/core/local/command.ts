import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brief } from '../util/page.ts';
import { isInside } from '../util/paths.ts';
import type { Closed } from './closed.ts';
import {
  boundedSeconds,
  type CommandInput,
  type CommandPlan,
  closedOperands,
  confirmationText,
  planCommand,
} from './command-plan.ts';
import { type CommandResult, commandResult } from './command-result.ts';
import { environment } from './environment.ts';
import { type Declined, declining, Refusal } from './refusal.ts';
import type { RefusedPath } from './refused-paths.ts';
import type { Finished } from './run-process.ts';
import type { Sandbox } from './sandbox.ts';
import type { SecretFiles } from './secret-files.ts';
import type { Cli } from './shell/cli-reads.ts';
import { parseCommand } from './shell/parse.ts';
import { workingFolder } from './working-folder.ts';

export interface CommandSurroundings {
  readonly home: string;
  readonly ownFolder: string;
  readonly closed: Closed;
  readonly blockCredentials: boolean;
  readonly sandbox: Sandbox;
  secretFiles(folders: readonly string[], signal?: AbortSignal): Promise<SecretFiles>;
  /** Folders of the workspace, absolute. */
  readonly workspace: readonly string[];
}

export type CommandAnswer =
  | CommandResult
  | NeedsPerson
  | (Declined & { readonly refused_paths?: readonly RefusedPath[] });

export interface NeedsPerson {
  readonly status: 'needs_person';
  readonly message: string;
  readonly next_step: string;
  /** What the person runs in a terminal of their own. */
  readonly command: string;
}

/** What each CLI keeps its sign-in and settings in, and where it writes caches: from the home folder. */
const CLI_PLACES: Readonly<Record<Cli, { readonly reads: readonly string[]; readonly writes: readonly string[] }>> = {
  git: { reads: ['.git-credentials', '.config/git', '.ssh', '.netrc'], writes: [] },
  gh: { reads: ['.config/gh'], writes: ['.config/gh', '.cache/gh', '.local/state/gh', '.local/share/gh'] },
  aws: { reads: ['.aws'], writes: ['.aws/cli', '.aws/sso', '.aws/login'] },
  az: { reads: ['.azure'], writes: ['.azure'] },
};

/** What a person is to be asked before a command; undefined when it runs at once, or not at all. */
export async function confirmCommand(input: CommandInput, around: CommandSurroundings) {
  try {
    const plan = planCommand(input.command);
    if ('signIn' in plan || plan.asks === undefined) return undefined;
    if (input.working_directory !== '') await workingFolder(input.working_directory, around.home, around.closed);
    await around.sandbox.check();
    return confirmationText(plan, input);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Runs a command in the sandbox: a read at once, anything else for a caller that has asked a person. */
export async function runCommand(
  input: CommandInput,
  around: CommandSurroundings,
  signal?: AbortSignal,
): Promise<CommandAnswer> {
  return declining(async () => {
    const plan = planCommand(input.command);
    if ('signIn' in plan) return needsPerson(plan.signIn[0], input.command);
    const given = input.working_directory;
    const project = given === '' ? undefined : await workingFolder(given, around.home, around.closed);
    const run = await realpath(await mkdtemp(join(tmpdir(), 'loci-run-')));
    try {
      const [folder, temporary] = [project ?? join(run, 'work'), join(run, 'tmp')];
      await mkdir(join(run, 'work'));
      await mkdir(temporary);
      const closed = await closedNamed(plan, folder, around);
      if (closed.length > 0) return refusedRead(closed);
      await around.sandbox.check();
      return await confined(plan, { folder, temporary, isProject: project !== undefined }, input, around, signal);
    } finally {
      await rm(run, { recursive: true, force: true });
    }
  });
}

interface Folders {
  readonly folder: string;
  readonly temporary: string;
  readonly isProject: boolean;
}

async function confined(
  plan: CommandPlan,
  { folder, temporary, isProject }: Folders,
  input: CommandInput,
  around: CommandSurroundings,
  signal?: AbortSignal,
): Promise<CommandAnswer> {
  const { home, closed } = around;
  const isRead = plan.asks === undefined;
  const secrets = await secretsNear(folder, around, signal);
  const opened = plan.clis
    .flatMap((cli) => (isRead && cli === 'git' ? [] : CLI_PLACES[cli].reads))
    .map((path) => join(home, path));
  const caches = plan.clis.flatMap((cli) => CLI_PLACES[cli].writes).map((path) => join(home, path));
  const unreadable = [...closed.existing, ...secrets.paths].filter(
    (path) => !opened.some((each) => isInside(each, path)),
  );
  const finished = await around.sandbox.run(
    {
      source: plan.source,
      folder,
      env: environment({ home, temporary, folder, isRead }),
      unreadable,
      writable: [temporary, ...(isRead && isProject ? [] : [folder]), ...caches.filter((path) => existsSync(path))],
      reach: plan.reach,
      timeoutMs: boundedSeconds(input.timeout_seconds) * 1000,
    },
    signal,
  );
  refuseUnconfined(finished);
  const seen = plan.invocations.some(([name]) => /^(?:ps|top|lsof|pgrep|pstree)$/.test(name));
  const notes = [
    ...(seen && process.platform === 'linux' ? ['In the sandbox only the processes of this command are seen.'] : []),
    ...(secrets.isComplete ? [] : ['Not every folder was looked through for .env files: some may have been readable.']),
  ];
  return commandResult(plan, finished, { folder, unreadable, notes }, around);
}

async function secretsNear(folder: string, around: CommandSurroundings, signal?: AbortSignal): Promise<SecretFiles> {
  if (!around.blockCredentials) return { paths: [], isComplete: true };
  const folders = [around.home, ...around.workspace, folder];
  const outermost = folders.filter(
    (each, i) => !folders.some((other, j) => i !== j && other !== each && isInside(other, each)),
  );
  return around.secretFiles([...new Set(outermost)], signal);
}

/** A sandbox that fails before the command begins says so on the command's own output. */
function refuseUnconfined({ exitCode, output }: Finished): void {
  const [line = ''] = output.split('\n', 1);
  if (exitCode !== 1 || !/^(?:bwrap|apply-seccomp|sandbox-exec): /.test(line)) return;
  throw new Refusal(
    'unavailable',
    `The sandbox did not start: ${line}`,
    'Ask the person to allow user namespaces. Commands are never run outside the sandbox.',
  );
}

async function closedNamed(
  plan: CommandPlan,
  folder: string,
  { home, closed }: CommandSurroundings,
): Promise<string[]> {
  const parsed = plan.reach === 'none' ? parseCommand(plan.source) : undefined;
  return parsed?.kind === 'chain' ? closedOperands(parsed.chain, folder, home, closed) : [];
}

function refusedRead(paths: readonly string[]): CommandAnswer {
  return {
    status: 'refused',
    message: `${brief(paths.join(', '), 1000)}: closed to agents, since it holds sign-ins or keys.`,
    next_step: 'Do without it. A person can open credential stores by the setting loci.local.blockCredentials.',
    refused_paths: paths.slice(0, 10).map((path) => ({ path: brief(path, 200), refused_by: 'sandbox' as const })),
  };
}

function needsPerson(program: string, command: string): NeedsPerson {
  return {
    status: 'needs_person',
    message: `${program} asks for a sign-in or a password, which only a person can give.`,
    next_step: 'Ask the person to run the command in a terminal of their own, then go on.',
    command: brief(command, 4000),
  };
}
