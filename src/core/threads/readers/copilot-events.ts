import type { Attachment, MeasuredUsage, ToolCall } from '../model.ts';
import { count, type Json, jsonText, label, list, name, object, present, string, time } from '../values.ts';
import { createDraft, timesOf, titleFrom } from './draft.ts';
import type { RecordReader } from './reader.ts';

/**
 * Events (`{type, data, id, timestamp}`) of Copilot CLI, and of the transcripts that Copilot keeps of a VS Code chat.
 * `agent` names who answers until an event selects a custom agent.
 */
export function createEventsReader(source: 'copilot-cli' | 'copilot-transcript', agent: string): RecordReader {
  const draft = createDraft();
  const calls = new Map<string, ToolCall>();
  let id: string | undefined;
  let title: string | undefined;
  let folder: string | undefined;
  let model: string | undefined;
  let window: number | undefined;
  let usage: MeasuredUsage | undefined;
  let answering = agent;
  let custom = false;
  let known = false;
  let compactionStart: number | undefined;

  const say = () => {
    draft.agents.add(answering);
    if (custom) draft.customAgents.add(answering);
  };

  const handlers: Readonly<Record<string, (data: Json, event: { id: string; time: number | undefined }) => void>> = {
    'session.start'(data) {
      id = name(data.sessionId) ?? id;
      model = label(data.selectedModel) ?? model;
      folder = name(object(data.context).cwd) ?? folder;
    },
    'session.resume'(data) {
      model = label(data.selectedModel) ?? model;
      folder = name(object(data.context).cwd) ?? folder;
    },
    'session.model_change'(data) {
      model = label(data.newModel) ?? model;
    },
    'session.title_changed'(data) {
      title = name(data.title) ?? title;
    },
    'subagent.selected'(data) {
      answering = label(data.agentName) ?? answering;
      custom = true;
    },
    'subagent.deselected'() {
      answering = agent;
      custom = false;
    },
    'user.message'(data, event) {
      const text = string(data.content) ?? '';
      const attachments = list(data.attachments).flatMap(attachmentOf);
      const typed = data.source === undefined || data.source === 'user';
      draft.add({
        ...event,
        role: typed ? 'user' : 'system',
        text,
        attachments: attachments.length > 0 ? attachments : undefined,
      });
    },
    'assistant.message'(data, event) {
      const made = list(data.toolRequests).map((request) => callOf(object(request)));
      for (const call of made) calls.set(call.id, call);
      const text = string(data.content) ?? '';
      if (text === '' && made.length === 0) return;
      say();
      draft.add({
        ...event,
        role: 'assistant',
        text,
        model: label(data.model) ?? model,
        agent: name(data.parentToolCallId) === undefined ? answering : 'subagent',
        calls: made.length > 0 ? made : undefined,
      });
    },
    'tool.execution_start'(data) {
      const call = callOf(data);
      if (!calls.has(call.id)) calls.set(call.id, call);
    },
    'tool.execution_complete'(data, event) {
      const callId = label(data.toolCallId) ?? event.id;
      const answers = calls.get(callId) ?? { id: callId, name: 'unknown_tool', arguments: '' };
      const { content, detailedContent } = object(data.result);
      const text = string(content) ?? string(detailedContent) ?? string(data.result) ?? '';
      const failure = string(object(data.error).message) ?? string(data.error);
      const failed = data.success === false || undefined;
      draft.add({ ...event, role: 'tool', text: text || (failure ?? ''), answers, failed });
    },
    'session.compaction_start'(data) {
      compactionStart = draft.messages.length;
      usage = measured(data, draft.messages.length) ?? usage;
    },
    'session.compaction_complete'(data, event) {
      window = count(data.tokenLimit) ?? window;
      if (data.success !== false) {
        draft.compact({
          time: event.time,
          trigger: data.trigger === 'manual' ? 'manual' : 'automatic',
          summary: string(data.summaryContent) ?? '',
          hiddenTo: compactionStart ?? draft.messages.length,
          boundary: 'assumed',
          tokensBefore: count(data.preCompactionTokens),
          tokensAfter: count(data.postCompactionTokens),
          model: name(object(data.compactionTokensUsed).model) ?? model,
        });
      }
      compactionStart = undefined;
    },
    'session.usage_info'(data) {
      window = count(data.tokenLimit) ?? window;
      usage = measured(data, draft.messages.length) ?? usage;
    },
    'session.shutdown'(data) {
      usage = measured(data, draft.messages.length) ?? usage;
    },
  };

  return {
    take(record) {
      const type = string(record.type);
      if (type === undefined || !/^[a-z_]+\.[a-z_]+$/.test(type)) return;
      known = true;
      if (!Object.hasOwn(handlers, type)) return;
      const event = { id: label(record.id) ?? `event-${draft.messages.length + 1}`, time: time(record.timestamp) };
      handlers[type]!(object(record.data), event);
    },
    thread(fallbackId) {
      if (!known) return undefined;
      return present({
        ...timesOf(draft.messages),
        id: id ?? fallbackId,
        source,
        title: title ?? titleFrom(draft.messages),
        agents: draft.agents.size > 0 ? [...draft.agents] : [answering],
        customAgents: [...draft.customAgents],
        folder,
        background: false,
        messages: [...draft.messages],
        compactions: [...draft.compactions],
        usage,
        window,
        model,
        warnings: draft.warnings,
      });
    },
  };
}

function callOf(request: Json): ToolCall {
  return {
    id: label(request.toolCallId) ?? '',
    name: label(request.name) ?? label(request.toolName) ?? label(request.mcpToolName) ?? 'unknown_tool',
    arguments: string(request.arguments) ?? jsonText(request.arguments),
  };
}

function attachmentOf(value: unknown): Attachment[] {
  const { type, path, displayName } = object(value);
  const place = name(path);
  const title = name(displayName) ?? place;
  return title === undefined ? [] : [present({ kind: label(type) ?? 'file', name: title, uri: place })];
}

function measured(data: Json, message: number): MeasuredUsage | undefined {
  const buckets = [
    ['System Instructions', data.systemTokens],
    ['Tool Definitions', data.toolDefinitionsTokens],
    ['Messages', data.conversationTokens],
  ].flatMap(([title, tokens]) => {
    const known = count(tokens);
    return known === undefined ? [] : [{ name: title as string, tokens: known }];
  });
  const sum = buckets.length > 0 ? buckets.reduce((total, { tokens }) => total + tokens, 0) : undefined;
  const promptTokens = count(data.currentTokens) ?? sum;
  return promptTokens === undefined ? undefined : { message, promptTokens, buckets };
}
