import { UserError } from '../errors.ts';
import { allows } from './records.ts';
import type { Asker, World } from './world.ts';

/** What skills are to the thread and the agent that ask. */
export function skillStanding(world: World) {
  return {
    /** Names of the skills that are active, read, on from the start (`standard`) and denied by policy. */
    async skills(input: Asker) {
      const { agent, skills } = await world.stock(await world.agentNamed(input), []);
      const record = await world.thread(input);
      return {
        active: record?.active_skills ?? [],
        read: record?.read_skills ?? [],
        standard: agent.active_skills,
        denied: skills
          .map(({ name }) => name)
          .filter((name) => !allows(agent.skill_access_mode, agent.skill_access_list, name)),
      };
    },

    /**
     * Lets the reading of a skill pass, or says why not.
     * @throws UserError `policy_denied`
     */
    async admitSkill({ skill, ...asker }: Asker & { skill: string }): Promise<void> {
      // Without thread and agent it is a person at the command line, whom no policy is for.
      if (asker.thread === undefined && asker.agent === undefined) return;
      const { agent, skills } = await world.stock(await world.agentNamed(asker), []);
      // Of one that does not exist, reading says so.
      if (!skills.some(({ name }) => name === skill)) return;
      if (allows(agent.skill_access_mode, agent.skill_access_list, skill)) return;
      throw new UserError(
        'policy_denied',
        `The policy of agent ${agent.agent} denies the skill ${skill}.`,
        'A person can change the policy; go on without it.',
        { policy_denied_skills: [skill], skill_access_mode: agent.skill_access_mode },
      );
    },
  };
}
