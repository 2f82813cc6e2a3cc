import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Downloads a Debian package with `apt-get download` and unpacks it, once. Gives its folder. */
export function fetchDebian(name: string, cache: string): string {
  return once(join(cache, 'debian', name), (folder) => {
    const download = `${folder}.download`;
    emptyFolder(download);
    execFileSync('apt-get', ['download', '-qq', name], { cwd: download, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync('dpkg-deb', ['-x', join(download, onlyFile(download)), folder]);
    // The sources of the JDK come as an archive within the package.
    for (const archive of findArchives(folder)) {
      execFileSync('unzip', ['-qo', archive, ...JDK_MODULES, '-d', join(dirname(archive), 'src-unzipped')]);
    }
    rmSync(download, { recursive: true });
  });
}

/** Downloads an npm package (`name@version`) with `npm pack` and unpacks it, once. Gives its folder. */
export function fetchNpm(spec: string, cache: string): string {
  return once(join(cache, 'npm', npmFolder(spec)), (folder) => {
    const download = `${folder}.download`;
    emptyFolder(download);
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', spec], {
      cwd: download,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    emptyFolder(folder);
    execFileSync('tar', ['-xzf', join(download, onlyFile(download)), '-C', folder, '--no-same-owner']);
    rmSync(download, { recursive: true });
  });
}

const JDK_MODULES = ['java.base', 'java.sql', 'java.net.http', 'java.desktop', 'java.xml', 'java.logging'].map(
  (module) => `${module}/*`,
);

/** `@scope/name@1.0.0` as the tarball of `npm pack` is called: `scope-name-1.0.0`. */
function npmFolder(spec: string): string {
  return spec.replace(/^@/, '').replace(/[/@]/g, '-');
}

/** Fills a folder under a temporary name first: one that exists is whole. */
function once(folder: string, fill: (folder: string) => void): string {
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  fill(unfinished);
  renameSync(unfinished, folder);
  return folder;
}

function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

function onlyFile(folder: string): string {
  const [name, ...others] = readdirSync(folder);
  if (name === undefined || others.length > 0) throw new Error(`Expected one file in ${folder}`);
  return name;
}

function findArchives(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/jvm\/.*src\.zip$/.test(name))
    .map((name) => join(folder, name));
}
