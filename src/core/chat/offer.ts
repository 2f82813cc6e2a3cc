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

/** As many tools, from the first on, as take at most `most` tokens; with all their parameters where that has room. */
export async function toolsWithin(
  tools: readonly OfferedTool[],
  most: number,
  count: (tool: OfferedTool) => Promise<number>,
): Promise<{ readonly tools: readonly OfferedTool[]; readonly tokens: number }> {
  const whole = await Promise.all(tools.map(count));
  const sum = whole.reduce((total, tokens) => total + tokens, 0);
  if (sum <= most) return { tools, tokens: sum };
  const kept: OfferedTool[] = [];
  let total = 0;
  for (const tool of tools) {
    const smaller = { ...tool, inputSchema: basic(tool.inputSchema) };
    const tokens = await count(smaller);
    if (total + tokens > most) break;
    kept.push(smaller);
    total += tokens;
  }
  return { tools: kept, tokens: total };
}
