import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { codeServer } from './code-server.ts';
import { runCommand } from './command.ts';

export interface EditorServerOptions {
  /** Folder of the editor's settings and state. */
  readonly userData: string;
  readonly extensions: string;
  /** VSIX files to install before the start. */
  readonly install: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Takes what the server prints. */
  readonly log: (text: string) => void;
}

export interface EditorServer {
  /** Address without a trailing slash. */
  readonly url: string;
  /** Resolves with the exit code when the server ends by itself. */
  readonly ended: Promise<number>;
  /** Ends the server and all it started. */
  stop(): Promise<void>;
}

const patience = 120_000;

/** Serves VS Code to browsers of this machine, on a free port. Throws a UserError with the output when it does not start. */
export async function startEditorServer(options: EditorServerOptions): Promise<EditorServer> {
  const entry = await codeServer();
  const shared = [
    '--user-data-dir',
    options.userData,
    '--extensions-dir',
    options.extensions,
    '--disable-telemetry',
    '--disable-update-check',
    // Not the configuration of a code-server that the person may run besides.
    '--config',
    join(options.userData, 'code-server.yaml'),
  ];
  const env = { ...withoutForeign(process.env), ...options.env };
  if (options.install.length > 0) {
    const wanted = options.install.flatMap((vsix) => ['--install-extension', vsix]);
    const { code, output } = await runCommand(process.execPath, [entry, ...shared, ...wanted], { env });
    options.log(output);
    if (code !== 0)
      throw new UserError(
        'install_failed',
        `The editor refused the extension: ${output.trim()}`,
        'Look at what it says of the VSIX.',
      );
  }
  const child = spawn(process.execPath, [entry, ...shared, '--auth', 'none', '--bind-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, because its extension hosts and terminals must end with it.
    detached: true,
    env: { ...process.env, ...env },
  });
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  const stop = () => stopGroup(child, ended);
  const endWithProcess = () => signalGroup(child, 'SIGKILL');
  process.once('exit', endWithProcess);
  void ended.then(() => process.off('exit', endWithProcess));
  try {
    return { url: await listening(child, ended, options.log), ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Unsets what would make code-server listen elsewhere, ask for a password, sign in or open in the window it is called from. */
function withoutForeign(environment: NodeJS.ProcessEnv): Record<string, undefined> {
  const foreign = /^(VSCODE_|CODE_SERVER_|ELECTRON_)|^(PORT|PASSWORD|HASHED_PASSWORD|GITHUB_TOKEN)$/;
  const names = Object.keys(environment).filter((name) => foreign.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

function listening(child: ChildProcess, ended: Promise<number>, log: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const give = (reason: string) =>
      reject(
        new UserError(
          'no_editor',
          `code-server ${reason}. It printed:\n${printed.slice(-4_000)}`,
          'Run this again; if it stays so, remove its folder in the cache to install it anew.',
        ),
      );
    const timer = setTimeout(() => give(`did not start within ${patience / 1000} seconds`), patience);
    const read = (data: Buffer) => {
      log(data.toString());
      printed = (printed + data.toString()).slice(-20_000);
      const url = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(printed)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void ended.then((code) => {
      clearTimeout(timer);
      give(`ended with code ${code}`);
    });
  });
}

async function stopGroup(child: ChildProcess, ended: Promise<number>): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}
