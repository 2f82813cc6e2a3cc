import type { Spent } from '../core/budget.ts';
import { UserError } from '../core/errors.ts';
import type { Status } from '../core/kb/status.ts';
import { brief } from '../core/util/page.ts';
import type { ToolOutput } from './tool.ts';

const WARN_AT = 4;

/** What an empty answer means, and which arguments were not used. `status` is given for tools that use the index. */
export function notesOf({ data }: ToolOutput, status: Status | undefined, unknown: readonly string[]): object {
  const found = 'results' in data ? data.results : 'name' in data && 'items' in data ? data.items : undefined;
  const empty = status && Array.isArray(found) && found.length === 0;
  const note =
    status?.index_status.status === 'ready'
      ? 'Nothing in the knowledge bases matches. Try other words, or list_contents to see what there is.'
      : 'Nothing found in what is indexed so far. This is not a final answer: the index is not complete.';
  const ignored = `Unknown parameters were ignored: ${brief(unknown.join(', '), 200)}.`;
  const warnings = 'warnings' in data && Array.isArray(data.warnings) ? data.warnings : [];
  return {
    ...(empty && { note }),
    ...(unknown.length > 0 && { warnings: [...warnings, ignored] }),
  };
}

export function exhausted({ limit }: Spent): UserError {
  return new UserError(
    'budget_exhausted',
    `The tool budget of this run is used up: ${limit} of ${limit} calls.`,
    'Do not call more tools. Synthesize your answer now from what you have, and say what is missing. (Setting: loci.budget.calls.)',
  );
}

/** What is left of the run's budget, and whether this call only repeats an earlier one. */
export function budgetNotes(spent: Spent | undefined): object {
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
export function completeness({ semanticFailure }: ToolOutput, status: Status): Status {
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

/** The index's state when its worker cannot even be asked. */
export function unknownStatus(error: unknown): Status {
  const line = (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
  const reason = brief(`The index worker does not answer: ${line}`, 300);
  return {
    index_status: { status: 'unavailable', documents: 0, chunks: 0, reason },
    semantic_index: { status: 'unavailable', reason, enable_with: 'Try again: the worker is started anew.' },
  };
}
