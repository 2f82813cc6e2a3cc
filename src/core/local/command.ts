import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redact } from '../redact/redact.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { brief, cutText } from '../util/page.ts';
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
import { environment } from './environment.ts';
import { type Declined, declining, Refusal } from './refusal.ts';
import { type RefusedPath, refusedPaths } from './refused-paths.ts';
import type { Finished } from './run-process.ts';
import type { Sandbox } from './sandbox.ts';
import type { SecretFiles } from './secret-files.ts';
import type { Cli } from './shell/cli-reads.ts';
import { signInAfter } from './shell/hazards.ts';
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

export interface CommandResult {
  readonly status: 'ok' | 'failed' | 'timed_out' | 'needs_sign_in';
  /** Null when it was stopped by a signal. */
  readonly exit_code: number | null;
  readonly output: string;
  /** True when output is not all that was printed. */
  readonly truncated: boolean;
  readonly duration_seconds: number;
  readonly refused_paths?: readonly RefusedPath[];
  /** Holds the output as far as it is kept: read on in it with local_files. */
  readonly output_file?: string;
  readonly next_start_line?: number;
  /** What a person has to run to sign in again. */
  readonly login_command?: string;
  readonly output_withheld?: true;
  readonly notes?: readonly string[];
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

/** Characters of output that are kept, and that an approved command's answer shows. */
const MOST_OUTPUT = 20_000;
const MOST_APPROVED = 1500;
/** Bytes of output in one answer, as JSON. */
const PAGE = 5500;
const KEPT_OUTPUTS = 20;

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
  const finished = await around.sandbox.run(
    {
      source: plan.source,
      folder,
      env: environment({ home, temporary, folder, isRead }),
      unreadable: [...closed.existing, ...secrets.paths].filter((path) => !opened.some((each) => isInside(each, path))),
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
  return answer(plan, finished, { folder, notes }, around);
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

async function answer(
  plan: CommandPlan,
  finished: Finished,
  { folder, notes }: { folder: string; notes: readonly string[] },
  around: CommandSurroundings,
): Promise<CommandResult> {
  const { exitCode, timedOut, output, isCut, durationMs } = finished;
  const login = exitCode === 0 ? undefined : signInAfter(plan.invocations, output);
  const refused = refusedPaths(output, folder, around);
  const status = timedOut ? 'timed_out' : login ? 'needs_sign_in' : exitCode === 0 ? 'ok' : 'failed';
  return {
    status,
    exit_code: timedOut ? null : exitCode,
    ...(plan.isWithheld
      ? { output: '', truncated: output !== '', output_withheld: true as const }
      : await shownOutput(redact(output).text, plan, isCut, around.ownFolder)),
    duration_seconds: Math.round(durationMs / 10) / 100,
    ...(refused.length > 0 && { refused_paths: refused }),
    ...(login && { login_command: login }),
    ...(notes.length > 0 && { notes }),
  };
}

/** As much of the output as an answer takes; the rest goes to a file. Of an approved command it is the end. */
async function shownOutput(text: string, plan: CommandPlan, isCut: boolean, ownFolder: string) {
  const kept = text.slice(0, MOST_OUTPUT).toWellFormed();
  const shown = plan.asks === undefined ? beginning(kept) : text.slice(-MOST_APPROVED).toWellFormed();
  if (shown.length === text.length) return { output: shown, truncated: isCut };
  const folder = join(ownFolder, 'command-output');
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}.txt`;
  await writeFileAtomic(join(folder, name), kept);
  const names = (await readdir(folder)).sort();
  await Promise.all(names.slice(0, -KEPT_OUTPUTS).map((old) => rm(join(folder, old), { force: true })));
  const next = plan.asks === undefined ? shown.split('\n').length : 1;
  return { output: shown, truncated: true, output_file: join(folder, name), next_start_line: next };
}

/** As many whole lines as an answer takes. */
function beginning(text: string): string {
  const cut = cutText(text, PAGE);
  return cut.length === text.length ? text : cut.slice(0, cut.lastIndexOf('\n') + 1) || cut;
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
