import { createContext, Script } from 'node:vm';
import { Refusal } from './refusal.ts';

/** Longest one regular expression may take on one file, in milliseconds. */
const REGEX_MS = 1000;

/** A line that matches. */
export interface LineMatch {
  readonly line: number;
  /** Offsets of the line in the text, and of the match in the line. */
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

/** Finds the first `limit` lines of a text that match. */
export type FindLines = (text: string, limit: number) => LineMatch[];

/** Lines that hold a text, letter case ignored. */
export function textFinder(pattern: string): FindLines {
  const wanted = pattern.toLowerCase();
  return (text, limit) => {
    const found: LineMatch[] = [];
    let [line, start] = [1, 0];
    while (start < text.length && found.length < limit) {
      const end = lineEnd(text, start);
      const at = text.slice(start, end).toLowerCase().indexOf(wanted);
      if (at >= 0) found.push({ line, start, end, at });
      start = end + 1;
      line++;
    }
    return found;
  };
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

const script = new Script(`(() => {
  const found = [];
  let line = 1, start = 0;
  while (start < text.length && found.length < limit) {
    let end = text.indexOf('\\n', start);
    if (end < 0) end = text.length;
    const match = expression.exec(text.slice(start, end));
    if (match) found.push({ line, start, end, at: match.index });
    start = end + 1;
    line++;
  }
  return found;
})()`);

/**
 * Lines that match a regular expression, letter case ignored. Runs where it can be interrupted: an expression that backtracks
 * without end is stopped. Throws `Refusal` for one that is not valid or takes too long.
 */
export function regexFinder(pattern: string): FindLines {
  const context = createContext({ expression: compile(pattern), text: '', limit: 0 });
  return (text, limit) => {
    Object.assign(context, { text, limit });
    try {
      return script.runInContext(context, { timeout: REGEX_MS }) as LineMatch[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new Refusal(
        'refused',
        `The regular expression took longer than ${REGEX_MS} ms on one file and was stopped.`,
        'Avoid repeats inside repeats, such as (a+)+, or search for plain text.',
      );
    }
  };
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'iu');
  } catch {
    // Escapes that only the older syntax allows, such as \-.
  }
  try {
    return new RegExp(pattern, 'i');
  } catch (error) {
    throw new Refusal('refused', (error as Error).message, 'Mend the expression, or set regex to false.');
  }
}
