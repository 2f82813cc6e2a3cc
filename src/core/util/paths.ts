import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';

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

/** Files and folders in which tools keep keys, tokens, passwords and cookies: from the home folder, on every platform. */
const HOME_STORES = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.oci', '.databricks', '.snowflake'],
  ...['.snowsql', '.dbt', '.terraform.d', '.op', '.1password', '.fly', '.electrum', '.vault-token', '.databrickscfg'],
  ...['.netrc', '_netrc', '.git-credentials', '.npmrc', '.yarnrc.yml', '.pypirc', '.terraformrc', '.boto', '.s3cfg'],
  ...['.pgpass', '.my.cnf', '.claude.json', '.claude/.credentials.json', '.codex/auth.json', '.composer/auth.json'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.m2/settings.xml', '.m2/settings-security.xml'],
  ...['.gradle/gradle.properties', '.gem/credentials', '.nuget/NuGet/NuGet.Config', '.pulumi/credentials.json'],
  // Browsers, as packages of the system, snaps and flatpaks.
  ...['.mozilla', '.librewolf', '.zen', 'snap/firefox', 'snap/chromium', 'snap/brave', '.var/app/org.mozilla.firefox'],
  ...['.var/app/com.google.Chrome', '.var/app/org.chromium.Chromium', '.var/app/com.brave.Browser'],
  ...['.var/app/com.microsoft.Edge', 'Library/Keychains', 'Library/Safari', 'Library/Cookies', 'Library/HTTPStorages'],
  ...['Library/Containers/com.apple.Safari', 'Library/Group Containers/2BUA8C4S2C.com.1password'],
];

/** The same, from the folders that hold programs' settings and data. */
const CONFIG_STORES = [
  ...['gcloud', 'gh', 'hub', 'glab-cli', 'op', 'git/credentials', 'rclone', 'heroku', 'doctl', 'github-copilot'],
  ...['pypoetry/auth.toml', 'pip/pip.conf', 'terraform.d', 'terraform.rc', 'keyrings', 'kwalletd', 'gem/credentials'],
  ...['GitHub CLI', 'gnupg', 'NuGet/NuGet.Config', 'google-chrome', 'google-chrome-beta', 'chromium', 'vivaldi'],
  ...['BraveSoftware', 'microsoft-edge', 'opera', 'Google/Chrome', 'Google/Chrome Beta', 'Chromium', 'Vivaldi', 'Arc'],
  ...['Microsoft Edge', 'Microsoft/Edge', 'Mozilla', 'Firefox', 'com.operasoftware.Opera', 'Opera Software'],
  ...['Microsoft/Credentials', 'Microsoft/Vault', 'Microsoft/Protect', 'Microsoft/Crypto', '1Password'],
];

const CONFIG_FOLDERS = [
  ...['.config', '.local/share', 'Library/Application Support', 'Library/Preferences'],
  ...['AppData/Roaming', 'AppData/Local', 'AppData/LocalLow'],
];

/** Variables that name the place of a store other than its usual one. */
const STORE_VARIABLES = [
  ...['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'AZURE_CONFIG_DIR', 'GNUPGHOME', 'KUBECONFIG', 'DOCKER_CONFIG'],
  ...[
    'CLOUDSDK_CONFIG',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GH_CONFIG_DIR',
    'NETRC',
    'NPM_CONFIG_USERCONFIG',
    'PGPASSFILE',
  ],
  ...['DATABRICKS_CONFIG_FILE', 'TF_CLI_CONFIG_FILE', 'PASSWORD_STORE_DIR', 'OCI_CLI_CONFIG_FILE'],
];

/** Absolute paths of the files and folders in which tools keep keys, tokens, passwords and cookies, there or not. */
export function credentialStores(home: string = homedir(), env: NodeJS.ProcessEnv = process.env): string[] {
  const named = (name: string) => (env[name] ?? '').split(delimiter).filter((path) => isAbsolute(path));
  const config = [
    ...CONFIG_FOLDERS.map((folder) => join(home, folder)),
    ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'APPDATA', 'LOCALAPPDATA'].flatMap(named),
  ];
  const stores = [
    ...HOME_STORES.map((store) => join(home, store)),
    ...config.flatMap((folder) => CONFIG_STORES.map((store) => join(folder, store))),
    ...STORE_VARIABLES.flatMap(named),
  ];
  // A folder above the home is no store, whatever a variable says.
  return [...new Set(stores)].filter((store) => !isInside(store, home));
}

/** The stores of each home asked for: they are looked up for every file of a scan. */
const storesOf = new Map<string, readonly string[]>();

/** Folders of the operating system: no documents are there, but passwords and devices. */
const SYSTEM_FOLDERS = ['/etc', '/proc', '/sys', '/dev', '/boot', '/private/etc'];

const SECRET_FILES =
  /^(?:\.env(?:\..*)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\..*_history|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc\.key|ppk))$/i;

/** True for the names of files that hold passwords or keys: not read, even where a setting's globs take them. */
export function isSecretFile(name: string): boolean {
  return SECRET_FILES.test(name) && !/\.(?:example|sample|template|dist|pub)$/i.test(name);
}

/** True for a folder that holds keys or tokens, or that lies in one: never indexed, never read. */
export function isCredentialStore(path: string, home: string = homedir()): boolean {
  return (
    SYSTEM_FOLDERS.some((folder) => isInside(folder, path)) ||
    stores(home).some((store) => path === store || path.startsWith(store + sep))
  );
}

function stores(home: string): readonly string[] {
  const known = storesOf.get(home) ?? credentialStores(home);
  storesOf.set(home, known);
  return known;
}
