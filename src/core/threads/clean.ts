import { redact } from '../redact/redact.ts';

/** Takes the secrets out of everything that one answer shows. */
export interface Cleaner {
  clean(text: string): string;
  /** Secrets taken out so far. */
  readonly redacted: number;
}

/** Texts above this are kept clean, so that reading on in a huge one does not search all of it again. */
const LARGE = 100_000;
const MOST_KEPT = 4;
const kept = new Map<string, ReturnType<typeof redact>>();

export function createCleaner(): Cleaner {
  let redacted = 0;
  return {
    clean(text) {
      const result = text.length > LARGE ? remembered(text) : redact(text);
      redacted += result.count;
      return result.text;
    },
    get redacted() {
      return redacted;
    },
  };
}

/** Secrets that were taken out of what is shown. */
export function redactedIn(shown: readonly object[]): number {
  return JSON.stringify(shown).split('[redacted:').length - 1;
}

function remembered(text: string): ReturnType<typeof redact> {
  const result = kept.get(text) ?? redact(text);
  kept.delete(text);
  kept.set(text, result);
  if (kept.size > MOST_KEPT) kept.delete([...kept.keys()][0]!);
  return result;
}
