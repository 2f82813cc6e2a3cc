import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../errors.ts';
import { throwIfAborted } from '../../util/abort.ts';
import type { FileAnswer, FileRequest } from './protocol.ts';

/** The door that runs queries: beside the bundle, or in the sources. */
const SCRIPT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../query.ts' : './query.js', import.meta.url),
);
/** Memory of one query's process, in megabytes. */
const MEMORY_MB = 1500;
/** What a process needs of its surroundings to start at all; nothing else of them reaches a query. */
const KEPT = Object.fromEntries(
  ['PATH', 'SystemRoot', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  ),
);

/**
 * Runs a request in a process of its own. SQLite cannot be interrupted from JavaScript, not even by ending its thread; a
 * process can be killed at any moment, which is what happens at the time limit and when the signal fires.
 */
export async function askFileProcess<T>(request: FileRequest, signal: AbortSignal | undefined): Promise<T> {
  throwIfAborted(signal);
  const child = fork(SCRIPT, [], {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`, '--no-warnings'],
    // Inside the editor the executable is the editor itself, unless it is told to be Node.
    env: { ...KEPT, ELECTRON_RUN_AS_NODE: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4000);
  });
  const { milliseconds } = request.limits;
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<FileAnswer>((resolve, reject) => {
      timer = setTimeout(() => reject(tookTooLong(milliseconds)), milliseconds);
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      child.once('message', (message) => resolve(message as FileAnswer));
      child.once('error', reject);
      child.once('exit', (code, killed) => reject(ended(code, killed, errors)));
      child.send(request);
    });
    if ('failure' in answer) {
      const { code, message, next } = answer.failure;
      throw new UserError(code, message, next);
    }
    return answer.result as T;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

export function tookTooLong(milliseconds: number): UserError {
  return new UserError(
    'timeout',
    `The query took longer than ${milliseconds / 1000} s and was stopped.`,
    'Narrow it: filter earlier, join less, or ask for fewer rows.',
  );
}

function ended(code: number | null, signal: string | null, errors: string): Error {
  if (/heap out of memory|allocation failed/i.test(errors) || signal === 'SIGABRT') {
    return new UserError(
      'out_of_memory',
      `The query needed more than ${MEMORY_MB} MB of memory and was stopped.`,
      'Narrow it, or query a smaller file.',
    );
  }
  if (/No such built-in module: node:sqlite/.test(errors)) {
    return new UserError(
      'unsupported',
      'Querying files needs Node 24 or newer.',
      'Use it in the editor, or run the command line with a newer Node.',
    );
  }
  return new Error(`the query process ended with ${signal ?? code}: ${errors}`);
}
