/**
 * An error the caller can mend. `message` says what happened, `next` what to do about it; both reach the model or the
 * person as they stand. Anything thrown that is not a `UserError` is treated as a bug: logged whole, shown in one line.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly next: string;
  /** Machine-readable reason, snake_case, for callers that branch on it. */
  readonly code: string;
  /** What the message is about, for callers that go by fields: JSON. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, next: string, details?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.next = next;
    this.details = details;
  }
}

/** Text of any thrown value, for logs. */
export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
