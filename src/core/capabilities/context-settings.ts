import { UserError } from '../errors.ts';
import type { NamedBase } from './assigned-bases.ts';
import type { Group } from './catalog.ts';
import type { AgentRecord, ThreadRecord } from './records.ts';

/** What a caller wants set; what is left empty stays as it is. Lists are comma-separated. */
export interface ContextSettings {
  readonly active_tool_groups: string;
  readonly active_skills: string;
  readonly model_tier: '' | 'frontier' | 'main' | 'fast';
  readonly tool_profile_overrides: Readonly<Record<string, 'basic' | 'advanced'>> | null;
  readonly context_budget_policy: Readonly<Record<string, unknown>> | null;
}

type RunSettings = Pick<ThreadRecord, 'model_tier' | 'tool_profile_overrides' | 'context_budget_policy'>;

/** Arguments that a runtime may add to every call; no one asked for them. */
const INJECTED = new Set(['run_id', 'session_id', 'user_id', 'thread_id', 'bot_id', 'agent_id', 'request_id']);

/** Refuses a change that names nothing to change. `unknown` are the arguments that were not understood. */
export function requireSetting(action: string, wanted: ContextSettings, unknown: readonly string[]): void {
  const { active_tool_groups, active_skills, model_tier, tool_profile_overrides, context_budget_policy } = wanted;
  const given =
    active_tool_groups.trim() || active_skills.trim() || model_tier || tool_profile_overrides || context_budget_policy;
  if (given) return;
  const unrecognized = unknown.filter((name) => !INJECTED.has(name));
  const named = unrecognized.length > 0 ? ` Unrecognized arguments: ${unrecognized.join(', ')}.` : '';
  throw new UserError(
    'no_recognized_setting',
    `${action} needs something to change; nothing was changed.${named}`,
    'Pass active_tool_groups, active_skills, model_tier, tool_profile_overrides or context_budget_policy.',
    { unrecognized_arguments: unrecognized },
  );
}

/** Refuses overrides for tools that do not exist, and headroom that is no share of the window. */
export function checkSettings(wanted: ContextSettings, groups: readonly Group[]): void {
  const tools = new Set(groups.flatMap((group) => group.tools.map(({ name }) => name)));
  const unknown = Object.keys(wanted.tool_profile_overrides ?? {}).filter(
    (name) => !tools.has(name) && !tools.has(name.replace(/^loci_/, '')),
  );
  if (unknown.length > 0) {
    throw new UserError(
      'request_rejected',
      `Nothing was changed. tool_profile_overrides names unknown tools: ${unknown.join(', ')}.`,
      'Use tool names as SEARCH_CONTEXT lists them.',
      { unknown_tools: unknown },
    );
  }
  const headroom = wanted.context_budget_policy?.reserved_headroom_pct;
  if (headroom === undefined || (typeof headroom === 'number' && headroom >= 0 && headroom <= 90)) return;
  throw new UserError(
    'invalid_input',
    'Nothing was changed. context_budget_policy.reserved_headroom_pct is not a number from 0 to 90.',
    'Pass the percentage of the context window to keep free, such as 20.',
  );
}

/** A record's run settings with what is wanted put in; overrides join those there unless they replace them. */
export function withSettings(record: RunSettings, wanted: ContextSettings, replace: boolean): RunSettings {
  const { model_tier, tool_profile_overrides, context_budget_policy } = wanted;
  return {
    model_tier: model_tier === '' ? record.model_tier : model_tier,
    tool_profile_overrides: tool_profile_overrides
      ? { ...(replace ? {} : record.tool_profile_overrides), ...tool_profile_overrides }
      : record.tool_profile_overrides,
    context_budget_policy: context_budget_policy ?? record.context_budget_policy,
  };
}

/** A record's run settings without those that are named. */
export function withoutSettings(record: RunSettings, named: ContextSettings): RunSettings {
  const gone = Object.keys(named.tool_profile_overrides ?? {});
  const { tool_profile_overrides: overrides } = record;
  return {
    model_tier: named.model_tier === record.model_tier ? null : record.model_tier,
    tool_profile_overrides: Object.fromEntries(Object.entries(overrides).filter(([name]) => !gone.includes(name))),
    context_budget_policy: named.context_budget_policy ? null : record.context_budget_policy,
  };
}

/** What a thread has active, as results show it. */
export function activeOf(record: ThreadRecord): object {
  return {
    active_tool_groups: record.active_tool_groups,
    active_skills: record.active_skills,
    ...settingsOf(record),
  };
}

/** The run settings that are set. The editor chooses the model of its own chats, so a tier holds elsewhere only. */
export function settingsOf({ model_tier, tool_profile_overrides, context_budget_policy }: RunSettings): object {
  const overrides = Object.keys(tool_profile_overrides).length > 0;
  return {
    ...(model_tier && {
      model_tier,
      model_tier_applies_to: 'chats with @loci; elsewhere the editor chooses the model',
    }),
    ...(overrides && { tool_profile_overrides }),
    ...(context_budget_policy && { context_budget_policy }),
  };
}

/** Which groups, skills and knowledge bases an agent may use; a base by its name, by its id while it is not there. */
export function policyOf(agent: AgentRecord, bases: readonly NamedBase[]) {
  const { tool_access_mode, tool_access_list, skill_access_mode, skill_access_list, knowledge_bases } = agent;
  const nameOf = (id: string) => bases.find((base) => base.id === id)?.name ?? id;
  return {
    tool_access_mode,
    tool_access_list,
    skill_access_mode,
    skill_access_list,
    knowledge_bases: knowledge_bases && [...new Set(knowledge_bases.map(nameOf))],
  };
}
