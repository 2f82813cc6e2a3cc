import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { isInside, toPosix } from '../../util/paths.ts';
import { scan } from '../../util/scan.ts';
import type { FoundPackages, InstalledPackage, MissingPackage } from './package.ts';

const Names = z.record(z.string(), z.unknown()).catch({});
const Manifest = z.object({
  name: z.string().catch(''),
  version: z.string().catch(''),
  dependencies: Names.default({}),
  devDependencies: Names.default({}),
  optionalDependencies: Names.default({}),
  peerDependencies: Names.default({}),
});

const PACKAGE_NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;
const MOST_MANIFESTS = 500;

/** The direct dependencies of every package.json of a workspace folder, as they are installed in node_modules. */
export async function npmPackages(workspace: string, signal?: AbortSignal): Promise<FoundPackages> {
  const root = await realpath(workspace);
  const options = { root, exclude: [], maxBytes: 1_000_000 };
  const { files } = await scan(options, (path) => /(?:^|\/)package\.json$/.test(path), signal);
  const packages = new Map<string, InstalledPackage>();
  const missing = new Map<string, MissingPackage>();
  for (const { path } of files.slice(0, MOST_MANIFESTS)) {
    const manifest = await readManifest(join(root, path));
    if (!manifest) continue;
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
    const names = new Set(
      [dependencies, devDependencies, optionalDependencies, peerDependencies].flatMap((part) => Object.keys(part)),
    );
    for (const name of names) {
      if (!PACKAGE_NAME.test(name)) continue;
      const found = await installed(root, dirname(join(root, path)), name);
      if (found) packages.set(`${name}@${found.version}`, found);
      else if (!(name in peerDependencies) && !(name in optionalDependencies))
        missing.set(name, { name, wantedBy: path });
    }
  }
  return { packages: [...packages.values()], missing: [...missing.values()] };
}

/** Looks as Node does: in the package's own node_modules, then in those of the folders above, up to the workspace. */
async function installed(root: string, from: string, name: string): Promise<InstalledPackage | undefined> {
  for (let folder = from; isInside(root, folder); folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    const manifest = await readManifest(join(path, 'package.json'));
    if (manifest) {
      const real = await realpath(path);
      // A link to a package of the workspace itself, whose documents are in the workspace's base already.
      const own = isInside(root, real) && !toPosix(relative(root, real)).split('/').includes('node_modules');
      return own ? undefined : { ecosystem: 'npm', name, version: manifest.version || '0.0.0', folder: real };
    }
    if (folder === dirname(folder)) break;
  }
  return undefined;
}

async function readManifest(path: string): Promise<z.output<typeof Manifest> | undefined> {
  try {
    return Manifest.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
