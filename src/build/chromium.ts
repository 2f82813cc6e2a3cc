import { existsSync } from 'node:fs';
import { UserError } from '../core/errors.ts';
import { installByApt } from './apt.ts';
import { findProgram } from './command.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'chrome'];
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Path of a Chromium-like browser: `LOCI_CHROMIUM`, or one found on the machine. Where apt is there and this is root (a
 * build machine), a missing one is installed. Throws a UserError that says what to install.
 */
export async function chromium(): Promise<string> {
  const found = process.env.LOCI_CHROMIUM || findProgram(...names) || applications.find((path) => existsSync(path));
  if (found) return found;
  await installByApt('Chromium for the editor tests (once, about a minute)', ['chromium']);
  const installed = findProgram(...names);
  if (installed) return installed;
  throw new UserError(
    'no_browser',
    'No Chromium or Chrome was found.',
    'Install one (on Debian: sudo apt-get install chromium), or name it in LOCI_CHROMIUM.',
  );
}
