import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

export interface Finished {
  /** Null when it was stopped by a signal. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** What was printed, standard output and errors as they came, without terminal control sequences. */
  readonly output: string;
  /** True when more was printed than is kept. */
  readonly isCut: boolean;
  readonly durationMs: number;
}

/** Bytes of output that are kept. */
const KEPT_BYTES = 256 * 1024;

/** Runs a program to its end. On the time limit or the signal, it and all that it started is killed. */
export async function runProcess(
  program: string,
  args: readonly string[],
  { folder, env, timeoutMs }: { folder: string; env: Readonly<Record<string, string>>; timeoutMs: number },
  signal?: AbortSignal,
): Promise<Finished> {
  const started = performance.now();
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const kept: Buffer[] = [];
  let [bytes, isCut, timedOut] = [0, false, false];
  const keep = (chunk: Buffer) => {
    const left = KEPT_BYTES - bytes;
    if (chunk.length > left) isCut = true;
    if (left > 0) kept.push(chunk.subarray(0, left));
    bytes += chunk.length;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const killAll = () => {
    try {
      // The group that `detached` made it the head of.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    killAll();
  }, timeoutMs);
  signal?.addEventListener('abort', killAll, { once: true });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
      // A background process of the command may hold its output open.
      child.on('exit', () => setTimeout(killAll, 500).unref());
    });
    if (signal?.aborted) throw signal.reason;
    const printed = stripVTControlCharacters(Buffer.concat(kept).toString('utf8')).replace(/\r\n?/g, '\n');
    const output = printed.replace(/(?![\n\t])\p{Cc}/gu, '\ufffd');
    return { exitCode, timedOut, output, isCut, durationMs: performance.now() - started };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', killAll);
    killAll();
  }
}
