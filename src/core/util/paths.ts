import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A path with `/` between its parts, whatever the platform. */
export function toPosix(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}

/** True when `path` is `root` or lies below it. Both absolute; no symbolic links are resolved. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

/** Resolves `~`, then makes the path absolute against `base`. */
export function expandPath(path: string, base: string): string {
  const expanded = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
  return resolve(base, expanded);
}

const CREDENTIAL_STORES = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
  '.config/gcloud',
  '.config/gh',
  '.local/share/keyrings',
  'Library/Keychains',
  'AppData/Roaming/Microsoft/Credentials',
  'AppData/Roaming/gcloud',
];

/** Folders of the operating system: no documents are there, but passwords and devices. */
const SYSTEM_FOLDERS = ['/etc', '/proc', '/sys', '/dev', '/boot', '/private/etc'];

const SECRET_FILES =
  /^(?:\.env(?:\..*)?|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\..*_history|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc\.key|ppk))$/i;

/** True for the names of files that hold passwords or keys: not read, even where a setting's globs take them. */
export function isSecretFile(name: string): boolean {
  return SECRET_FILES.test(name) && !/\.(?:example|sample|template|dist|pub)$/i.test(name);
}

/** True for a folder that holds keys or tokens, or that lies in one: never indexed, never read. */
export function isCredentialStore(path: string, home: string = homedir()): boolean {
  return (
    SYSTEM_FOLDERS.some((folder) => isInside(folder, path)) ||
    CREDENTIAL_STORES.some((store) => isInside(join(home, store), path))
  );
}
