import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorText } from '../../errors.ts';
import type { WorkspaceFolder } from '../../host.ts';
import { isAbort } from '../../util/abort.ts';
import { sha256 } from '../../util/hash.ts';
import { type Coverage, coveragePage } from './coverage.ts';
import { type Gathered, gather } from './gather.ts';
import { npmPackages } from './npm-packages.ts';
import { folderOf, type InstalledPackage, type MissingPackage } from './package.ts';
import { pythonPackages } from './python-packages.ts';

export interface DependenciesConfig {
  readonly enabled: boolean;
  readonly storage: string;
  readonly folders: readonly WorkspaceFolder[];
}

export interface DependenciesOptions {
  /** Told when documents were gathered or removed, to look at the base again; resolves when that is done. */
  changed(): Promise<void>;
  log(message: string): void;
}

const MOST_PACKAGES = 1000;
/** Files whose change tells that dependencies were installed or removed. */
const MANIFESTS =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|requirements[\w.-]*\.txt|pyproject\.toml|uv\.lock|poetry\.lock)$/;

/**
 * Documentation of the workspace's installed dependencies at their exact versions, gathered as files of a knowledge
 * base.
 */
export function createDependencies({ changed, log }: DependenciesOptions) {
  const life = new AbortController();
  let config: DependenciesConfig | undefined;
  let running: Promise<void> | undefined;
  let again = false;

  const home = ({ storage, folders }: DependenciesConfig) =>
    join(storage, 'dependencies', sha256(folders.map(({ path }) => path).join('\0')).slice(0, 16));

  const bring = async (now: DependenciesConfig): Promise<void> => {
    const root = home(now);
    const found = await Promise.all(
      now.folders.flatMap(({ path }) => [npmPackages(path, life.signal), pythonPackages(path)]),
    );
    const packages = new Map<string, InstalledPackage>();
    const missing: MissingPackage[] = [];
    for (const one of found) {
      for (const each of one.packages) packages.set(folderOf(each), each);
      missing.push(...one.missing);
    }
    const kept = [...packages].slice(0, MOST_PACKAGES);
    const covered: Coverage[] = [];
    for (const [folder, each] of kept) {
      const target = join(root, folder);
      try {
        const gathered = (await gatheredBefore(target)) ?? (await gather(each, target, life.signal));
        covered.push({ ...each, ...gathered });
      } catch (error) {
        if (isAbort(error)) throw error;
        log(`The documents of ${each.name} ${each.version} cannot be gathered: ${errorText(error)}`);
      }
    }
    await removeOthers(root, new Set(kept.map(([folder]) => folder)));
    await writeFile(join(root, 'README.md'), coveragePage(covered, missing, packages.size - kept.length));
    await changed();
  };

  const refresh = (): void => {
    if (!config?.enabled || config.folders.length === 0 || life.signal.aborted) return;
    if (running) {
      again = true;
      return;
    }
    again = false;
    running = bring(config)
      .catch((error) => {
        if (!isAbort(error)) log(`The dependencies' documents cannot be gathered: ${errorText(error)}`);
      })
      .finally(() => {
        running = undefined;
        if (again) refresh();
      });
  };

  return {
    /** Gathers in the background what is not gathered yet. */
    async configure(next: DependenciesConfig): Promise<void> {
      config = next;
      if (next.enabled && next.folders.length > 0) await mkdir(home(next), { recursive: true });
      refresh();
    },
    /** The knowledge base to open, if the setting is on. */
    bases(maxBytes: number) {
      if (!config?.enabled || config.folders.length === 0) return [];
      return [{ id: 'dependencies', name: 'dependencies', root: home(config), exclude: [], maxBytes }];
    },
    /** Looks again when one of these files tells of other dependencies. */
    noteChanges(paths: readonly string[]): void {
      if (paths.some((path) => MANIFESTS.test(basename(path)))) refresh();
    },
    /** Resolves when nothing is being gathered. */
    async settled(): Promise<void> {
      while (running) await running;
    },
    close: () => life.abort(),
  };
}

async function gatheredBefore(target: string): Promise<Gathered | undefined> {
  try {
    return JSON.parse(await readFile(join(target, '.gathered.json'), 'utf8')) as Gathered;
  } catch {
    return undefined;
  }
}

/** Takes away the packages that are no longer installed; scopes of npm lie one folder deeper. */
async function removeOthers(root: string, kept: ReadonlySet<string>): Promise<void> {
  for (const ecosystem of ['npm', 'python']) {
    for (const name of await readdir(join(root, ecosystem)).catch(() => [])) {
      const inside = name.startsWith('@') && !name.slice(1).includes('@');
      const folders = inside
        ? (await readdir(join(root, ecosystem, name)).catch(() => [])).map((inner) => `${ecosystem}/${name}/${inner}`)
        : [`${ecosystem}/${name}`];
      for (const folder of folders) {
        if (!kept.has(folder)) await rm(join(root, folder), { recursive: true, force: true });
      }
    }
  }
}
