import { UserError } from '../errors.ts';
import { agentDefaults } from './agent-defaults.ts';
import { basesOf } from './assigned-bases.ts';
import type { ForeignTool } from './catalog.ts';
import { type Capabilities, findables, pageOfBoth, renderMatch, type SearchScopeName } from './discover.ts';
import { createFinder } from './find.ts';
import { personActions } from './person.ts';
import { type AgentRecord, allows } from './records.ts';
import { skillStanding } from './skill-standing.ts';
import { threadContext } from './thread-context.ts';
import { type Asker, type CapabilitiesConfig, type CapabilitiesPorts, createWorld } from './world.ts';

interface SearchInput extends Asker {
  readonly query: string;
  readonly scope: SearchScopeName;
  readonly limit: number;
  readonly offset: number;
  readonly foreign: readonly ForeignTool[];
}

/** Tool groups, skills and policy: what each thread may use, what it has active, and how to find the rest. */
export function createCapabilities(ports: CapabilitiesPorts) {
  const world = createWorld(ports);
  const finder = createFinder();

  const mayUse = (agent: AgentRecord) => ({
    group: (name: string) => allows(agent.tool_access_mode, agent.tool_access_list, name),
    skill: (name: string) => allows(agent.skill_access_mode, agent.skill_access_list, name),
  });

  return {
    configure: (config: CapabilitiesConfig) => world.configure(config),

    /** What the worker answers. */
    methods: {
      ...threadContext(world, ports.skills),
      ...agentDefaults(world, ports),
      ...skillStanding(world),
      ...personActions(world, ports.skills),

      /** Ids of the knowledge bases that a caller may use; null for all. */
      basesOf: (asker: Asker) => basesOf(world, asker),

      /**
       * Lets a call pass, or says why not.
       * @throws UserError `policy_denied`, `unavailable_tool_group`, `tool_group_inactive`, or `refused` for private groups.
       */
      async admit(call: Asker & { group: string; tool: string; foreign?: readonly ForeignTool[] }): Promise<void> {
        const { tool } = call;
        const group = world.groups(call.foreign).find(({ name }) => name === call.group);
        if (!group) throw new Error(`no group ${call.group}`);
        const { name, activation, unavailable } = group;
        const record = await world.thread(call);
        const active = record?.active_tool_groups.includes(name) ?? false;
        if (activation === 'private') {
          if (active) return;
          throw new UserError('refused', 'This call is not available here.', 'Go on without it.');
        }
        if (record) await world.note(record);
        if (activation === 'always') return;
        // Without thread and agent it is a person at the command line, whom no policy is for.
        const isPerson = call.thread === undefined && call.agent === undefined;
        const agent = await world.records.agent(await world.agentNamed(call));
        if (!isPerson && !mayUse(agent).group(name)) {
          throw new UserError(
            'policy_denied',
            `The policy of agent ${agent.agent} denies the tool group ${name}, which ${tool} belongs to.`,
            'A person can change the policy; go on without it.',
            { policy_denied_tool_groups: [name], tool_access_mode: agent.tool_access_mode },
          );
        }
        if (unavailable !== undefined) {
          const details = { unavailable_tool_groups: [{ tool_group: name, unavailable_reason: unavailable }] };
          throw new UserError(
            'unavailable_tool_group',
            `${tool} cannot run here: ${unavailable}`,
            'Go on without it.',
            details,
          );
        }
        if (!record || active) return;
        throw new UserError(
          'tool_group_inactive',
          `${tool} belongs to the tool group ${name}, which is not active in this thread.`,
          `Activate it with manage_context(action="ADD_CONTEXT", active_tool_groups="${name}"), then call the tool again.`,
          { tool_group: name, active_tool_groups: record.active_tool_groups },
        );
      },

      /** SEARCH_CONTEXT: what there is to activate or read, by word and by meaning; everything for an empty query. */
      async search(input: SearchInput, signal?: AbortSignal): Promise<object> {
        const { query, scope, limit, offset } = input;
        const { groups, skills, agent } = await world.stock(await world.agentNamed(input), input.foreign);
        const may = mayUse(agent);
        const assigned = await basesOf(world, input);
        const all: Capabilities = {
          groups: groups.filter(
            ({ name, activation, tools }) =>
              activation === 'always' || (activation !== 'private' && tools.length > 0 && may.group(name)),
          ),
          skills: skills.filter(({ name }) => may.skill(name)),
          prompts: await ports.skills.prompts(),
          indexes: (await ports.indexes()).filter(
            ({ bases }) => !assigned || bases.every((id) => assigned.includes(id)),
          ),
        };
        const items = findables(scope, all);
        const asked = /[\p{L}\p{N}]/u.test(query);
        const matches = asked
          ? await finder.find(items, query, world.config.embedder, signal)
          : items.map(({ key }) => ({ key, score: 0, matched_terms: [] }));
        const record = await world.thread(input);
        const [active, defaults] = [
          { tool_groups: record?.active_tool_groups ?? [], skills: record?.active_skills ?? [] },
          { tool_groups: agent.active_tool_groups ?? world.defaultGroups(), skills: agent.active_skills },
        ];
        const rendered = matches.map((match) => ({
          bucket: match.key.slice(0, match.key.indexOf('/')),
          item: renderMatch(match, all, {
            isActive: (kind, name) => active[kind].includes(name),
            isDefault: (kind, name) => defaults[kind].includes(name),
          }),
        }));
        const readsText = asked && (scope === 'all' || scope === 'knowledge_bases');
        const hits = readsText ? await ports.searchKnowledge(query, assigned, signal) : [];
        return pageOfBoth(rendered, hits, { offset, limit });
      },

      /** Every group that is not private, with its standing in the thread and with the agent. */
      async groups(input: Asker & { foreign: readonly ForeignTool[] }) {
        const agent = await world.records.agent(await world.agentNamed(input));
        const record = await world.thread(input);
        const defaults = agent.active_tool_groups ?? world.defaultGroups();
        const may = mayUse(agent);
        return world
          .groups(input.foreign)
          .filter(({ activation }) => activation !== 'private')
          .map((group) => ({
            ...group,
            active: group.activation === 'always' || (record?.active_tool_groups.includes(group.name) ?? false),
            default: defaults.includes(group.name),
            denied: group.activation !== 'always' && !may.group(group.name),
          }));
      },
    },
  };
}
