import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundPackages, InstalledPackage } from './package.ts';

const ENVIRONMENTS = ['.venv', 'venv', 'env'];

/**
 * The packages of a workspace folder's own virtual environment: those that were asked for by name, where the installer
 * noted it, else all.
 */
export async function pythonPackages(workspace: string): Promise<FoundPackages> {
  const packages: InstalledPackage[] = [];
  for (const site of await sitePackages(workspace)) {
    const entries = (await readdir(site).catch(() => [])).filter((name) => name.endsWith('.dist-info'));
    const all = await Promise.all(
      entries.map(async (entry) => {
        const folder = join(site, entry);
        const head = (await readFile(join(folder, 'METADATA'), 'utf8').catch(() => '')).split(/\r?\n\r?\n/, 1)[0]!;
        const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.+)$`, 'im').exec(head)?.[1]?.trim();
        const [name, version] = [field('Name'), field('Version')];
        const requested = await exists(join(folder, 'REQUESTED'));
        return name && version ? [{ requested, found: { ecosystem: 'python' as const, name, version, folder } }] : [];
      }),
    );
    const noted = all.flat().some(({ requested }) => requested);
    packages.push(...all.flat().flatMap(({ requested, found }) => (requested || !noted ? [found] : [])));
  }
  return { packages, missing: [] };
}

async function sitePackages(workspace: string): Promise<string[]> {
  const found: string[] = [];
  for (const environment of ENVIRONMENTS) {
    const home = join(workspace, environment);
    if (!(await exists(join(home, 'pyvenv.cfg')))) continue;
    const versions = await readdir(join(home, 'lib')).catch(() => []);
    const unix = versions
      .filter((name) => name.startsWith('python'))
      .map((name) => join(home, 'lib', name, 'site-packages'));
    for (const path of [...unix, join(home, 'Lib', 'site-packages')]) if (await exists(path)) found.push(path);
  }
  return [...new Set(found)];
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
