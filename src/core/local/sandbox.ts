import { randomBytes } from 'node:crypto';
import { access, chmod, constants } from 'node:fs/promises';
import type { SandboxManager as Manager } from '@anthropic-ai/sandbox-runtime';
import { isInternetHost } from './network.ts';
import { Refusal } from './refusal.ts';
import { type Finished, runProcess } from './run-process.ts';
import { quote } from './shell/parse.ts';
import { createTurns } from './turns.ts';

/** Which connections a command may make: none, to the hosts named, or to any on the internet. */
export type Reach = 'none' | 'internet' | readonly string[];

export interface SandboxedCommand {
  /** For `bash -c`. */
  readonly source: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files and folders that exist and cannot be read. */
  readonly unreadable: readonly string[];
  /** Files and folders that exist and may be written; nothing else can be. */
  readonly writable: readonly string[];
  readonly reach: Reach;
  readonly timeoutMs: number;
}

/** Longest the first, empty command may take, in milliseconds. */
const TRY_MS = 10_000;

/** Places that the sandbox would leave writable by itself. */
const UNASKED_WRITES = ['/tmp/claude', '/private/tmp/claude', '~/.npm/_logs', '~/.claude/debug'];

/**
 * The operating system's sandbox: bubblewrap on Linux, Seatbelt on macOS. It is started with the first command and lives
 * until `close`. A command that cannot be confined is not run.
 */
export function createSandbox() {
  let starting: Promise<typeof Manager> | undefined;
  let open = 0;
  const inTurn = createTurns<'named' | 'internet'>();

  const manager = () => {
    starting ??= start((host) => open > 0 && isInternetHost(host)).catch((error) => {
      starting = undefined;
      throw error;
    });
    return starting;
  };

  const run = async (command: SandboxedCommand, signal?: AbortSignal): Promise<Finished> => {
    const sandbox = await manager();
    const { folder, env, unreadable, writable, reach, timeoutMs } = command;
    const commandId = randomBytes(16).toString('base64url');
    const filesystem = {
      denyRead: unreadable.map(literal),
      allowWrite: writable.map(literal),
      denyWrite: UNASKED_WRITES.filter((path) => !writable.includes(path)),
      allowGitConfig: true,
    };
    const wrapped = await sandbox.wrapWithSandbox(inner(command), '/bin/bash', { filesystem }, signal, { commandId });
    if (typeof reach === 'object') sandbox.registerCommandNetworkLists(commandId, { allowedDomains: [...reach] });
    if (reach === 'internet') open++;
    try {
      return await runProcess('/bin/bash', ['-c', wrapped], { folder, env, timeoutMs }, signal);
    } finally {
      if (reach === 'internet') open--;
      sandbox.unregisterCommandNetworkLists(commandId);
      sandbox.cleanupAfterCommand();
    }
  };

  return {
    /** Throws `Refusal` `unavailable` where commands cannot be confined, with what to install. */
    async check(): Promise<void> {
      await manager();
    },
    /**
     * Runs a command. The proxy tells commands apart only by the hosts registered for them, so one that may reach any host
     * does not run beside one that may not.
     */
    async run(command: SandboxedCommand, signal?: AbortSignal): Promise<Finished> {
      if (command.reach === 'none') return run(command, signal);
      return inTurn(command.reach === 'internet' ? 'internet' : 'named', () => run(command, signal), signal);
    },
    async close(): Promise<void> {
      const sandbox = await starting?.catch(() => undefined);
      starting = undefined;
      await sandbox?.reset();
    },
  };
}

export type Sandbox = ReturnType<typeof createSandbox>;

function literal(path: string) {
  return { path, literal: true as const };
}

/** The command with its own variables alone: without network, not even the proxy's address and password are among them. */
function inner({ source, env, reach }: SandboxedCommand): string {
  const bash = `/bin/bash -c ${quote(source)}`;
  if (reach !== 'none') return `TMPDIR=${quote(env.TMPDIR!)} exec ${bash}`;
  const variables = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
  return `exec /usr/bin/env -i ${variables.join(' ')} ${bash}`;
}

async function start(isAllowed: (host: string) => boolean): Promise<typeof Manager> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') {
    throw unavailable('There is no sandbox for commands on this system.', 'Open the folder in WSL or a dev container.');
  }
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
  const { errors } = await SandboxManager.checkDependenciesAsync();
  if (errors.length > 0) throw unavailable(`The sandbox lacks what it needs: ${errors.join('; ')}.`, howToInstall());
  await makeExecutable();
  try {
    await SandboxManager.initialize(
      {
        network: { allowedDomains: [], deniedDomains: ['localhost'] },
        filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
        mandatoryDenySearchDepth: 1,
      },
      async ({ host }) => isAllowed(host),
    );
  } catch (error) {
    throw unavailable(`The sandbox does not start: ${(error as Error).message}`, howToInstall());
  }
  const problem = await tryOut(SandboxManager);
  if (problem === undefined) return SandboxManager;
  await SandboxManager.reset();
  throw unavailable(`The sandbox does not work: ${problem}`, howToInstall());
}

/** What goes wrong when nothing at all is run: a kernel that forbids user namespaces shows only then. */
async function tryOut(sandbox: typeof Manager): Promise<string | undefined> {
  const wrapped = await sandbox.wrapWithSandbox('exit 0', '/bin/bash');
  const options = { folder: '/', env: { PATH: process.env.PATH ?? '' }, timeoutMs: TRY_MS };
  const { exitCode, output } = await runProcess('/bin/bash', ['-c', wrapped], options);
  sandbox.cleanupAfterCommand();
  return exitCode === 0 ? undefined : output.split('\n', 1)[0]!.slice(0, 300) || `exit code ${exitCode}`;
}

function unavailable(message: string, next: string): Refusal {
  return new Refusal('unavailable', message, `${next} Commands are never run outside the sandbox.`);
}

function howToInstall(): string {
  return process.platform === 'darwin'
    ? 'Ask the person to check that sandbox-exec is there.'
    : 'Ask the person to install bubblewrap, socat and ripgrep (on Debian or Ubuntu: sudo apt-get install bubblewrap socat ripgrep) and to allow user namespaces.';
}

/** An installed extension's files may have lost their mode. */
async function makeExecutable(): Promise<void> {
  const helper = new URL(`./vendor/seccomp/${process.arch}/apply-seccomp`, import.meta.url);
  const isThere = await access(helper).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  await access(helper, constants.X_OK).catch(() => chmod(helper, 0o755));
}
