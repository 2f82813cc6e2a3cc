import { UserError } from '../errors.ts';

/** Rejects with the signal's reason if it has fired. */
export function throwIfAborted(signal?: AbortSignal): void {
  if (signal?.aborted) throw signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError');
}

/** True for the errors that aborting produces. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

/** Lets pending timers and messages run, so that a long loop stays cancellable and its thread responsive. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs `work` with a signal that fires when the caller's does or when `ms` milliseconds have passed.
 * @throws UserError `timeout` when the time limit struck first.
 */
export async function withTimeLimit<T>(
  ms: number,
  what: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(ms);
  const both = signal ? AbortSignal.any([signal, limit]) : limit;
  const struck = new Promise<never>((_, reject) => {
    both.addEventListener('abort', () => reject(both.reason), { once: true });
  });
  try {
    return await Promise.race([work(both), struck]);
  } catch (error) {
    if (limit.aborted && !signal?.aborted) {
      throw new UserError(
        'timeout',
        `${what} took longer than ${Math.round(ms / 1000)} s and was stopped.`,
        'Narrow the request, or try again in a moment.',
      );
    }
    throw error;
  }
}
