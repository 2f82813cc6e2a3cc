import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { findProgram, runCommand } from './command.ts';
import { interrupted } from './interrupted.ts';
import { type Opening, ownProfile, sayHowToAsk } from './profile.ts';

/**
 * The desktop's `code` command, or undefined. Inside a remote window's terminal a command of that name drives the
 * remote window and knows no profiles, so it does not count.
 */
export function desktopEditor(): string | undefined {
  return process.env.VSCODE_IPC_HOOK_CLI ? undefined : findProgram('code');
}

/** Installs Loci and opens the folder in VS Code, in the person's own (`here`) or in a profile apart; ends with the window. */
export async function openDesktop(code: string, opening: Opening, here: boolean): Promise<void> {
  const own = here ? undefined : await ownProfile('desktop', opening);
  const place = own ? ['--user-data-dir', own.userData, '--extensions-dir', own.extensions] : [];
  console.log(`Installing Loci into ${own ? 'a VS Code profile of its own (--here for yours)' : 'your VS Code'} ...`);
  const installed = await runCommand(code, [...place, '--install-extension', opening.vsix, '--force']);
  if (installed.code !== 0) throw refused(`VS Code refused the extension:\n${installed.output.trim()}`);
  console.log(`Opening ${opening.folder}. Close the window, or press Ctrl-C, to end.`);
  sayHowToAsk();
  const stopped = interrupted();
  const ended = await Promise.race([runCommand(code, [...place, '--new-window', '--wait', opening.folder]), stopped]);
  if (ended === 'interrupted') {
    if (own) await endEditor(own.userData);
  } else if (ended.code !== 0) throw refused(`VS Code did not open:\n${ended.output.trim()}`);
}

function refused(message: string): UserError {
  return new UserError('no_desktop', message, 'Try the editor in the browser: npm start -- --browser');
}

/** VS Code writes the id of its main process into its user data folder while it runs. */
async function endEditor(userData: string): Promise<void> {
  try {
    process.kill(Number(await readFile(join(userData, 'code.lock'), 'utf8')), 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}
