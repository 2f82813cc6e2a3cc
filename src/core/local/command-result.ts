import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { redact } from '../redact/redact.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { cutText } from '../util/page.ts';
import type { Closed } from './closed.ts';
import type { CommandPlan } from './command-plan.ts';
import { type RefusedPath, refusedPaths } from './refused-paths.ts';
import type { Finished } from './run-process.ts';
import { signInAfter } from './shell/hazards.ts';

export interface CommandResult {
  readonly status: 'ok' | 'failed' | 'timed_out' | 'needs_sign_in';
  /** Null when it was stopped by a signal. */
  readonly exit_code: number | null;
  readonly output: string;
  /** True when output is not all that was printed. */
  readonly truncated: boolean;
  readonly duration_seconds: number;
  readonly refused_paths?: readonly RefusedPath[];
  /** Holds the output as far as it is kept: read on in it with local_files. */
  readonly output_file?: string;
  readonly next_start_line?: number;
  /** What a person has to run to sign in again. */
  readonly login_command?: string;
  readonly output_withheld?: true;
  readonly notes?: readonly string[];
}

/** What else is known of a run. */
export interface RunNotes {
  readonly folder: string;
  /** Closed files and folders that the command could not read. */
  readonly unreadable: readonly string[];
  readonly notes: readonly string[];
}

interface AnswerSurroundings {
  readonly home: string;
  readonly ownFolder: string;
  readonly closed: Closed;
}

/** Characters of output that are kept, and that an approved command's answer shows. */
const MOST_OUTPUT = 20_000;
const MOST_APPROVED = 1500;
/** Bytes of output in one answer, as JSON. */
const PAGE = 5500;
const KEPT_OUTPUTS = 20;

/** What a command that has run answers. */
export async function commandResult(
  plan: CommandPlan,
  finished: Finished,
  { folder, unreadable, notes }: RunNotes,
  around: AnswerSurroundings,
): Promise<CommandResult> {
  const { exitCode, timedOut, output, isCut, durationMs } = finished;
  const login = exitCode === 0 ? undefined : signInAfter(plan.invocations, output);
  const refused = refusedPaths({ output, invocations: plan.invocations, unreadable }, folder, around);
  const status = timedOut ? 'timed_out' : login ? 'needs_sign_in' : exitCode === 0 ? 'ok' : 'failed';
  return {
    status,
    exit_code: timedOut ? null : exitCode,
    ...(plan.isWithheld
      ? { output: '', truncated: output !== '', output_withheld: true as const }
      : await shownOutput(redact(output).text, plan, isCut, around.ownFolder)),
    duration_seconds: Math.round(durationMs / 10) / 100,
    ...(refused.length > 0 && { refused_paths: refused }),
    ...(login && { login_command: login }),
    ...(notes.length > 0 && { notes }),
  };
}

/** As much of the output as an answer takes; the rest goes to a file. Of an approved command it is the end. */
async function shownOutput(text: string, plan: CommandPlan, isCut: boolean, ownFolder: string) {
  const kept = text.slice(0, MOST_OUTPUT).toWellFormed();
  const shown = plan.asks === undefined ? beginning(kept) : text.slice(-MOST_APPROVED).toWellFormed();
  if (shown.length === text.length) return { output: shown, truncated: isCut };
  const folder = join(ownFolder, 'command-output');
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}.txt`;
  await writeFileAtomic(join(folder, name), kept);
  const names = (await readdir(folder)).sort();
  await Promise.all(names.slice(0, -KEPT_OUTPUTS).map((old) => rm(join(folder, old), { force: true })));
  const next = plan.asks === undefined ? shown.split('\n').length : 1;
  return { output: shown, truncated: true, output_file: join(folder, name), next_start_line: next };
}

/** As many whole lines as an answer takes. */
function beginning(text: string): string {
  const cut = cutText(text, PAGE);
  return cut.length === text.length ? text : cut.slice(0, cut.lastIndexOf('\n') + 1) || cut;
}
