import * as z from 'zod';
import {
  activeSkills,
  activeToolGroups,
  agentName,
  contextBudgetPolicy,
  modelTier,
  toolProfileOverrides,
} from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'set_agent_context_defaults',
  title: 'Set what an agent starts with',
  description:
    "Sets what every new thread of an agent starts with: active tool groups and skills, skills that compression must keep, model tier, tool profiles and budget policy. Use it when a person wants an agent to have something from the start; for this thread only, use manage_context. What is left out stays as it is. At most 12 tool groups unless the person's settings allow more. Names that do not exist, are not available or are denied by the agent's policy are refused with structured details, and nothing is changed.",
  input: z.object({
    agent: agentName,
    active_tool_groups: activeToolGroups,
    active_skills: activeSkills,
    never_compress_skills: z
      .string()
      .default('')
      .describe('Comma-separated skills whose text compression must leave whole.'),
    model_tier: modelTier,
    tool_profile_overrides: toolProfileOverrides,
    context_budget_policy: contextBudgetPolicy,
  }),
  effect: 'write',
  async run({ agent, never_compress_skills: neverCompress, ...wanted }, { capabilities, foreign, unknown, signal }) {
    const input = { thread: undefined, agent, wanted, neverCompress, unknown, foreign };
    return { data: await capabilities.setDefaults(input, signal) };
  },
});
