import * as vscode from 'vscode';
import type { ForeignTool } from '../core/capabilities/catalog.ts';
import { resultText } from '../core/threads/readers/result-text.ts';
import { parameterLines } from '../tools/catalog.ts';
import type { ForeignTools } from '../tools/run.ts';
import type { ToolImage } from '../tools/tool.ts';
import { withToken } from './cancellation.ts';

/** Every tool that the editor knows besides our own, by the extension or MCP server that brings it. */
export function foreignTools(): ForeignTool[] {
  const owners = extensionOwners();
  return vscode.lm.tools
    .filter(({ name }) => !name.startsWith('loci_'))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      owner: owners.get(name) ?? mcpServer(name) ?? 'editor',
      parameters: parameterLines(inputSchema),
    }));
}

/** The same, callable as part of one chat request. */
export function foreignToolsOf(toolInvocationToken: vscode.ChatParticipantToolToken | undefined): ForeignTools {
  return {
    list: foreignTools,
    async call(name, input, signal) {
      const { content } = await withToken(signal, (token) =>
        vscode.lm.invokeTool(name, { input, toolInvocationToken }, token),
      );
      const { text, images } = resultParts(content);
      return { data: { tool_name: name, content: text }, images };
    },
  };
}

/** The text of a tool's result, prompt trees among it, and its pictures. */
export function resultParts(content: readonly unknown[]): { text: string; images: ToolImage[] } {
  const images: ToolImage[] = [];
  const rest: unknown[] = [];
  for (const part of content) {
    const picture = part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith('image/');
    if (picture) images.push({ mime: part.mimeType, bytes: part.data });
    else rest.push(part);
  }
  return { text: resultText({ content: rest }), images };
}

/** Which extension declares each tool. */
function extensionOwners(): Map<string, string> {
  return new Map(
    vscode.extensions.all.flatMap(({ id, packageJSON }) => {
      const declared: unknown = (packageJSON as { contributes?: { languageModelTools?: unknown } }).contributes
        ?.languageModelTools;
      const tools = Array.isArray(declared) ? (declared as { name?: unknown }[]) : [];
      return tools.flatMap(({ name }): [string, string][] =>
        typeof name === 'string' ? [[name, id.toLowerCase()]] : [],
      );
    }),
  );
}

/** The server of an MCP tool, by the way the editor names those: `mcp_<server>_<tool>`. */
function mcpServer(name: string): string | undefined {
  const server = /^mcp_([^_]+)_/.exec(name)?.[1];
  return server === undefined ? undefined : `mcp.${server}`;
}
