import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isInside } from '../util/paths.ts';
import type { Closed } from './closed.ts';
import { Refusal } from './refusal.ts';

/** Folders of the system: a command that writes does not start there. */
const SYSTEM_FOLDERS = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys', '/usr', '/run'],
  ...['/System', '/Library', '/private/etc', '/Applications'],
];

/**
 * The real path of the folder a command may run in. Throws `Refusal` for the home folder and those above it, hidden folders,
 * `~/Library`, folders of the system and closed ones.
 */
export async function workingFolder(given: string, home: string, closed: Closed): Promise<string> {
  if (!isAbsolute(given)) {
    throw new Refusal('refused', `working_directory "${given}" is not absolute.`, 'Pass an absolute path.');
  }
  const folder = await realpath(given).catch(() => undefined);
  if (folder === undefined || !(await stat(folder)).isDirectory()) {
    throw new Refusal('refused', `working_directory ${given} is no folder.`, 'Pass a folder that exists.');
  }
  const realHome = await realpath(home).catch(() => home);
  const why = reasonAgainst(folder, realHome, closed);
  if (why !== undefined) {
    throw new Refusal(
      'refused',
      `working_directory ${folder} is ${why}.`,
      'Pass the folder of a project or repository.',
    );
  }
  return folder;
}

function reasonAgainst(folder: string, home: string, closed: Closed): string | undefined {
  if (isInside(folder, home)) return folder === home ? 'the home folder itself' : 'above the home folder';
  if (isInside(join(home, 'Library'), folder)) return 'in ~/Library';
  if (SYSTEM_FOLDERS.some((system) => isInside(system, folder))) return 'a folder of the system';
  const below = isInside(home, folder) ? relative(home, folder) : folder;
  if (below.split(sep).some((name) => name.startsWith('.'))) return 'a hidden folder or inside one';
  return closed.reason(folder);
}
