import { spawn } from 'node:child_process';
import { isSecretName } from './closed.ts';

/** Longest the search may take, in milliseconds, and the most files it returns. */
const SEARCH_MS = 10_000;
const MOST_FILES = 1000;
/** How long a result holds, in milliseconds: a walk of a large home takes a second. */
const FRESH_MS = 30_000;

const GLOBS = [
  ...[
    '.env',
    '.env.*',
    '.envrc',
    '.netrc',
    '_netrc',
    '.npmrc',
    '.pypirc',
    '.git-credentials',
    '.pgpass',
    'id_rsa',
    'id_dsa',
  ],
  ...['id_ecdsa', 'id_ed25519', '!node_modules', '!.git', '!.cache'],
];

export interface SecretFiles {
  readonly paths: readonly string[];
  /** False when time or number ran out: more may be there. */
  readonly isComplete: boolean;
}

/** Finds files that hold sign-ins by their names, such as `.env`, below folders. Uses ripgrep, which the sandbox needs anyway. */
export function createSecretFiles(now: () => number) {
  const known = new Map<string, { at: number; files: Promise<SecretFiles> }>();
  return async (folders: readonly string[], signal?: AbortSignal): Promise<SecretFiles> => {
    const key = folders.join('\0');
    const kept = known.get(key);
    if (kept && now() - kept.at < FRESH_MS) return kept.files;
    const files = search(folders, signal);
    known.set(key, { at: now(), files });
    files.catch(() => known.delete(key));
    return files;
  };
}

async function search(folders: readonly string[], signal?: AbortSignal): Promise<SecretFiles> {
  const limit = AbortSignal.timeout(SEARCH_MS);
  const args = ['--files', '--hidden', '--no-ignore', '--no-config', '--no-messages', '--null'];
  const child = spawn('rg', [...args, ...GLOBS.flatMap((glob) => ['--glob', glob]), '--', ...folders], {
    stdio: ['ignore', 'pipe', 'ignore'],
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    killSignal: 'SIGKILL',
  });
  const paths: string[] = [];
  let isComplete = true;
  let text = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    const names = (text + chunk).split('\0');
    text = names.pop()!;
    paths.push(...names.filter((path) => isSecretName(path.slice(path.lastIndexOf('/') + 1))));
    if (paths.length > MOST_FILES) {
      isComplete = false;
      child.kill('SIGKILL');
    }
  });
  await new Promise<void>((resolve, reject) => {
    child.on('close', () => resolve());
    child.on('error', () => {
      if (signal?.aborted) reject(signal.reason);
      isComplete = false;
    });
  });
  return { paths: paths.slice(0, MOST_FILES), isComplete };
}
