import { UserError } from '../errors.ts';
import type { ForeignTool } from './catalog.ts';
import { type AccessMode, type AgentRecord, allows } from './records.ts';
import { checkDefaultsCap, checkRequest } from './request.ts';
import type { SkillPort } from './skill-port.ts';
import { DEFAULT_AGENT, type World } from './world.ts';

/** One tool group or skill that a person switches by hand. */
export interface Switch {
  readonly kind: 'tool_group' | 'skill';
  readonly name: string;
  readonly on: boolean;
  /** Tools of other extensions, whose groups may be meant. */
  readonly foreign: readonly ForeignTool[];
}

/**
 * What a person does in the sidebar, under the same checks as an agent; policy excepted, which is theirs to make. Unlike
 * the agent's own activation, nothing is handed to the thread, so no skill counts as read.
 */
export function personActions(world: World, skills: SkillPort) {
  const check = async ({ kind, name, on, foreign }: Switch, agent: string): Promise<void> => {
    const stock = await world.stock(agent, foreign);
    const asked = on ? [name] : [];
    checkRequest(kind === 'skill' ? { groups: [], skills: asked } : { groups: asked, skills: [] }, stock);
  };

  const prerequisites = async ({ kind, name, on }: Switch): Promise<readonly string[]> =>
    kind === 'skill' && on ? (await skills.prerequisites([name])).order : [];

  return {
    /** Switches a group or skill on or off in a thread. */
    async switchInThread({ thread, ...change }: Switch & { thread: string }): Promise<void> {
      const asker = { thread, agent: undefined };
      await check(change, await world.agentNamed(asker));
      const more = await prerequisites(change);
      const list = change.kind === 'skill' ? 'active_skills' : 'active_tool_groups';
      await world.change(asker, (record) => ({ ...record, [list]: switched(record[list], change, more) }));
    },

    /** Puts a group or skill among what new threads of the default agent start with, or takes it out. */
    async switchDefault(change: Switch): Promise<void> {
      await check(change, DEFAULT_AGENT);
      const more = await prerequisites(change);
      await world.records.changeAgent(DEFAULT_AGENT, (record) => {
        if (change.kind === 'skill') return { ...record, active_skills: switched(record.active_skills, change, more) };
        const groups = switched(record.active_tool_groups ?? world.defaultGroups(), change, []);
        checkDefaultsCap(groups, Number(world.config.settings['context.maxDefaultToolGroups']));
        return { ...record, active_tool_groups: groups };
      });
      await world.offer();
    },

    /** Allows the default agent a group or skill, or denies it, within the kind of list its policy has. */
    async switchAllowed(change: Switch): Promise<void> {
      const always = world.groups().some(({ name, activation }) => name === change.name && activation === 'always');
      if (always) {
        throw new UserError('always_on', `${change.name} cannot be denied.`, 'Deny another group.');
      }
      await world.records.changeAgent(DEFAULT_AGENT, (record) => ({ ...record, ...allowed(record, change) }));
    },
  };
}

function switched(list: readonly string[], { name, on }: Switch, more: readonly string[]): string[] {
  const others = list.filter((one) => one !== name);
  return on ? [...new Set([...others, ...more, name])] : others;
}

function allowed(record: AgentRecord, { kind, name, on }: Switch): Partial<AgentRecord> {
  const [mode, list] =
    kind === 'skill'
      ? [record.skill_access_mode, record.skill_access_list]
      : [record.tool_access_mode, record.tool_access_list];
  if (allows(mode, list, name) === on) return {};
  const listed = (mode === 'allowlist') === on;
  const next: AccessMode = mode === 'all' ? 'denylist' : mode;
  const names = listed ? [...list, name] : list.filter((one) => one !== name);
  return kind === 'skill'
    ? { skill_access_mode: next, skill_access_list: names }
    : { tool_access_mode: next, tool_access_list: names };
}
