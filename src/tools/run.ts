import type * as z from 'zod';
import type { App } from '../core/app.ts';
import type { Run, Spent } from '../core/budget.ts';
import { errorText, UserError } from '../core/errors.ts';
import type { Status } from '../core/kb/status.ts';
import { isAbort, withTimeLimit } from '../core/util/abort.ts';
import { resolveAliases } from './aliases.ts';
import type { Tool, ToolImage, ToolOutput } from './tool.ts';

export interface Call {
  readonly app: App;
  readonly run?: Run | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Outcome {
  /** False when the caller can mend the call: `result` then holds `success: false` and `error`. */
  readonly ok: boolean;
  readonly result: Record<string, unknown>;
  readonly images: readonly ToolImage[];
}

/** Longest a tool may work, besides the wait for its index. */
const LIMIT_MS = 60_000;
const WARN_AT = 4;

/** Runs one call: parse, budget, wait for the index, run, and say how complete the answer is. The one catch of all tools. */
export async function runTool(tool: Tool, input: unknown, { app, run, signal }: Call): Promise<Outcome> {
  const settings = app.host.settings();
  let spent: Spent | undefined;
  try {
    const { values, unknown } = parseInput(tool, input);
    spent = await app.budget.spend(run, tool.name, values);
    if (spent.remaining < 0) throw exhausted(spent);
    await withTimeLimit((settings['index.waitSeconds'] + 30) * 1000, 'Waiting for the index', signal, (inner) =>
      app.knowledge.settled({ ms: settings['index.waitSeconds'] * 1000 }, inner),
    );
    const output = await withTimeLimit(LIMIT_MS, tool.name, signal, (inner) =>
      tool.run(values, { knowledge: app.knowledge, settings, signal: inner }),
    );
    const status = await app.knowledge.status(undefined);
    const notes = notesOf(output, status, unknown, spent);
    return {
      ok: true,
      result: { success: true, ...output.data, ...notes, ...completeness(output, status) },
      images: output.images ?? [],
    };
  } catch (error) {
    if (isAbort(error) && signal?.aborted) throw error;
    const known = error instanceof UserError;
    if (!known) app.host.log('error', `${tool.name}: ${errorText(error)}`);
    const failure = known
      ? error
      : new UserError(
          'internal',
          `${tool.name} failed inside Loci: ${firstLine(error)}`,
          'The Loci log has the details; other tools still work.',
        );
    const status = await app.knowledge.status(undefined).catch(() => undefined);
    const result = {
      success: false,
      error: failure.message,
      error_code: failure.code,
      next_step: failure.next,
      ...budgetNotes(spent),
      ...status,
    };
    return { ok: false, result, images: [] };
  }
}

function parseInput(tool: Tool, input: unknown): { values: z.output<Tool['input']>; unknown: string[] } {
  if (input !== undefined && input !== null && (typeof input !== 'object' || Array.isArray(input))) {
    throw new UserError(
      'invalid_input',
      'The input is not a JSON object.',
      `Pass an object with ${Object.keys(tool.input.shape).join(', ')}.`,
    );
  }
  const known = new Set(Object.keys(tool.input.shape));
  const given = resolveAliases((input ?? {}) as Record<string, unknown>, known);
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { values: parsed.data, unknown: Object.keys(given).filter((name) => !known.has(name)) };
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
  throw new UserError(
    'invalid_input',
    `The input of ${tool.name} is not valid. ${problems.join('. ')}.`,
    `Its parameters are ${[...known].join(', ')}.`,
  );
}

function exhausted({ limit }: Spent): UserError {
  return new UserError(
    'budget_exhausted',
    `The tool budget of this run is used up: ${limit} of ${limit} calls.`,
    'Do not call more tools. Synthesize your answer now from what you have, and say what is missing. (Setting: loci.budget.calls.)',
  );
}

function notesOf({ data }: ToolOutput, { index_status }: Status, unknown: readonly string[], spent: Spent): object {
  const empty = 'results' in data && Array.isArray(data.results) && data.results.length === 0;
  const complete = index_status.status === 'ready';
  const note = complete
    ? 'Nothing in the knowledge bases matches. Try other words, or list_contents to see what there is.'
    : 'Nothing found in what is indexed so far. This is not a final answer: the index is not complete.';
  return {
    ...(empty && { note }),
    ...(unknown.length > 0 && { warnings: [`Unknown parameters were ignored: ${unknown.join(', ')}.`] }),
    ...budgetNotes(spent),
  };
}

function budgetNotes(spent: Spent | undefined): object {
  if (!spent) return {};
  const { limit, remaining, repeats, used } = spent;
  const warning =
    limit === 0 || remaining > WARN_AT || remaining < 0
      ? undefined
      : remaining === 0
        ? 'No tool calls remain. Synthesize your answer now from what you have.'
        : `Only ${remaining} tool call${remaining === 1 ? '' : 's'} remain of ${limit}: wrap up soon.`;
  return {
    ...(limit > 0 && { calls_remaining: Math.max(0, remaining) }),
    ...(warning && { budget_warning: warning }),
    ...(repeats !== undefined && {
      repeated_call: `Call ${used} has the same tool and arguments as call ${repeats} of this run, and the answer is the same. Change the arguments or answer now.`,
    }),
  };
}

/** `index_status` and `semantic_index`, the latter as it was for this very answer. */
function completeness({ semanticFailure }: ToolOutput, status: Status): Status {
  if (semanticFailure === undefined) return status;
  return {
    ...status,
    semantic_index: {
      status: 'unavailable',
      reason: `Searched by words alone: ${semanticFailure}`,
      enable_with: 'Try again, or check the loci.embedding settings.',
    },
  };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}
