import { readdir, realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { credentialStores } from '../util/paths.ts';

/** What local tools may not open: neither to read nor to change. */
export interface Closed {
  /** Why a path, its symbolic links resolved, is closed, as the end of "it is …"; undefined when it is open. */
  reason(path: string): string | undefined;
  /** A closed file or folder below this folder that exists, if any. */
  within(folder: string): string | undefined;
  /** Absolute paths of all closed files and folders that exist, links resolved; none is inside another. */
  readonly existing: readonly string[];
}

export interface ClosedOptions {
  readonly home: string;
  /** Loci's own data: its index, state and logs. */
  readonly storage: string;
  /** The one folder in there that agents may use. */
  readonly ownFolder: string;
  /** False when the person has opened the credential stores by the setting. */
  readonly blockCredentials: boolean;
}

const SYSTEM_SECRETS = [
  ...['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private', '/etc/krb5.keytab'],
  ...[
    '/run/secrets',
    '/var/run/secrets',
    '/Library/Keychains',
    '/private/etc/master.passwd',
    '/private/var/db/dslocal',
  ],
];

/** Not files: devices that block or act, and other processes' memory, environment and open files. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

/** Files that hold sign-ins, whatever folder they lie in. */
const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.git-credentials|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|ssh_host_.*_key)$/i;
const HARMLESS_ENDINGS = /\.(?:example|sample|template|dist)$/i;
/** Folders of keys, whoever's home they lie in. */
const SECRET_FOLDERS = /[\\/]\.(?:ssh|gnupg)(?:[\\/]|$)/i;

/** True for the name of a file that holds sign-ins, such as `.env`; not for its template. */
export function isSecretName(name: string): boolean {
  // Windows opens `.env.`, `.env ` and `.env::$DATA` as `.env`.
  const plain = name.replace(/:.*$/, '').replace(/[. ]+$/, '');
  return SECRET_NAMES.test(plain) && !HARMLESS_ENDINGS.test(plain);
}

/** Looks up what is closed on this machine now. */
export async function closedPaths({ home, storage, ownFolder, blockCredentials }: ClosedOptions): Promise<Closed> {
  const stores = blockCredentials
    ? [...(await homes(home)).flatMap((each) => credentialStores(each)), ...SYSTEM_SECRETS]
    : [];
  const existing = new Set<string>();
  const roots = new Set<string>();
  await Promise.all(
    [...new Set([...stores, storage])].map(async (store) => {
      roots.add(fold(store));
      const real = await realpath(store).catch(() => undefined);
      if (real === undefined) return;
      existing.add(real);
      roots.add(fold(real));
    }),
  );
  const own = [fold(ownFolder), fold(await realpath(ownFolder).catch(() => ownFolder))];
  const closedRoots = [...roots];
  const outermost = [...existing].filter((path) => ![...existing].some((other) => path.startsWith(other + sep)));
  return {
    existing: outermost,
    reason(path) {
      const folded = fold(path);
      if (own.some((folder) => isAtOrBelow(folder, folded))) return undefined;
      if (KERNEL_FOLDERS.some((folder) => isAtOrBelow(folder, folded)) || /^\\\\[.?]\\/.test(path)) {
        return 'no file but a device or a process of the system';
      }
      if (isAtOrBelow(fold(storage), folded)) return "part of Loci's own data";
      if (closedRoots.some((root) => isAtOrBelow(root, folded))) return 'in a credential store';
      if (!blockCredentials) return undefined;
      if (SECRET_FOLDERS.test(path)) return 'in a credential store';
      return isSecretName(basename(path)) ? 'a file that holds sign-ins' : undefined;
    },
    within(folder) {
      const folded = fold(folder);
      return outermost.find((path) => isAtOrBelow(folded, fold(path)));
    },
  };
}

/** Letter case does not tell paths apart on macOS and Windows; where it does, closing the other spelling too is harmless. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function isAtOrBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The person's home, and those of others on the machine that this process could read. */
async function homes(home: string): Promise<string[]> {
  const found = new Set([home, await realpath(home).catch(() => home)]);
  if (sep !== '/') return [...found];
  found.add('/root');
  for (const folder of ['/home', '/Users']) {
    for (const name of (await readdir(folder).catch(() => [])).slice(0, 50)) found.add(join(folder, name));
  }
  return [...found];
}
