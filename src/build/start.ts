import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../core/errors.ts';
import { findProgram, runCommand } from './command.ts';
import { startEditorServer } from './editor-server.ts';
import { bundle, packageVsix } from './package.ts';
import { cacheFolder, root } from './root.ts';

const usage = `npm start [-- [FOLDER] [--here] [--browser]]
  FOLDER     the folder to open; without it a copy of the sample workspace
  --here     install Loci into your own VS Code, not into a profile of its own
  --browser  use the editor in the browser even where VS Code is installed`;

const settings = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  // With this Copilot's chat can be set up without an account, for people who bring their own model.
  'chat.allowAnonymousAccess': true,
};

async function main(): Promise<void> {
  const { values, positionals } = options();
  if (values.help) return console.log(usage);
  const folder = positionals[0] === undefined ? await sampleWorkspace() : await existingFolder(positionals[0]);
  console.log('Bundling the extension ...');
  await bundle();
  console.log('Packaging it ...');
  const vsix = await packageVsix();
  const code = values.browser ? undefined : desktopEditor();
  await (code === undefined ? inBrowser(vsix, folder) : onDesktop(code, vsix, folder, values.here));
}

/** The desktop's `code`; inside a remote window's terminal that command drives the remote window and knows no profiles. */
function desktopEditor(): string | undefined {
  const code = process.env.VSCODE_IPC_HOOK_CLI ? undefined : findProgram('code');
  if (code === undefined) console.log('VS Code\'s "code" command is not here, so the editor will open in the browser.');
  return code;
}

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        here: { type: 'boolean', default: false },
        browser: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UserError('usage', (error as Error).message, usage);
  }
}

async function existingFolder(given: string): Promise<string> {
  const folder = resolve(process.env.INIT_CWD ?? '.', given);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new UserError(
      'no_folder',
      `There is no folder ${folder}.`,
      'Name one that exists, or none for the sample workspace.',
    );
  return folder;
}

/** A copy in the cache folder, made once, so that what a person edits stays theirs and the clone stays clean. */
async function sampleWorkspace(): Promise<string> {
  const copy = join(cacheFolder(), 'sample-workspace');
  if (!(await stat(copy).catch(() => undefined))) {
    await cp(join(root, 'test', 'fixtures', 'sample-workspace'), copy, { recursive: true });
  }
  console.log(`Sample workspace: ${copy} (a copy: edit as you like, remove it to start afresh)`);
  return copy;
}

/** Folders of an editor that is Loci's alone, so that nobody's own editor changes by a try. */
async function profile(name: string): Promise<{ userData: string; extensions: string }> {
  const userData = join(cacheFolder(), name, 'user-data');
  await mkdir(join(userData, 'User'), { recursive: true });
  const file = join(userData, 'User', 'settings.json');
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' }).catch(() => {
    // Settings of an earlier start are the person's.
  });
  return { userData, extensions: join(cacheFolder(), name, 'extensions') };
}

async function onDesktop(code: string, vsix: string, folder: string, here: boolean): Promise<void> {
  const { userData, extensions } = here ? { userData: '', extensions: '' } : await profile('desktop');
  const own = here ? [] : ['--user-data-dir', userData, '--extensions-dir', extensions];
  console.log(
    here
      ? 'Installing Loci into your VS Code ...'
      : 'Installing Loci into a VS Code profile of its own (--here for yours) ...',
  );
  const { code: exit, output } = await runCommand(code, [...own, '--install-extension', vsix, '--force']);
  if (exit !== 0)
    throw new UserError(
      'install_failed',
      `VS Code refused the extension:\n${output.trim()}`,
      'Try "npm start -- --browser".',
    );
  console.log(`Opening ${folder}. Close the window, or press Ctrl-C, to end.`);
  sayHowToAsk();
  const opened = runCommand(code, [...own, '--new-window', '--wait', folder]);
  await Promise.race([opened, interrupted()]);
  if (!here) await endDesktop(userData);
}

/** VS Code writes the id of its main process into its user data folder while it runs. */
async function endDesktop(userData: string): Promise<void> {
  try {
    process.kill(Number(await readFile(join(userData, 'code.lock'), 'utf8')), 'SIGTERM');
  } catch {
    // It has ended.
  }
}

async function inBrowser(vsix: string, folder: string): Promise<void> {
  const { userData, extensions } = await profile('browser');
  const log = join(cacheFolder(), 'browser', 'server.log');
  await rm(log, { force: true });
  console.log('Starting the editor ...');
  const stopped = interrupted();
  const server = await startEditorServer({
    userData,
    extensions,
    install: [vsix],
    log: (text) => void writeFile(log, text, { flag: 'a' }),
  });
  const url = `${server.url}/?folder=${encodeURIComponent(folder)}`;
  console.log(`\n  ${url}\n`);
  console.log('Only this machine can reach it. Press Ctrl-C to end.');
  sayHowToAsk();
  await openInBrowser(url);
  const code = await Promise.race([stopped, server.ended]);
  await server.stop();
  if (code !== undefined)
    throw new UserError(
      'editor_ended',
      `The editor ended by itself with code ${code}.`,
      `See ${log} and run this again.`,
    );
  console.log('\nEnded.');
}

function sayHowToAsk(): void {
  console.log(
    'Open the chat (Ctrl+Alt+I), choose Agent, sign in or add a model of your own, and ask about the workspace.',
  );
}

async function openInBrowser(url: string): Promise<void> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const opener =
    process.platform === 'darwin'
      ? findProgram('open')
      : DISPLAY || WAYLAND_DISPLAY
        ? findProgram('xdg-open')
        : undefined;
  if (opener === undefined) return console.log('Open the address above in a browser.');
  const { code } = await runCommand(opener, [url]);
  if (code !== 0) console.log('No browser could be opened; open the address above yourself.');
}

/** Resolves when the person ends the run; from its call on a signal no longer ends the process at once. */
function interrupted(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(undefined));
  });
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(`\nloci: ${error.message}\n${error.next}`);
  process.exit(1);
}
