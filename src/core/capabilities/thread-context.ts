import { UserError } from '../errors.ts';
import { groupHints, roomBeside, skillHints } from './activate.ts';
import type { ForeignTool } from './catalog.ts';
import {
  activeOf,
  type ContextSettings,
  checkSettings,
  requireSetting,
  withoutSettings,
  withSettings,
} from './context-settings.ts';
import { newThread, type ThreadRecord } from './records.ts';
import { checkFunctionCap, checkRequest, namesOf, threadNamed } from './request.ts';
import type { SkillPort } from './skill-port.ts';
import type { Asker, World } from './world.ts';

interface Wanted {
  readonly wanted: ContextSettings;
  /** Arguments of the call that were not understood. */
  readonly unknown: readonly string[];
}

/** Changing what a thread has active. */
export function threadContext(world: World, skills: SkillPort) {
  const isAlways = (name: string) =>
    world.groups().some((group) => group.name === name && group.activation === 'always');

  const markRead = async (input: Asker & { skills: readonly string[] }): Promise<void> => {
    if (input.thread === undefined) return;
    await world.change(input, (record) => ({
      ...record,
      read_skills: [...new Set([...record.read_skills, ...input.skills])],
    }));
  };

  return {
    /** ADD_CONTEXT and, with `replace`, SET_CONTEXT: what is given joins or replaces what the thread has. */
    async activate(input: Asker & Wanted & { replace: boolean; foreign: readonly ForeignTool[] }): Promise<object> {
      const { wanted, replace, foreign } = input;
      requireSetting(replace ? 'SET_CONTEXT' : 'ADD_CONTEXT', wanted, input.unknown);
      threadNamed(input);
      const stock = await world.stock(await world.agentNamed(input), foreign);
      const groups = namesOf(wanted.active_tool_groups);
      const named = namesOf(wanted.active_skills);
      checkRequest({ groups, skills: named }, stock);
      checkSettings(wanted, stock.groups);
      const { order, missing } = await skills.prerequisites(named);
      checkRequest({ groups: [], skills: order }, stock);

      const before = (await world.thread(input))!;
      const joined = (old: readonly string[], more: readonly string[]) =>
        more.length === 0 ? [...old] : [...new Set([...(replace ? [] : old), ...more])];
      const optional = groups.filter((name) => !isAlways(name));
      const onlyAlways = replace && groups.length > 0 && optional.length === 0;
      const next = (record: ThreadRecord): ThreadRecord => ({
        ...record,
        active_tool_groups: onlyAlways ? [] : joined(record.active_tool_groups, optional),
        active_skills: joined(record.active_skills, [...order, ...named]),
        ...withSettings(record, wanted, replace),
      });
      checkFunctionCap(next(before).active_tool_groups, stock.groups);
      const after = await world.change(input, next);

      const added = after.active_tool_groups.filter((name) => !before.active_tool_groups.includes(name));
      const newSkills = after.active_skills.filter((name) => !before.active_skills.includes(name));
      const result = {
        thread_id: after.thread,
        agent: stock.agent.agent,
        new_tool_groups_added: added,
        new_skills_added: newSkills.filter((name) => named.includes(name)),
        auto_activated_skills: newSkills.filter((name) => !named.includes(name)),
        ...(missing.length > 0 && { missing_prerequisites: missing }),
        ...(replace && {
          removed_tool_groups: before.active_tool_groups.filter((name) => !after.active_tool_groups.includes(name)),
          removed_skills: before.active_skills.filter((name) => !after.active_skills.includes(name)),
        }),
        ...activeOf(after),
        ...(added.length > 0 && {
          tool_group_hints: groupHints(added, stock.groups),
          note: 'Call these tools now with call_tool; from your next message on they are offered to you directly.',
        }),
      };
      const hints = await skillHints(newSkills, skills, roomBeside(result));
      const inlined = hints.filter((hint) => hint.primary_file_inlined).map((hint) => hint.skill_name);
      if (inlined.length > 0) await markRead({ ...input, skills: inlined });
      return { ...result, inlined_skills: inlined, skill_activation_hints: hints };
    },

    /** REMOVE_CONTEXT. */
    async deactivate(input: Asker & Wanted): Promise<object> {
      requireSetting('REMOVE_CONTEXT', input.wanted, input.unknown);
      threadNamed(input);
      const groups = namesOf(input.wanted.active_tool_groups);
      const named = namesOf(input.wanted.active_skills);
      const fixed = groups.filter(isAlways);
      if (fixed.length > 0) {
        throw new UserError(
          'always_on',
          `Nothing was changed. ${fixed.join(', ')} cannot be removed.`,
          'Leave it out of active_tool_groups.',
          { always_on_tool_groups: fixed },
        );
      }
      const before = (await world.thread(input))!;
      const after = await world.change(input, (record) => ({
        ...record,
        active_tool_groups: record.active_tool_groups.filter((name) => !groups.includes(name)),
        active_skills: record.active_skills.filter((name) => !named.includes(name)),
        ...withoutSettings(record, input.wanted),
      }));
      const had = new Set([...before.active_tool_groups, ...before.active_skills]);
      return {
        thread_id: after.thread,
        removed_tool_groups: groups.filter((name) => had.has(name)),
        removed_skills: named.filter((name) => had.has(name)),
        not_active: [...groups, ...named].filter((name) => !had.has(name)),
        ...activeOf(after),
      };
    },

    /** RESET_ACTIVE: back to what the agent's threads start with. */
    async reset(input: Asker): Promise<object> {
      const agent = await world.records.agent(await world.agentNamed(input));
      const fresh = newThread(threadNamed(input), agent, world.defaultGroups());
      const after = await world.change(input, (record) => ({ ...fresh, read_skills: record.read_skills }));
      return { thread_id: after.thread, agent: agent.agent, ...activeOf(after) };
    },

    /** Remembers that a thread has been given these skills' SKILL.md. */
    markRead,

    /** The thread's record, as it is or as it would start; null without a thread. */
    thread: async (input: Asker): Promise<ThreadRecord | null> => (await world.thread(input)) ?? null,

    /** Who runs a thread, and how it wants to be run. */
    async runSettings(input: Asker) {
      const agent = await world.records.agent(await world.agentNamed(input));
      const { active_skills, model_tier, tool_profile_overrides, context_budget_policy } =
        (await world.thread(input)) ?? agent;
      const { agent: name, never_compress_skills } = agent;
      const wanted = { active_skills, model_tier, tool_profile_overrides, context_budget_policy };
      return { agent: name, never_compress_skills, ...wanted };
    },

    /** Puts a private group and skills onto a thread. The extension's own call: no tool leads here. */
    async pin({ groups, skills: names, ...asker }: Asker & { groups: readonly string[]; skills: readonly string[] }) {
      await world.change(asker, (record) => ({
        ...record,
        active_tool_groups: [...groups],
        active_skills: [...names],
      }));
    },
  };
}
