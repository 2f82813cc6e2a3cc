import * as z from 'zod';
import { agentName } from '../fields.ts';
import { defineTool } from '../tool.ts';

const mode = (what: string) =>
  z
    .enum(['all', 'allowlist', 'denylist'])
    .optional()
    .describe(`Whether the agent may use all ${what}, only those of the list, or all but those; left out: unchanged.`);
const list = (what: string) =>
  z.array(z.string()).optional().describe(`Names of ${what} that the list holds; left out: unchanged.`);

export default defineTool({
  name: 'set_agent_capability_policy',
  title: 'Set what an agent may use',
  description:
    'Sets which tool groups and skills an agent may use at all, by allowlist or denylist, and which knowledge bases are assigned to it. Use it when a person wants to limit an agent, or to lift such a limit. Denied groups and skills are not found by searches, cannot be activated, and calls of their tools are refused, also in threads under way. context_tools are always allowed. Knowledge bases and document indexes that are not assigned are to the agent as if they were not there; a document that lies in two bases is found by the one that is assigned. What is left out stays as it is.',
  input: z.object({
    agent: agentName,
    tool_access_mode: mode('tool groups'),
    tool_access_list: list('tool groups'),
    skill_access_mode: mode('skills'),
    skill_access_list: list('skills'),
    knowledge_bases: z
      .array(z.string())
      .nullable()
      .default(null)
      .describe(
        'Names of the knowledge bases and document indexes that the agent may search and read; ["*"] for all, [] for none; null: unchanged.',
      ),
  }),
  effect: 'write',
  run: async ({ agent, ...policy }, { capabilities, signal }) => ({
    data: await capabilities.setPolicy({ agent, policy }, signal),
  }),
});
