import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'call_tool',
  title: 'Call a tool of an active group',
  description:
    "Calls any tool of an active tool group by its name. Use it right after manage_context has activated a group: its tools are offered to you directly only from your next message on, but can be called at once through this. Pass the tool's name and its arguments as an object, exactly as manage_context listed them under tool_group_hints. Also reaches tools of other extensions and MCP servers that SEARCH_CONTEXT found. The result is the called tool's own. A tool whose group is not active is refused with the way to activate it.",
  input: z.object({
    tool_name: z.string().min(1).describe('Name of the tool, such as wiki_search.'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('Its arguments, as an object.'),
  }),
  effect: 'read',
  delegates: true,
  confirm: ({ tool_name, arguments: input }, { confirmationOf }) => confirmationOf(tool_name, input),
  async run({ tool_name, arguments: input }, { callTool }) {
    if (/^(?:loci_)?call_tool$/.test(tool_name)) {
      throw new UserError(
        'invalid_input',
        'call_tool cannot call itself.',
        'Pass the name of the tool you want as tool_name.',
      );
    }
    return callTool(tool_name, input);
  },
});
