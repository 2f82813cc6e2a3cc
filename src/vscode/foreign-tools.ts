import * as vscode from 'vscode';
import type { ForeignTool } from '../core/capabilities/catalog.ts';
import { parameterLines } from '../tools/catalog.ts';
import type { ForeignTools } from '../tools/run.ts';
import type { ToolImage } from '../tools/tool.ts';

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
      const cancellation = new vscode.CancellationTokenSource();
      const stop = () => cancellation.cancel();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken }, cancellation.token);
        const texts = content.filter((part) => part instanceof vscode.LanguageModelTextPart);
        const images = content.flatMap((part): ToolImage[] =>
          part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith('image/')
            ? [{ mime: part.mimeType, bytes: part.data }]
            : [],
        );
        return { data: { tool_name: name, content: texts.map(({ value }) => value).join('\n') }, images };
      } finally {
        signal.removeEventListener('abort', stop);
        cancellation.dispose();
      }
    },
  };
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
