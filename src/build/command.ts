import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UserError } from '../core/errors.ts';

export interface CommandOptions {
  readonly cwd?: string;
  /** Added to this process's environment; undefined takes a variable out of it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** True shows the command's output as it comes; otherwise it is only returned. */
  readonly show?: boolean;
  /** Said again with the seconds passed, every 20 seconds that the command runs. */
  readonly meanwhile?: string;
}

export interface CommandResult {
  /** Exit code; 1 when a signal ended it. */
  readonly code: number;
  /** Standard output and error as they came, the last megabyte of them. */
  readonly output: string;
}

/** Runs a program to its end without standard input. Throws a UserError only when it cannot be started at all. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm and code are .cmd files on Windows, which only a shell runs.
      shell: process.platform === 'win32' && !command.endsWith('.exe'),
    });
    const started = Date.now();
    const sign = setInterval(() => {
      if (options.meanwhile) console.log(`  ${options.meanwhile}, ${Math.round((Date.now() - started) / 1000)} s`);
    }, 20_000);
    let output = '';
    const take = (to: NodeJS.WriteStream) => (data: Buffer) => {
      output = (output + data.toString()).slice(-1_000_000);
      if (options.show) to.write(data);
    };
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    child.on('error', (error) => {
      clearInterval(sign);
      reject(
        new UserError(
          'command_missing',
          `Cannot run ${command}: ${error.message}.`,
          `Install ${command} and put it on PATH.`,
        ),
      );
    });
    child.on('close', (code) => {
      clearInterval(sign);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Absolute path of the first of these programs found on PATH. */
export function findProgram(...names: readonly string[]): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      for (const ending of endings) {
        const path = join(folder, name + ending);
        try {
          accessSync(path, constants.X_OK);
          return path;
        } catch {
          // Not in this folder.
        }
      }
    }
  }
  return undefined;
}
