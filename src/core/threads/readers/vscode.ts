import type { MeasuredUsage, Thread } from '../model.ts';
import { count, type Json, list, name, object, present, string, time } from '../values.ts';
import { createDraft, type Draft, timesOf, titleFrom } from './draft.ts';
import { addTurn, resultsOfAll } from './vscode-turn.ts';

/**
 * A chat of VS Code from its state, of any version: 1 (no version field), 2 (`computedTitle`), 3 (`customTitle`).
 * Undefined when the state is no chat.
 */
export function readVscodeChat(state: unknown, fallbackId: string): Thread | undefined {
  const chat = object(state);
  if (!Array.isArray(chat.requests)) return undefined;
  const requests = chat.requests.map(object);
  const resultsOf = resultsOfAll(requests);
  const draft = createDraft();
  /** Last message by id of a round of tool calls or of a request. */
  const ends = new Map<string, number>();
  const starts: number[] = [];
  let usage: MeasuredUsage | undefined;
  for (const [ordinal, request] of requests.entries()) {
    starts.push(draft.messages.length);
    for (const [id, end] of addTurn(draft, request, ordinal, resultsOf(request))) ends.set(id, end);
    usage = usageOf(request, draft.messages.length) ?? usage;
  }
  for (const [ordinal, request] of requests.entries()) addCompactions(draft, request, starts[ordinal]!, ends);
  const { selectedModel } = object(chat.inputState);
  const times = timesOf(draft.messages);
  return present({
    id: name(chat.sessionId) ?? fallbackId,
    source: 'vscode' as const,
    title: name(chat.customTitle) ?? name(chat.computedTitle) ?? titleFrom(draft.messages),
    created: time(chat.creationDate) ?? times.created,
    updated: times.updated ?? time(chat.lastMessageDate) ?? time(chat.creationDate),
    agents: [...draft.agents],
    customAgents: [...draft.customAgents],
    background: requests.length > 0 && requests.every(isBackground),
    messages: draft.messages,
    compactions: draft.compactions,
    usage,
    window: windowOf(object(selectedModel), requests.at(-1)),
    model: draft.messages.findLast(({ model }) => model !== undefined)?.model ?? name(object(selectedModel).identifier),
    warnings: draft.warnings,
  });
}

/** The input window of the selected model, if the last request went to it. */
function windowOf(selected: Json, last: Json | undefined): number | undefined {
  const used = name(last?.modelId);
  return used === undefined || used === selected.identifier
    ? count(object(selected.metadata).maxInputTokens)
    : undefined;
}

function isBackground(request: Json): boolean {
  return request.hiddenFromTranscript === true || request.isHiddenFromTranscript === true;
}

/**
 * Copilot puts a summary in place of everything up to and including the round of tool calls it names, and stores it with
 * the turn that made it.
 */
function addCompactions(draft: Draft, request: Json, start: number, ends: ReadonlyMap<string, number>): void {
  const metadata = object(object(request.result).metadata);
  const made = Array.isArray(metadata.summaries) ? metadata.summaries : [metadata.summary];
  for (const summary of made.map(object)) {
    const text = string(summary.text);
    if (text === undefined) continue;
    const end = ends.get(string(summary.toolCallRoundId) ?? '');
    draft.compact({
      time: time(request.timestamp),
      trigger: metadata.command === 'compact' ? 'manual' : 'automatic',
      summary: text,
      hiddenTo: end ?? start,
      boundary: end === undefined ? 'assumed' : 'exact',
      tokensBefore: count(summary.contextLengthBefore),
      model: name(summary.model) ?? name(request.modelId),
    });
  }
}

/** What Copilot measured in a turn; a turn that only compacts measures its own prompt, not the chat's. */
function usageOf(request: Json, message: number): MeasuredUsage | undefined {
  const metadata = object(object(request.result).metadata);
  const promptTokens = count(request.promptTokens) ?? count(metadata.promptTokens);
  if (promptTokens === undefined || metadata.command === 'compact') return undefined;
  const buckets = list(request.promptTokenDetails).flatMap((detail) => {
    const { label, percentageOfPrompt } = object(detail);
    const share = count(percentageOfPrompt);
    const title = name(label);
    return share === undefined || title === undefined
      ? []
      : [{ name: title, tokens: Math.round((promptTokens * share) / 100) }];
  });
  const outputTokens = count(request.completionTokens) ?? count(metadata.outputTokens);
  return present({ message, promptTokens, outputTokens, buckets });
}
