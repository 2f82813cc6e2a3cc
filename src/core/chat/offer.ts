import type { OfferedTool } from './model.ts';

export type ToolProfile = 'basic' | 'advanced';

/** Most tools a model provider takes in one request. */
const MOST_TOOLS = 128;

/** The tools as a thread wants them: those with the profile `basic` with their required parameters only. */
export function profiled(
  tools: readonly OfferedTool[],
  overrides: Readonly<Record<string, ToolProfile>>,
): OfferedTool[] {
  const profileOf = (name: string) => overrides[name] ?? overrides[name.replace(/^loci_/, '')];
  return tools
    .slice(0, MOST_TOOLS)
    .map((tool) => (profileOf(tool.name) === 'basic' ? { ...tool, inputSchema: basic(tool.inputSchema) } : tool));
}

function basic(schema: object): object {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, unknown>>;
    required?: readonly string[];
  };
  const kept = Object.entries(properties).filter(([name]) => required.includes(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}
