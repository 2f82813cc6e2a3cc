import * as z from 'zod';
import { activeSkills, activeToolGroups, contextBudgetPolicy, modelTier, toolProfileOverrides } from '../fields.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const input = z.object({
  action: z
    .enum([
      'SEARCH_CONTEXT',
      'SET_CONTEXT',
      'ADD_CONTEXT',
      'REMOVE_CONTEXT',
      'RESET_ACTIVE',
      'GET_DEFAULTS',
      'SET_DEFAULTS',
    ])
    .default('SEARCH_CONTEXT')
    .describe(
      'SEARCH_CONTEXT finds capabilities; ADD_, SET_ and REMOVE_CONTEXT change what this thread has active; RESET_ACTIVE goes back to the defaults; GET_ and SET_DEFAULTS are about what threads of this agent start with.',
    ),
  query: z
    .string()
    .max(2000)
    .default('')
    .describe('What is needed, in words; empty lists everything. For SEARCH_CONTEXT.'),
  search_scope: z
    .enum(['all', 'skills', 'tools', 'blueprints', 'document_indexes', 'knowledge_bases'])
    .default('all')
    .describe('Where SEARCH_CONTEXT looks; blueprints are prompt files.'),
  limit: z.int().min(1).max(100).default(20).describe('Most results a page, 1 to 100.'),
  offset: z.int().min(0).default(0).describe('Where the page starts: the next_offset of the page before.'),
  active_tool_groups: activeToolGroups,
  active_skills: activeSkills,
  model_tier: modelTier,
  tool_profile_overrides: toolProfileOverrides,
  context_budget_policy: contextBudgetPolicy,
});

export default defineTool({
  name: 'manage_context',
  title: 'Find and activate tools and skills',
  description:
    'Finds capabilities and changes what is active in this thread: tool groups, skills, prompt files, document indexes and knowledge bases. Use it first when a task may need a tool, skill or know-how that you do not see: SEARCH_CONTEXT with a few words finds by meaning, ADD_CONTEXT with the found names activates them. The answer to ADD_CONTEXT holds the SKILL.md of each new skill, and the parameters of each new tool: call those tools at once with call_tool. Groups include team wiki, data lineage, SQL connections, document indexes, past chats and agent policy. Also reads and sets what the threads of this agent start with (GET_DEFAULTS, SET_DEFAULTS).',
  input,
  effect: 'state',
  run: async (values, context) => ({ data: { action: values.action, ...(await act(values, context)) } }),
});

async function act(values: z.output<typeof input>, context: ToolContext): Promise<object> {
  const { capabilities, caller, foreign, unknown, signal } = context;
  const { action, query, search_scope: scope, limit, offset, ...wanted } = values;
  switch (action) {
    case 'SEARCH_CONTEXT':
      return capabilities.search({ ...caller, query, scope, limit, offset, foreign }, signal);
    case 'ADD_CONTEXT':
    case 'SET_CONTEXT':
      return capabilities.activate({ ...caller, wanted, replace: action === 'SET_CONTEXT', unknown, foreign }, signal);
    case 'REMOVE_CONTEXT':
      return capabilities.deactivate({ ...caller, wanted, unknown }, signal);
    case 'RESET_ACTIVE':
      return capabilities.reset(caller, signal);
    case 'GET_DEFAULTS':
      return capabilities.defaults(caller, signal);
    case 'SET_DEFAULTS':
      return capabilities.setDefaults({ ...caller, wanted, unknown, foreign }, signal);
  }
}
