import { readFileSync } from 'node:fs';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type Tool as McpTool,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import type { App } from '../core/app.ts';
import { isEnabled, toolNamed } from '../tools/catalog.ts';
import type { RegisteredTool } from '../tools/groups.ts';
import { tools } from '../tools/index.ts';
import { type Call, confirmationOf, runTool } from '../tools/run.ts';
import type { Caller, Effect } from '../tools/tool.ts';

const INSTRUCTIONS =
  'Loci gives context from this machine: ranked search over the workspace and further knowledge bases, skills, data assets and past chats. Search before you grep. Call manage_context to find and activate further tools and skills; newly activated tools can be called at once through call_tool.';

const Confirmed = z.object({ confirm: z.boolean().describe('Go ahead?') });

/** Serves the tools to one MCP client over stdio, as one thread. Returns what ends it. */
export function serveMcp(app: App, caller: Caller, onError: (error: Error) => void): () => Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const handle = serveStdio(
    () => {
      const capabilities = { tools: { listChanged: true } };
      const server = new Server({ name: 'loci', title: 'Loci', version }, { capabilities, instructions: INSTRUCTIONS });
      server.setRequestHandler('tools/list', async () => ({ tools: (await offered(app, caller)).map(describe) }));
      server.setRequestHandler('tools/call', async ({ params }, context) => {
        const client = capabilitiesOf(context) ?? server.getClientCapabilities();
        return callTool(params, { app, caller, asks: client?.elicitation !== undefined }, context);
      });
      app.on('groups', () => void server.sendToolListChanged().catch(onError));
      return server;
    },
    { onerror: onError },
  );
  let ending: Promise<void> | undefined;
  return () => {
    ending ??= handle.close().then(() => app.dispose());
    return ending;
  };
}

/** What the client can do, where it says so with each request. */
function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}

/** The tools of the groups that the thread has active, as far as the settings and the agent's policy allow. */
async function offered(app: App, caller: Caller): Promise<RegisteredTool[]> {
  const groups = await app.capabilities.groups({ ...caller, foreign: [] });
  const active = new Set(
    groups.flatMap((group) => (group.active && !group.denied && group.unavailable === undefined ? [group.name] : [])),
  );
  return tools.filter((tool) => active.has(tool.group) && isEnabled(tool, app.host.settings()));
}

const annotations: Readonly<Record<Effect, McpTool['annotations']>> = {
  read: { readOnlyHint: true, openWorldHint: false },
  state: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  write: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  run: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};

function describe({ name, title, description, input, effect }: RegisteredTool): McpTool {
  const inputSchema = z.toJSONSchema(input, { io: 'input', target: 'draft-7' }) as McpTool['inputSchema'];
  return { name, title, description, inputSchema, annotations: { title, ...annotations[effect] } };
}

interface Client {
  readonly app: App;
  readonly caller: Caller;
  /** True when the client can put a question to the person. */
  readonly asks: boolean;
}

async function callTool(
  { name, arguments: input }: { name: string; arguments?: Record<string, unknown> | undefined },
  { app, caller, asks }: Client,
  { mcpReq }: ServerContext,
) {
  const tool = toolNamed(name);
  if (!tool) {
    const error = { success: false, error: `There is no tool "${name}".`, error_code: 'unknown_tool' };
    return { content: [{ type: 'text' as const, text: JSON.stringify(error) }], isError: true };
  }
  const { signal } = mcpReq;
  const run = { id: caller.thread!, kept: true };
  const call: Call = { app, caller, run, signal };
  const question = asks ? await confirmationOf(tool, input, call) : undefined;
  const answer = acceptedContent(mcpReq.inputResponses, 'confirm', Confirmed);
  if (question && answer === undefined && mcpReq.inputResponses === undefined) {
    const message = `${question.title}\n\n${question.message}`;
    return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: Confirmed }) } });
  }
  const confirmed = answer?.confirm === true;
  const { ok, result, images } = await runTool(tool, input, { ...call, confirmed });
  return {
    content: [
      { type: 'text' as const, text: JSON.stringify(result) },
      ...images.map(({ bytes, mime }) => ({
        type: 'image' as const,
        data: Buffer.from(bytes).toString('base64'),
        mimeType: mime,
      })),
    ],
    isError: !ok,
  };
}
