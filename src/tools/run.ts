import type { App, Domains } from '../core/app.ts';
import type { Run, Spent } from '../core/budget.ts';
import type { ForeignTool } from '../core/capabilities/catalog.ts';
import { errorText, UserError } from '../core/errors.ts';
import type { Status } from '../core/kb/status.ts';
import { redactDeep } from '../core/redact/deep.ts';
import { isAbort, withTimeLimit } from '../core/util/abort.ts';
import { brief } from '../core/util/page.ts';
import { isEnabled, toolNamed } from './catalog.ts';
import type { RegisteredTool } from './groups.ts';
import { budgetNotes, completeness, exhausted, notesOf, unknownStatus } from './notes.ts';
import { parseInput } from './parse-input.ts';
import type { Caller, Confirmation, ToolContext, ToolImage, ToolOutput } from './tool.ts';

/** Tools of other extensions and MCP servers, where a door can reach them. */
export interface ForeignTools {
  list(): readonly ForeignTool[];
  /** Calls one as part of the same chat, with the confirmation that it asks for itself. */
  call(name: string, input: object, signal: AbortSignal): Promise<ToolOutput>;
}

export interface Call {
  readonly app: App;
  readonly caller?: Caller | undefined;
  readonly run?: Run | undefined;
  /** True when a person was shown what `confirmationOf` says, or it said nothing. */
  readonly confirmed?: boolean | undefined;
  readonly foreign?: ForeignTools | undefined;
  /** The chats with @loci, where a door has language models to compress them with. */
  readonly chat?: Domains['chat'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Outcome {
  /** False when the caller can mend the call: `result` then holds `success: false` and `error`. */
  readonly ok: boolean;
  readonly result: Record<string, unknown>;
  readonly images: readonly ToolImage[];
}

/** Longest a tool may work, besides the wait for its index, unless it says otherwise. */
const LIMIT_MS = 60_000;
const NEEDS_CONFIRMATION = 'needs_confirmation';
const NOBODY: Caller = { thread: undefined, agent: undefined };

/**
 * Runs one call: parse, budget, policy, confirmation, wait for the index, run, and say how complete the answer is. The one
 * catch of all tools.
 */
export async function runTool(tool: RegisteredTool, input: unknown, call: Call): Promise<Outcome> {
  const { app, run, signal } = call;
  let spent: Spent | undefined;
  try {
    const parsed = parseInput(tool, input);
    // A call that is refused counts too, or an agent could repeat it for ever.
    spent = await app.budget.spend(run, tool.name, 'problem' in parsed ? input : parsed.values);
    if (spent.remaining < 0) throw exhausted(spent);
    if ('problem' in parsed) throw parsed.problem;
    const output = await execute(tool, parsed.values, parsed.unknown, call);
    const status = tool.usesIndex || output.usesIndex ? await statusFor(call) : undefined;
    const result = {
      success: true,
      ...output.data,
      ...notesOf(output, status, parsed.unknown),
      ...budgetNotes(spent),
      ...(status && completeness(output, status)),
    };
    return { ok: true, result: withoutSecrets(result), images: output.images ?? [] };
  } catch (error) {
    if (isAbort(error) && signal?.aborted) throw error;
    const failure = error instanceof UserError ? error : bugOf(tool, error);
    if (failure !== error) app.host.log('error', `${tool.name}: ${errorText(error)}`);
    const status: Status | undefined = tool.usesIndex ? await statusFor(call).catch(unknownStatus) : undefined;
    const result = {
      success: false,
      error: brief(failure.message, 2000),
      error_code: failure.code,
      next_step: brief(failure.next, 2000),
      ...(failure.code === NEEDS_CONFIRMATION && { status: 'needs_approval' }),
      ...(failure.details && { details: failure.details }),
      ...budgetNotes(spent),
      ...status,
    };
    return { ok: false, result: withoutSecrets(result), images: [] };
  }
}

/** What a person has to be asked before this call; undefined for nothing, or when the call is refused anyway. */
export async function confirmationOf(
  tool: RegisteredTool,
  input: unknown,
  call: Call,
): Promise<Confirmation | undefined> {
  const parsed = parseInput(tool, input);
  if ('problem' in parsed) return undefined;
  const context = contextOf(parsed.unknown, call, call.signal ?? AbortSignal.timeout(LIMIT_MS));
  if (tool.confirm) return tool.confirm(parsed.values, context);
  if (tool.effect === 'read' || tool.effect === 'state') return undefined;
  return { title: tool.title, message: `\`\`\`json\n${JSON.stringify(parsed.values, null, 2)}\n\`\`\`` };
}

async function execute(
  tool: RegisteredTool,
  values: object,
  unknown: readonly string[],
  call: Call,
): Promise<ToolOutput> {
  const { app, caller = NOBODY, confirmed, signal } = call;
  const settings = app.host.settings();
  if (!isEnabled(tool, settings)) {
    throw new UserError('disabled', `${tool.name} is switched off.`, `A person can turn on loci.${tool.setting}.`);
  }
  await app.capabilities.admit({ group: tool.group, tool: tool.name, ...caller }, signal);
  if (!confirmed && !tool.delegates) {
    const needed = await confirmationOf(tool, values, call);
    if (needed) {
      throw new UserError(
        NEEDS_CONFIRMATION,
        `${needed.title}: a person has to confirm this first.`,
        'Call it in the editor, where the person is asked, or with --yes on the command line.',
      );
    }
  }
  if (tool.usesIndex) {
    const ms = settings['index.waitSeconds'] * 1000;
    await withTimeLimit(ms + 30_000, 'Waiting for the index', signal, (inner) => app.knowledge.settled({ ms }, inner));
  }
  return withTimeLimit(tool.limitMs ?? LIMIT_MS, tool.name, signal, (inner) =>
    tool.run(values as never, contextOf(unknown, call, inner)),
  );
}

function contextOf(unknown: readonly string[], call: Call, signal: AbortSignal): ToolContext {
  const { app, caller = NOBODY, foreign, chat = app.chat } = call;
  const outsider = (name: string) => foreign?.list().find((tool) => tool.name === name);
  return {
    ...app,
    chat,
    settings: app.host.settings(),
    signal,
    caller,
    bases: () => app.capabilities.basesOf(caller, signal),
    unknown,
    foreign: foreign?.list() ?? [],
    async callTool(name, input) {
      const tool = toolNamed(name);
      if (tool) {
        const parsed = parseInput(tool, input);
        if ('problem' in parsed) throw parsed.problem;
        const output = await execute(tool, parsed.values, parsed.unknown, { ...call, signal });
        return { ...output, usesIndex: tool.usesIndex };
      }
      const other = outsider(name);
      if (!other || !foreign) {
        throw new UserError(
          'unknown_tool',
          `There is no tool "${name}".`,
          'Call manage_context with action SEARCH_CONTEXT to find tools.',
        );
      }
      await app.capabilities.admit({ group: other.owner, tool: name, foreign: foreign.list(), ...caller }, signal);
      return foreign.call(name, (input ?? {}) as object, signal);
    },
    async confirmationOf(name, input) {
      const tool = toolNamed(name);
      return tool && confirmationOf(tool, input, call);
    },
  };
}

/** How complete the knowledge bases are that the caller may use. */
async function statusFor({ app, caller = NOBODY, signal }: Call): Promise<Status> {
  return app.knowledge.status({ allowed: await app.capabilities.basesOf(caller, signal) });
}

/** The result with secrets taken out, and their number where a domain has not counted them itself. */
function withoutSecrets(result: Record<string, unknown>): Record<string, unknown> {
  const { value, count } = redactDeep(result);
  return count > 0 ? { ...value, redacted: count + Number(result.redacted ?? 0) } : value;
}

function bugOf(tool: RegisteredTool, error: unknown): UserError {
  const line = (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
  return new UserError(
    'internal',
    `${tool.name} failed inside Loci: ${line}`,
    'The Loci log has the details; other tools still work.',
  );
}
