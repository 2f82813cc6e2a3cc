import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../errors.ts';

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings that must never reach an error text. */
  readonly secrets?: readonly string[];
  /** For one attempt, in milliseconds. */
  readonly timeout?: number;
  /** Before the second attempt, in milliseconds; doubles with each further one. */
  readonly retryDelay?: number;
  readonly signal?: AbortSignal | undefined;
}

const ATTEMPTS = 4;
const TIMEOUT = 60_000;
const RETRY_DELAY = 500;
const LONGEST_RETRY_DELAY = 30_000;
const SHOWN_ANSWER = 300;

interface Failure {
  readonly reason: string;
  readonly passing: boolean;
  readonly retryAfter?: number;
}

/**
 * Posts JSON and returns the JSON answer. Retries what may pass: no connection, a timeout, 429 and 5xx, as long as
 * `Retry-After` or a doubling delay says. Throws `UserError` (`embedding_endpoint`); an abort is thrown as it is.
 */
export async function postJson(url: string, body: unknown, options: PostOptions = {}): Promise<unknown> {
  let delay = options.retryDelay ?? RETRY_DELAY;
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    const result = await attemptPost(url, body, options);
    if ('answer' in result) return result.answer;
    if (!result.passing || attempt === ATTEMPTS) throw endpointError(url, result.reason, options.secrets ?? []);
    await sleep(Math.min(result.retryAfter ?? delay, LONGEST_RETRY_DELAY), undefined, { signal: options.signal });
    delay *= 2;
  }
}

/** The error of an endpoint that does not do what is asked of it, without secrets. */
export function endpointError(url: string, reason: string, secrets: readonly string[]): UserError {
  const { origin, pathname } = new URL(url);
  const safe = secrets.filter(Boolean).reduce((text, secret) => text.replaceAll(secret, '***'), reason);
  return new UserError(
    'embedding_endpoint',
    `The embedding endpoint ${origin}${pathname} failed: ${safe}`,
    'Check loci.embedding.endpoint, loci.embedding.modelName and the key, or set loci.embedding.model to "static".',
  );
}

async function attemptPost(url: string, body: unknown, options: PostOptions): Promise<{ answer: unknown } | Failure> {
  const timeout = AbortSignal.timeout(options.timeout ?? TIMEOUT);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify(body),
      // A redirect would carry the text, and the key, to a place nobody named.
      redirect: 'error',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (response.ok) return { answer: JSON.parse(text) };
    const passing = response.status === 429 || response.status >= 500;
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000;
    const reason = `HTTP ${response.status} ${text.slice(0, SHOWN_ANSWER)}`.trim();
    return { reason, passing, ...(Number.isFinite(retryAfter) ? { retryAfter } : {}) };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof SyntaxError) return { reason: 'the answer is not JSON', passing: false };
    if (timeout.aborted) return { reason: 'no answer in time', passing: true };
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { reason: cause instanceof Error ? cause.message : String(cause), passing: true };
  }
}
