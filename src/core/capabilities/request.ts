import { UserError } from '../errors.ts';
import type { Group } from './catalog.ts';
import { type AgentRecord, allows } from './records.ts';
import type { InvalidSkill, SkillEntry } from './skill-port.ts';

/** Most functions a model provider takes in one request. */
const FUNCTION_CAP = 128;

/** Names of a comma-separated list, each once, in order. */
export function namesOf(list: string): string[] {
  return [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

interface World {
  readonly groups: readonly Group[];
  readonly skills: readonly SkillEntry[];
  readonly invalidSkills: readonly InvalidSkill[];
  readonly agent: AgentRecord;
}

/**
 * Refuses a request for groups and skills that cannot all be granted, telling apart names that do not exist (private groups
 * among them), groups that cannot run here, and what the agent's policy denies. Nothing is changed by a refused request.
 * @throws UserError `request_rejected` with `details`.
 */
export function checkRequest(
  { groups, skills }: { groups: readonly string[]; skills: readonly string[] },
  { groups: known, skills: knownSkills, invalidSkills, agent }: World,
): void {
  const group = (name: string) => known.find((one) => one.name === name && one.activation !== 'private');
  const unknownGroups = groups.filter((name) => !group(name));
  const denied = groups.filter((name) => {
    const found = group(name);
    return found && found.activation !== 'always' && !allows(agent.tool_access_mode, agent.tool_access_list, name);
  });
  const unavailable = groups.flatMap((name) => {
    const reason = denied.includes(name) ? undefined : group(name)?.unavailable;
    return reason === undefined ? [] : [{ tool_group: name, unavailable_reason: reason }];
  });
  const absent = skills.filter((name) => !knownSkills.some((skill) => skill.name === name));
  const invalid = invalidSkills.filter(({ name }) => absent.includes(name));
  const unknownSkills = absent.filter((name) => !invalid.some((skill) => skill.name === name));
  const deniedSkills = skills.filter(
    (name) => !absent.includes(name) && !allows(agent.skill_access_mode, agent.skill_access_list, name),
  );
  const details = {
    ...(unknownGroups.length > 0 && { unknown_tool_groups: unknownGroups }),
    ...(unavailable.length > 0 && { unavailable_tool_groups: unavailable }),
    ...(denied.length > 0 && { policy_denied_tool_groups: denied, tool_access_mode: agent.tool_access_mode }),
    ...(unknownSkills.length > 0 && { unknown_skills: unknownSkills }),
    ...(invalid.length > 0 && { invalid_skills: invalid }),
    ...(deniedSkills.length > 0 && { policy_denied_skills: deniedSkills, skill_access_mode: agent.skill_access_mode }),
  };
  const problems = [
    sentence('Unknown tool group', unknownGroups),
    ...unavailable.map(({ tool_group, unavailable_reason }) => `${tool_group} is not available: ${unavailable_reason}`),
    sentence(`The policy of agent ${agent.agent} denies tool group`, denied),
    sentence('Unknown skill', unknownSkills),
    ...invalid.map(({ name, problem }) => `The skill ${name} cannot be used: ${problem}`),
    sentence(`The policy of agent ${agent.agent} denies skill`, deniedSkills),
  ].filter((problem) => problem !== '');
  if (problems.length === 0) return;
  const hint = nearest(
    [...unknownGroups, ...unknownSkills],
    [
      ...known.filter(({ activation }) => activation !== 'private').map(({ name }) => name),
      ...knownSkills.map(({ name }) => name),
    ],
  );
  throw new UserError(
    'request_rejected',
    `Nothing was changed. ${problems.join(' ')}`,
    `${hint}Call again with the names that can be granted; SEARCH_CONTEXT lists what there is.`,
    details,
  );
}

function sentence(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${what}${names.length > 1 ? 's' : ''}: ${names.join(', ')}.`;
}

/** "Did you mean …" for names that share a word with one that exists. */
function nearest(missing: readonly string[], known: readonly string[]): string {
  const words = new Set(
    missing.flatMap((name) => name.toLowerCase().split(/[^a-z0-9]+/)).filter((word) => word.length > 3),
  );
  const close = known.filter((name) => name.split(/[^a-z0-9]+/i).some((word) => words.has(word.toLowerCase())));
  return missing.length === 0 || close.length === 0 ? '' : `Did you mean ${close.slice(0, 3).join(', ')}? `;
}

/** Refuses a set of active groups whose functions a model provider would not take in one request. */
export function checkFunctionCap(active: readonly string[], groups: readonly Group[]): void {
  const counted = groups.filter(({ name, activation }) => activation === 'always' || active.includes(name));
  const count = counted.reduce((sum, { tools }) => sum + tools.length, 0);
  if (count <= FUNCTION_CAP) return;
  throw new UserError(
    'function_cap_exceeded',
    `Nothing was changed. The active groups would hold ${count} tools; a request takes at most ${FUNCTION_CAP}.`,
    'Remove groups that are no longer needed with REMOVE_CONTEXT first.',
    {
      provider_function_cap: FUNCTION_CAP,
      function_count: count,
      tool_groups: counted.map(({ name, tools }) => ({ tool_group: name, functions: tools.length })),
    },
  );
}

/** Refuses more default groups than an agent's threads may start with. 0 is no cap. */
export function checkDefaultsCap(wanted: readonly string[], cap: number): void {
  if (cap === 0 || wanted.length <= cap) return;
  throw new UserError(
    'default_groups_cap_exceeded',
    `Nothing was changed. ${wanted.length} default tool groups were asked for; a thread starts with at most ${cap}.`,
    'Name fewer groups, or raise the setting loci.context.maxDefaultToolGroups.',
    { max_tool_groups: cap, requested_tool_groups: wanted.length, tool_groups: wanted },
  );
}

/** The thread that a change is for. */
export function threadNamed({ thread }: { readonly thread: string | undefined }): string {
  if (thread !== undefined) return thread;
  throw new UserError(
    'thread_unknown',
    'Nothing was changed: it is not known which thread this call belongs to.',
    'On the command line pass --thread ID. SEARCH_CONTEXT, GET_DEFAULTS and SET_DEFAULTS work without a thread.',
  );
}
