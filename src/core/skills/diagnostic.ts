import type { Span } from '../util/yaml-places.ts';

/** What makes a skill, agent or prompt file unusable (`error`), weaker than meant (`warning`) or merely odd (`hint`). */
export type Severity = 'error' | 'warning' | 'hint';

/** Lines and columns count from 1, columns in UTF-16 units; the end is exclusive. */
export interface Located {
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

/** One finding about one file. */
export interface Diagnostic extends Located {
  /** Absolute path. */
  readonly file: string;
  readonly severity: Severity;
  /** snake_case. */
  readonly code: string;
  /** What is wrong and what would mend it. */
  readonly message: string;
}

/** A finding before its file and lines are known. */
export interface Finding extends Span {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
}

/** A finding that is about the file as a whole. */
export function about(severity: Severity, code: string, message: string): Finding {
  return { severity, code, message, start: 0, end: 0 };
}

/** A diagnostic that is about a path as a whole: a folder, or a file that cannot be read. */
export function aboutPath(file: string, severity: Severity, code: string, message: string): Diagnostic {
  return { file, line: 1, column: 1, end_line: 1, end_column: 1, severity, code, message };
}

/** Lines and columns of a span. */
export function locate(text: string, { start, end }: Span): Located {
  const from = position(text, start);
  const to = position(text, end);
  return { line: from.line, column: from.column, end_line: to.line, end_column: to.column };
}

/** More findings than this say no more about one file. */
const MOST_FINDINGS = 50;

/** Findings about one text as diagnostics of its file. */
export function diagnose(file: string, text: string, findings: readonly Finding[]): Diagnostic[] {
  return findings
    .slice(0, MOST_FINDINGS)
    .map(({ start, end, ...rest }) => ({ file, ...locate(text, { start, end }), ...rest }));
}

function position(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = next + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
