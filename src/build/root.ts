import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Absolute path of the project's folder. */
export const root = join(import.meta.dirname, '..', '..');

/** Folder outside the clone for what is downloaded or built once: `LOCI_CACHE`, or `loci` in the user's cache folder. */
export function cacheFolder(): string {
  const { LOCI_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (LOCI_CACHE) return resolve(LOCI_CACHE);
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'loci', 'cache');
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'loci');
}
