import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { findProgram, runCommand } from './command.ts';
import { startEditorServer } from './editor-server.ts';
import { interrupted } from './interrupted.ts';
import { type Opening, ownProfile, sayHowToAsk } from './profile.ts';

/** Serves VS Code with Loci from this machine and opens the folder in the system's browser; ends when interrupted. */
export async function openBrowser(opening: Opening): Promise<void> {
  const profile = await ownProfile('browser', opening);
  const logFile = join(profile.userData, 'server.log');
  await rm(logFile, { force: true });
  const stopped = interrupted();
  console.log('Starting the editor ...');
  const log = (text: string) => void appendFile(logFile, text);
  const server = await startEditorServer({ ...profile, install: [opening.vsix], log });
  const url = `${server.url}/?folder=${encodeURIComponent(opening.folder)}`;
  console.log(`\n  ${url}\n\nOnly this machine can reach it. Press Ctrl-C to end.`);
  sayHowToAsk();
  await showInBrowser(url);
  const end = await Promise.race([stopped, server.ended]);
  await server.stop();
  if (end !== 'interrupted') {
    throw new UserError('editor_ended', `The editor ended by itself with code ${end}.`, `See ${logFile}.`);
  }
  console.log('\nEnded.');
}

async function showInBrowser(url: string): Promise<void> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const screen = process.platform === 'darwin' || DISPLAY || WAYLAND_DISPLAY;
  const opener = screen ? findProgram(process.platform === 'darwin' ? 'open' : 'xdg-open') : undefined;
  const opened = opener !== undefined && (await runCommand(opener, [url])).code === 0;
  if (!opened) console.log('Open the address above in a browser.');
}
