import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import type { Run } from '../../core/budget.ts';
import { DEFAULT_AGENT } from '../../core/capabilities/world.ts';
import type { OfferedTool } from '../../core/chat/model.ts';
import { profiled } from '../../core/chat/offer.ts';
import type { CalledTool, ToolAnswer, TurnTools } from '../../core/chat/turn.ts';
import { UserError } from '../../core/errors.ts';
import { sessionKey } from '../../core/threads/sessions.ts';
import { toolName } from '../../tools/aliases.ts';
import { toolNamed } from '../../tools/catalog.ts';
import type { GroupName } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';
import { runTool } from '../../tools/run.ts';
import { withToken } from '../cancellation.ts';
import { foreignTools, foreignToolsOf, resultParts } from '../foreign-tools.ts';

export interface TurnToolsOptions {
  readonly app: App;
  readonly chat: Domains['chat'];
  readonly thread: string;
  readonly run: Run;
  /** Undefined where the editor does not say which chat it is: calls then go past it, and what asks a person is refused. */
  readonly token: vscode.ChatParticipantToolToken | undefined;
  /** A private group that the extension has put onto the thread, whose tools no search finds. */
  readonly pinned?: GroupName | undefined;
  /** Hears of each call that the editor itself does not show. */
  onCall(title: string): void;
  /** Hears of what Loci's own tools answered. */
  onAnswer(result: unknown): Promise<void>;
}

/** The tools of the thread's active groups, Loci's own and others', called through the editor so that it can ask the person. */
export function createTurnTools(options: TurnToolsOptions): TurnTools {
  const { app, thread, run, token, onCall, onAnswer } = options;
  const asker = { thread, agent: DEFAULT_AGENT };
  let offered = new Set<string>();

  const answerOf = async (name: string, input: object, text: string, images: ToolAnswer['images'] = []) => {
    const result = name.startsWith('loci_') ? jsonOf(text) : undefined;
    if (result) await onAnswer(result);
    return {
      text,
      images,
      failed: result?.success === false,
      exhausted: result?.error_code === 'budget_exhausted',
      skills: result ? skillsIn(toolName(name), input, result) : [],
    };
  };

  const throughEditor = async ({ name, input: given }: CalledTool, signal: AbortSignal): Promise<ToolAnswer> => {
    // Of a session in which others answer too, it is the part of @loci that is meant.
    const input = name === 'loci_manage_thread_memory' ? { thread_id: sessionKey(thread, true), ...given } : given;
    const { content } = await withToken(signal, (cancellation) =>
      vscode.lm.invokeTool(name, { input, toolInvocationToken: token }, cancellation),
    );
    const { text, images } = resultParts(content);
    return answerOf(name, input, text, images);
  };

  const directly = async ({ name, input }: CalledTool, signal: AbortSignal): Promise<ToolAnswer> => {
    onCall(toolNamed(name)!.title);
    const foreign = foreignToolsOf(token);
    const call = { app, caller: { thread, agent: undefined }, run, foreign, chat: options.chat, signal };
    const { result, images } = await runTool(toolNamed(name)!, input, call);
    return answerOf(name, input, JSON.stringify(result), images);
  };

  return {
    async offer(signal) {
      const foreign = foreignTools();
      const groups = await app.capabilities.groups({ ...asker, foreign }, signal);
      const usable = groups.filter(({ active, denied, unavailable }) => active && !denied && unavailable === undefined);
      const own = tools.filter(({ group }) => group === options.pinned).map(({ name }) => `loci_${name}`);
      const listed = usable.flatMap((group) =>
        group.tools.map(({ name }) => (group.owner === 'loci' ? `loci_${name}` : name)),
      );
      const names = [...listed, ...own];
      const known = new Map(vscode.lm.tools.map((tool) => [tool.name, tool]));
      const wanted = names.flatMap((name): OfferedTool[] => {
        const tool = known.get(name);
        return tool ? [{ name, description: tool.description, inputSchema: tool.inputSchema ?? NO_INPUT }] : [];
      });
      const { tool_profile_overrides: overrides } = await app.capabilities.runSettings(asker, signal);
      const list = profiled(wanted, overrides);
      offered = new Set(list.map(({ name }) => name));
      return list;
    },

    async call(called, signal) {
      const { name, input } = called;
      const own = name.startsWith('loci_') && toolNamed(name) !== undefined;
      try {
        if (!own) {
          const spent = await app.budget.spend(run, name, input);
          if (spent.remaining < 0)
            return refusal(
              'budget_exhausted',
              'The tool budget of this request is used up.',
              'Answer now from what you have.',
            );
        }
        if (!offered.has(name)) {
          return refusal(
            'tool_not_offered',
            `The tool ${name} is not on offer in this conversation.`,
            'Find and activate its group with loci_manage_context, or go on without it.',
          );
        }
        return await (own && token === undefined ? directly(called, signal) : throughEditor(called, signal));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled')) {
          return refusal('declined', 'The person declined this call.', 'Do not repeat it; go on without it or ask.');
        }
        if (error instanceof UserError) return refusal(error.code, error.message, error.next);
        const message = error instanceof Error ? error.message : String(error);
        return refusal('tool_failed', `${name} failed: ${message}`, 'Check the arguments, or go on without it.');
      }
    },
  };
}

const NO_INPUT = { type: 'object', properties: {} };

function refusal(code: string, error: string, next: string): ToolAnswer {
  const text = JSON.stringify({ success: false, error, error_code: code, next_step: next });
  return { text, failed: true, exhausted: code === 'budget_exhausted' };
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Skills whose instructions a result holds: those that were just activated, or the one that was read. */
function skillsIn(tool: string, input: object, result: Record<string, unknown>): string[] {
  const given = input as { tool_name?: unknown; arguments?: unknown; skill_name?: unknown };
  if (tool === 'call_tool') return skillsIn(toolName(String(given.tool_name)), Object(given.arguments), result);
  if (tool === 'read_assigned_skill_file' && result.success === true) return [String(given.skill_name)];
  const hints = Array.isArray(result.skill_activation_hints) ? result.skill_activation_hints : [];
  return hints.flatMap((hint: { skill_name?: unknown; primary_file_inlined?: unknown }) =>
    hint.primary_file_inlined === true && typeof hint.skill_name === 'string' ? [hint.skill_name] : [],
  );
}
