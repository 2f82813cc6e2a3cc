import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { type CommandOptions, findProgram, runCommand } from './command.ts';
import { cacheFolder, root } from './root.ts';

/** VS Code 1.139.1 as a web server, with GitHub's Copilot extension 0.67.0. */
const version = '4.139.1';

/** The native modules that the server loads; the others of its install are for things Loci does not use. */
const natives = ['node-pty', '@vscode/spdlog', '@vscode/native-watchdog', '@vscode/fs-copyfile', '@parcel/watcher'];

/**
 * Path of code-server's entry script, to be run by the project's Node. The first call on a machine installs it into the
 * cache folder in one to three minutes, saying so. Throws a UserError that names what is missing.
 */
export async function codeServer(): Promise<string> {
  const folder = join(cacheFolder(), `code-server-${version}`);
  const entry = join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
  if (existsSync(entry)) return entry;
  checkBuildTools();
  console.log(`Installing code-server ${version} into ${folder} (once, one to three minutes) ...`);
  await mkdir(cacheFolder(), { recursive: true });
  // Built aside and renamed when whole, so that an install broken off, or a second one, does no harm.
  const aside = await mkdtemp(join(cacheFolder(), 'installing-'));
  try {
    await install(aside);
    await rename(aside, folder).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(entry)) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return entry;
}

function checkBuildTools(): void {
  if (process.platform === 'win32') {
    throw new UserError(
      'no_code_server',
      'The editor in the browser does not run on Windows.',
      'Install VS Code with its "code" command and run this again.',
    );
  }
  const missing = [
    ...(findProgram('python3') ? [] : ['python3']),
    ...(findProgram('make') ? [] : ['make']),
    ...(findProgram('g++', 'c++', 'clang++') ? [] : ['g++']),
  ];
  if (missing.length === 0) return;
  throw new UserError(
    'no_build_tools',
    `code-server compiles a few small modules, and this machine has no ${missing.join(', no ')}.`,
    process.platform === 'darwin'
      ? 'Run "xcode-select --install", or install VS Code with its "code" command, and run this again.'
      : `Install them (on Debian or Ubuntu: sudo apt-get install ${missing.join(' ')}), or install VS Code with its "code" command, and run this again.`,
  );
}

async function install(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const headers = await nodeHeaders();
  const env = headers === undefined ? {} : { npm_config_nodedir: headers };
  await npm(['install', `code-server@${version}`, '--ignore-scripts'], {
    cwd: folder,
    env,
    meanwhile: 'downloading code-server',
  });
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  await npm(['install', '--omit=dev', '--ignore-scripts'], { cwd: vscode, env, meanwhile: 'downloading its parts' });
  await npm(['rebuild', ...natives, '--foreground-scripts'], {
    cwd: vscode,
    env,
    meanwhile: 'compiling its native modules',
  });
}

async function npm(args: readonly string[], options: CommandOptions): Promise<void> {
  const { code, output } = await runCommand('npm', [...args, '--no-audit', '--no-fund'], options);
  if (code === 0) return;
  console.error(output);
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT/.test(output);
  throw new UserError(
    'code_server_failed',
    `code-server could not be installed: "npm ${args.slice(0, 2).join(' ')}" ended with code ${code}.`,
    offline
      ? 'The npm registry cannot be reached: check the network and run this again.'
      : 'What npm printed above says why.',
  );
}

/** The C headers of the Node that will run the server; they come in the same npm package as its binary. */
async function nodeHeaders(): Promise<string | undefined> {
  const packages = join(root, 'node_modules', 'node', 'node_modules');
  const names = existsSync(packages) ? await readdir(packages) : [];
  return names
    .map((name) => join(packages, name))
    .find((folder) => existsSync(join(folder, 'include', 'node', 'node.h')));
}
