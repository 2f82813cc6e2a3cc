import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A part of a message as the chat-completions protocol has it. */
type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly Part[] | null;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description?: string; readonly parameters?: object };
  }[];
}

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the agent handed the model for one call. */
export interface ToolResult {
  readonly text: string;
  /** Pictures as data URLs. */
  readonly images: readonly string[];
}

/**
 * The model's side of one agent turn: each call it yields is really made by the agent, whose result the `yield` gives
 * back; what it returns is the model's last answer. What it throws fails the turn, so it may hold expectations.
 */
export type Script = Generator<ToolCall, string, ToolResult>;

export interface Turn {
  /** The model's last answer. */
  readonly answer: string;
  /** The calls made and their results, in order. */
  readonly calls: readonly (ToolCall & { readonly result: ToolResult })[];
  /** What the agent sent, request by request. */
  readonly requests: readonly ChatRequest[];
  /** Names of the tools offered with the first request. */
  readonly offered: readonly string[];
}

export interface ScriptedModel {
  /** Address of the chat-completions endpoint. */
  readonly url: string;
  /** Plays the script for the next agent turn; resolves when its last answer has been sent. */
  play(script: Script): Promise<Turn>;
  close(): Promise<void>;
}

interface Playing {
  readonly script: Script;
  readonly requests: ChatRequest[];
  readonly calls: (ToolCall & { result: ToolResult })[];
  pending?: ToolCall;
  readonly done: (turn: Turn) => void;
  readonly failed: (error: unknown) => void;
}

type Reply = { readonly call: ToolCall } | { readonly say: string };

/** Starts a language model on this machine that answers by script. Requests without tools (a chat's title) get a fixed text. */
export async function startModel(): Promise<ScriptedModel> {
  let playing: Playing | undefined;
  const server = createServer((request, response) => {
    respond(request, response, () => playing).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`,
    play: (script) =>
      new Promise((done, failed) => {
        const over =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            // A request that the agent sends after the script's end is not part of the turn.
            playing = undefined;
            settle(value);
          };
        playing = { script, requests: [], calls: [], done: over(done), failed: over(failed) };
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  current: () => Playing | undefined,
): Promise<void> {
  if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end();
  const asked = (await json(request)) as ChatRequest;
  const playing = asked.tools?.length ? current() : undefined;
  const reply = playing === undefined ? { say: 'Scripted chat' } : step(playing, asked);
  const id = `call_${randomUUID()}`;
  response.on('finish', () => {
    if (playing !== undefined && 'say' in reply) finish(playing, reply.say);
  });
  if (asked.stream) stream(response, asked.model, id, reply);
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(whole(asked.model, id, reply)));
}

function step(playing: Playing, asked: ChatRequest): Reply {
  playing.requests.push(asked);
  try {
    const { pending } = playing;
    const result = lastResult(asked.messages);
    if (pending !== undefined) playing.calls.push({ ...pending, result });
    const next = playing.script.next(result);
    if (next.done) return { say: next.value };
    const { tool } = next.value;
    if (!asked.tools?.some((offered) => offered.function.name === tool))
      throw new Error(`The agent does not offer the tool ${tool}.`);
    playing.pending = next.value;
    return { call: next.value };
  } catch (error) {
    playing.failed(error);
    return { say: `The script failed: ${error}` };
  }
}

function finish({ calls, requests, done }: Playing, answer: string): void {
  done({ answer, calls, requests, offered: (requests[0]?.tools ?? []).map((tool) => tool.function.name) });
}

/** The messages after the model's last one: a tool's text, and its pictures where the agent puts them beside it. */
function lastResult(messages: readonly Message[]): ToolResult {
  const after = messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1);
  const parts = after.flatMap(({ role, content }) => {
    if (typeof content === 'string') return [{ role, part: { type: 'text', text: content } as Part }];
    return (content ?? []).map((part) => ({ role, part }));
  });
  return {
    text: parts.flatMap(({ role, part }) => (role === 'tool' && part.type === 'text' ? [part.text] : [])).join('\n'),
    images: parts.flatMap(({ part }) => (part.type === 'image_url' ? [part.image_url.url] : [])),
  };
}

function toolCalls(id: string, { tool, input }: ToolCall) {
  return [{ index: 0, id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }];
}

function whole(model: string, id: string, reply: Reply) {
  const message =
    'say' in reply
      ? { role: 'assistant', content: reply.say }
      : { role: 'assistant', content: null, tool_calls: toolCalls(id, reply.call) };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return {
    id,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: 'say' in reply ? 'stop' : 'tool_calls' }],
    usage,
  };
}

function stream(response: ServerResponse, model: string, id: string, reply: Reply): void {
  const send = (delta: object, finish: string | null) => {
    const chunk = {
      id,
      object: 'chat.completion.chunk',
      created: 0,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    };
    response.write(
      `data: ${JSON.stringify(finish === null ? chunk : { ...chunk, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}\n\n`,
    );
  };
  response.setHeader('content-type', 'text/event-stream');
  if ('say' in reply) {
    // In pieces, as models answer.
    send({ role: 'assistant', content: '' }, null);
    for (const piece of reply.say.match(/\S+\s*|\s+/g) ?? []) send({ content: piece }, null);
    send({}, 'stop');
  } else {
    send({ role: 'assistant', content: null, tool_calls: toolCalls(id, reply.call) }, null);
    send({}, 'tool_calls');
  }
  response.end('data: [DONE]\n\n');
}
