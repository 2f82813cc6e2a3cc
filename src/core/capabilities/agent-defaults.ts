import { UserError } from '../errors.ts';
import { assignedIds } from './assigned-bases.ts';
import type { ForeignTool } from './catalog.ts';
import {
  activeOf,
  type ContextSettings,
  checkSettings,
  policyOf,
  requireSetting,
  settingsOf,
  withSettings,
} from './context-settings.ts';
import { checkDefaultsCap, checkRequest, namesOf } from './request.ts';
import { type Asker, type CapabilitiesPorts, DEFAULT_AGENT, type World } from './world.ts';

type Policy = ReturnType<typeof policyOf>;
type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What each agent's threads start with, and what it may use at all. */
export function agentDefaults(
  world: World,
  { agents, skills, bases }: Pick<CapabilitiesPorts, 'agents' | 'skills' | 'bases'>,
) {
  const cap = () => Number(world.config.settings['context.maxDefaultToolGroups']);

  const requireAgent = async (name: string): Promise<void> => {
    const known = [DEFAULT_AGENT, ...(await agents())];
    if (known.includes(name)) return;
    throw new UserError(
      'unknown_agent',
      `There is no agent "${name}" here; nothing was changed.`,
      `Agents are ${known.slice(0, 20).join(', ')}. Custom agents are .github/agents/*.agent.md files.`,
      { unknown_agent: name },
    );
  };

  /** GET_DEFAULTS, with the policy they live under and what this thread has active. */
  const defaults = async (input: Asker): Promise<object> => {
    const { groups, skills: known, agent } = await world.stock(await world.agentNamed(input), []);
    const { active_skills, never_compress_skills } = agent;
    const missing = [...active_skills, ...never_compress_skills].filter(
      (name) => !known.some((skill) => skill.name === name),
    );
    const record = await world.thread(input);
    return {
      agent: agent.agent,
      defaults: {
        active_tool_groups: agent.active_tool_groups ?? world.defaultGroups(),
        set_by: agent.active_tool_groups === null ? 'loci' : 'agent',
        active_skills,
        never_compress_skills,
        ...settingsOf(agent),
      },
      ...(missing.length > 0 && { missing_skills: missing }),
      always_on_tool_groups: groups.flatMap(({ name, activation }) => (activation === 'always' ? [name] : [])),
      policy: policyOf(agent, await bases()),
      max_default_tool_groups: cap(),
      ...(record && { thread: { thread_id: record.thread, ...activeOf(record) } }),
    };
  };

  return {
    defaults,

    /** SET_DEFAULTS and set_agent_context_defaults: what is given replaces what the agent has; threads under way keep theirs. */
    async setDefaults(
      input: Asker & {
        wanted: ContextSettings;
        neverCompress?: string;
        unknown: readonly string[];
        foreign: readonly ForeignTool[];
      },
    ): Promise<object> {
      const { wanted, foreign, neverCompress = '' } = input;
      if (neverCompress.trim() === '') requireSetting('Setting defaults', wanted, input.unknown);
      const name = await world.agentNamed(input);
      await requireAgent(name);
      const stock = await world.stock(name, foreign);
      const [groups, named, kept] = [
        namesOf(wanted.active_tool_groups),
        namesOf(wanted.active_skills),
        namesOf(neverCompress),
      ];
      checkRequest({ groups, skills: [...named, ...kept] }, stock);
      checkSettings(wanted, stock.groups);
      const { order } = await skills.prerequisites(named);
      checkRequest({ groups: [], skills: order }, stock);
      const always = new Set(stock.groups.flatMap((group) => (group.activation === 'always' ? [group.name] : [])));
      const optional = groups.filter((group) => !always.has(group));
      checkDefaultsCap(optional, cap());
      await world.records.changeAgent(name, (record) => ({
        ...record,
        ...(groups.length > 0 && { active_tool_groups: optional }),
        ...(named.length > 0 && { active_skills: [...new Set([...order, ...named])] }),
        ...(kept.length > 0 && { never_compress_skills: kept }),
        ...withSettings(record, wanted, true),
      }));
      await world.offer();
      return defaults({ thread: undefined, agent: name });
    },

    /** set_agent_capability_policy: what is given replaces what is there; threads under way are held to it at their next call. */
    async setPolicy({ agent, policy }: { agent: string; policy: Changes<Policy> }): Promise<object> {
      await requireAgent(agent);
      const assigned = policy.knowledge_bases && { ids: assignedIds(policy.knowledge_bases, await bases()) };
      const changed = await world.records.changeAgent(agent, (record) => ({
        ...record,
        tool_access_mode: policy.tool_access_mode ?? record.tool_access_mode,
        tool_access_list: policy.tool_access_list ?? record.tool_access_list,
        skill_access_mode: policy.skill_access_mode ?? record.skill_access_mode,
        skill_access_list: policy.skill_access_list ?? record.skill_access_list,
        knowledge_bases: assigned ? assigned.ids : record.knowledge_bases,
      }));
      const stock = await world.stock(agent, []);
      const missing = (list: readonly string[], known: readonly { name: string }[]) =>
        list.filter((name) => !known.some((one) => one.name === name));
      const unknown = [
        ...missing(changed.tool_access_list, stock.groups),
        ...missing(changed.skill_access_list, stock.skills),
      ];
      return {
        agent,
        policy: policyOf(changed, await bases()),
        ...(unknown.length > 0 && { warnings: [`Not found here now, but kept in the lists: ${unknown.join(', ')}.`] }),
      };
    },
  };
}
