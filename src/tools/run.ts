import type * as z from 'zod';
import type { App } from '../core/app.ts';
import type { Run, Spent } from '../core/budget.ts';
import { errorText, UserError } from '../core/errors.ts';
import type { Status } from '../core/kb/status.ts';
import { isAbort, withTimeLimit } from '../core/util/abort.ts';
import { brief } from '../core/util/page.ts';
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
    const parsed = parseInput(tool, input);
    // A call that is refused counts too, or an agent could repeat it for ever.
    spent = await app.budget.spend(run, tool.name, 'problem' in parsed ? input : parsed.values);
    if (spent.remaining < 0) throw exhausted(spent);
    if ('problem' in parsed) throw parsed.problem;
    const { values, unknown } = parsed;
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
    const status = await app.knowledge.status(undefined).catch(unknownStatus);
    const result = {
      success: false,
      error: brief(failure.message, 2000),
      error_code: failure.code,
      next_step: brief(failure.next, 2000),
      ...budgetNotes(spent),
      ...status,
    };
    return { ok: false, result, images: [] };
  }
}

type Parsed = { values: z.output<Tool['input']>; unknown: string[] } | { problem: UserError };

function parseInput(tool: Tool, input: unknown): Parsed {
  if (input !== undefined && input !== null && (typeof input !== 'object' || Array.isArray(input))) {
    const next = `Pass an object with ${Object.keys(tool.input.shape).join(', ')}.`;
    return { problem: new UserError('invalid_input', 'The input is not a JSON object.', next) };
  }
  const known = new Set(Object.keys(tool.input.shape));
  const given = resolveAliases((input ?? {}) as Record<string, unknown>, known);
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { values: parsed.data, unknown: Object.keys(given).filter((name) => !known.has(name)) };
  const problems = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
  const message = `The input of ${tool.name} is not valid. ${problems.join('. ')}.`;
  return { problem: new UserError('invalid_input', message, `Its parameters are ${[...known].join(', ')}.`) };
}

/** The index's state when its worker cannot even be asked. */
function unknownStatus(error: unknown): Status {
  const reason = brief(`The index worker does not answer: ${firstLine(error)}`, 300);
  return {
    index_status: { status: 'unavailable', documents: 0, chunks: 0, reason },
    semantic_index: { status: 'unavailable', reason, enable_with: 'Try again: the worker is started anew.' },
  };
}

function exhausted({ limit }: Spent): UserError {
  return new UserError(
    'budget_exhausted',
    `The tool budget of this run is used up: ${limit} of ${limit} calls.`,
    'Do not call more tools. Synthesize your answer now from what you have, and say what is missing. (Setting: loci.budget.calls.)',
  );
}

function notesOf({ data }: ToolOutput, { index_status }: Status, unknown: readonly string[], spent: Spent): object {
  const found = 'results' in data ? data.results : 'name' in data && 'items' in data ? data.items : undefined;
  const empty = Array.isArray(found) && found.length === 0;
  const complete = index_status.status === 'ready';
  const note = complete
    ? 'Nothing in the knowledge bases matches. Try other words, or list_contents to see what there is.'
    : 'Nothing found in what is indexed so far. This is not a final answer: the index is not complete.';
  return {
    ...(empty && { note }),
    ...(unknown.length > 0 && { warnings: [`Unknown parameters were ignored: ${brief(unknown.join(', '), 200)}.`] }),
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
      repeated_call: `Call ${used} has the same tool and arguments as call ${repeats} of this run; unless files changed in between, so is its answer. Change the arguments or answer now.`,
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
