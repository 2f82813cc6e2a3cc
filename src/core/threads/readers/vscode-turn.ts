import { givenId, type ToolCall } from '../model.ts';
import { field, type Json, jsonText, label, list, name, object, string, time } from '../values.ts';
import { attachmentsOf, uriText } from './attachments.ts';
import type { Draft } from './draft.ts';
import { resultText, shownResult } from './result-text.ts';
import { agentOf } from './vscode-agent.ts';

/** Results by tool call id, for the calls of one request: where a turn was cut short, they lie in the next one. */
export type ResultsOf = (id: string) => unknown;

/** Adds the messages of one request and returns, by id of each round of tool calls, the last message of the round. */
export function addTurn(draft: Draft, request: Json, ordinal: number, resultsOf: ResultsOf): Map<string, number> {
  const id = label(request.requestId) ?? `request-${ordinal}`;
  const agent = agentOf(request);
  if (agent !== undefined) draft.agents.add(agent.id);
  if (agent?.custom) draft.customAgents.add(agent.id);
  const turn: Turn = { draft, id, agent: agent?.id, model: label(request.modelId), parts: 0 };
  const attachments = attachmentsOf(request.variableData);
  draft.add({
    id,
    role: 'user',
    text: string(request.message) ?? string(object(request.message).text) ?? '',
    time: time(request.timestamp),
    agent: turn.agent,
    attachments: attachments.length > 0 ? attachments : undefined,
  });
  const ends = new Map<string, number>();
  const rounds = list(object(object(request.result).metadata).toolCallRounds).map(object);
  const shown = list(request.response).map(object);
  if (rounds.length > 0) addRounds(turn, rounds, shown, resultsOf, ends);
  else addShown(turn, shown, time(request.responseTimestamp) ?? time(request.timestamp));
  addFailure(turn, request);
  ends.set(id, draft.messages.length);
  return ends;
}

interface Turn {
  readonly draft: Draft;
  readonly id: string;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  parts: number;
}

type Fields = Parameters<Draft['add']>[0];

function add(turn: Turn, fields: Omit<Fields, 'id'>): void {
  const { draft, id, agent, model } = turn;
  draft.add({ agent, ...(fields.role === 'assistant' && { model }), ...fields, id: `${id}/${++turn.parts}` });
}

/** The model's own view of the turn: what it said and called, round by round. */
function addRounds(
  turn: Turn,
  rounds: readonly Json[],
  shown: readonly Json[],
  resultsOf: ResultsOf,
  ends: Map<string, number>,
): void {
  const invocations = shown.filter(isInvocation);
  const taken = new Set<Json>();
  for (const round of rounds) {
    const calls = list(round.toolCalls).map((call) => callOf(object(call)));
    const text = string(round.response) ?? '';
    const at = time(round.timestamp);
    const model = label(round.modelId) ?? turn.model;
    if (text !== '' || calls.length > 0) {
      add(turn, { role: 'assistant', text, time: at, model, calls: calls.length > 0 ? calls : undefined });
    }
    for (const call of calls) {
      const invocation = invocations.find((part) => !taken.has(part) && sameCall(part, call));
      if (invocation) taken.add(invocation);
      const stored = resultsOf(call.id);
      const result = stored === undefined ? invocation && shownResult(invocation.resultDetails) : resultText(stored);
      if (result !== undefined) {
        const failed = object(invocation?.resultDetails).isError === true;
        add(turn, { role: 'tool', text: result, time: at, answers: call, failed: failed || undefined });
      }
    }
    const roundId = name(round.id);
    if (roundId !== undefined) ends.set(roundId, turn.draft.messages.length);
  }
  // Calls that a subagent made show in the panel only.
  for (const part of invocations) if (!taken.has(part)) addInvocation(turn, part, undefined);
}

/** The turn as the chat panel shows it: other participants and turns under way have no other record. */
function addShown(turn: Turn, shown: readonly Json[], at: number | undefined): void {
  let text = '';
  const edits = new Set<string>();
  const flush = () => {
    if (text.trim() !== '') add(turn, { role: 'assistant', text, time: at });
    text = '';
  };
  for (const part of shown) {
    if (isInvocation(part)) {
      flush();
      addInvocation(turn, part, at);
    } else if (part.kind === 'textEditGroup' || part.kind === 'notebookEditGroup') {
      const uri = uriText(part.uri);
      if (uri !== undefined) edits.add(uri);
    } else text += shownText(part);
  }
  flush();
  if (edits.size > 0) {
    const attachments = [...edits].map((uri) => ({ kind: 'edit', name: uri.split('/').at(-1)!, uri }));
    add(turn, { role: 'assistant', text: '', time: at, attachments });
  }
}

function addInvocation(turn: Turn, part: Json, at: number | undefined): void {
  const details = object(part.resultDetails);
  const call: ToolCall = {
    id: label(part.toolCallId) ?? `${turn.id}/call-${turn.parts + 1}`,
    name: label(part.toolId) ?? 'unknown_tool',
    arguments: string(details.input) ?? jsonText(part.toolSpecificData),
  };
  add(turn, { role: 'assistant', text: '', time: at, calls: [call] });
  const result = shownResult(details) ?? messageText(part.pastTenseMessage);
  const failed = details.isError === true || undefined;
  if (part.isComplete !== false) add(turn, { role: 'tool', text: result ?? '', time: at, answers: call, failed });
}

function addFailure(turn: Turn, request: Json): void {
  const message = name(object(object(request.result).errorDetails).message);
  if (message !== undefined) add(turn, { role: 'system', text: message, failed: true, time: time(request.timestamp) });
}

function isInvocation(part: Json): boolean {
  return part.kind === 'toolInvocationSerialized' || part.kind === 'toolInvocation';
}

function callOf(call: Json): ToolCall {
  return {
    id: label(call.id) ?? '',
    name: label(call.name) ?? 'unknown_tool',
    arguments: string(call.arguments) ?? jsonText(call.arguments),
  };
}

function sameCall(part: Json, call: ToolCall): boolean {
  const shown = label(part.toolCallId);
  return shown !== undefined && givenId(shown) === givenId(call.id);
}

/** Text of a part that is not a tool's: Markdown, or the name of what it refers to. */
function shownText(part: Json): string {
  if (part.kind === undefined || part.kind === 'markdownContent' || part.kind === 'markdownVuln') {
    return messageText(part.kind === undefined ? part : part.content) ?? '';
  }
  if (part.kind !== 'inlineReference') return '';
  const reference = object(part.inlineReference);
  const uri = uriText(reference) ?? uriText(reference.uri) ?? uriText(object(reference.location).uri);
  const title = name(part.name) ?? name(reference.name) ?? uri?.split('/').at(-1);
  return title === undefined ? '' : `\`${title}\``;
}

/** A string, or a Markdown string's value. */
function messageText(value: unknown): string | undefined {
  return string(value) ?? string(object(value).value);
}

/** The results that requests store by tool call id; a turn's own come first. */
export function resultsOfAll(requests: readonly Json[]): (request: Json) => ResultsOf {
  const own = (request: Json) => object(object(object(request.result).metadata).toolCallResults);
  const all = new Map<string, unknown>();
  for (const request of requests) for (const [id, result] of Object.entries(own(request))) all.set(id, result);
  return (request) => (id) => field(own(request), id) ?? all.get(id);
}
