import type { Attachment, MeasuredUsage, Message, ToolCall } from '../model.ts';
import { count, type Json, jsonText, label, list, name, object, present, string, time } from '../values.ts';
import { createDraft, timesOf, titleFrom } from './draft.ts';
import type { RecordReader } from './reader.ts';

const AGENT = 'claude-code';

/**
 * Transcripts of Claude Code: one record a line, linked by uuid. One answer of the model may take several records with
 * the same message id, one a content block. `compact_boundary` records mark what compaction hid.
 */
export function createClaudeReader(): RecordReader {
  const draft = createDraft();
  const calls = new Map<string, ToolCall>();
  /** Message number by the uuid of its record, for what a compaction keeps. */
  const numbers = new Map<string, number>();
  const titles: { custom?: string | undefined; made?: string | undefined } = {};
  let id: string | undefined;
  let folder: string | undefined;
  let model: string | undefined;
  let usage: MeasuredUsage | undefined;
  let known = false;
  let sidechain = true;
  let spoken = 0;
  let boundary: Json | undefined;
  /** The model's own id of the answer that the last message holds. */
  let answer: string | undefined;

  const assistant = (record: Json, event: Event) => {
    const message = object(record.message);
    const apiId = name(message.id);
    const blocks = list(message.content).map(object);
    const text = typeof message.content === 'string' ? message.content : joined(blocks.flatMap(textOf));
    const made = blocks.filter(({ type }) => type === 'tool_use').map(callOf);
    for (const call of made) calls.set(call.id, call);
    model = label(message.model) ?? model;
    usage = usageOf(object(message.usage), draft.messages.length + 1) ?? usage;
    if (text === '' && made.length === 0) return;
    const last = draft.messages.at(-1);
    if (last?.role === 'assistant' && apiId !== undefined && apiId === answer) {
      draft.messages[last.number - 1] = grown(last, text, made);
      numbers.set(event.uuid, last.number);
      return;
    }
    answer = apiId;
    const agent = label(record.agentName) ?? AGENT;
    draft.agents.add(agent);
    if (agent !== AGENT) draft.customAgents.add(agent);
    const added = draft.add({
      id: event.uuid,
      time: event.time,
      role: 'assistant',
      text,
      model: label(message.model),
      agent,
      calls: made.length > 0 ? made : undefined,
    });
    numbers.set(event.uuid, added);
  };

  const user = (record: Json, event: Event) => {
    const { content } = object(record.message);
    if (record.isCompactSummary === true) {
      compact(joined(typeof content === 'string' ? [content] : list(content).map(object).flatMap(textOf)), event);
      return;
    }
    const blocks = typeof content === 'string' ? [] : list(content).map(object);
    for (const block of blocks) {
      if (block.type !== 'tool_result') continue;
      const callId = label(block.tool_use_id) ?? event.uuid;
      const answers = calls.get(callId) ?? { id: callId, name: 'unknown_tool', arguments: '' };
      const failed = block.is_error === true || undefined;
      const fields = { id: `${event.uuid}/${callId}`, time: event.time, answers, failed };
      numbers.set(event.uuid, draft.add({ ...fields, role: 'tool', text: contentText(block.content) }));
    }
    const text = typeof content === 'string' ? content : joined(blocks.flatMap(textOf));
    const attachments = blocks.flatMap(attachmentOf);
    if (text === '' && attachments.length === 0) return;
    const role = record.isMeta === true ? 'system' : 'user';
    const fields = { id: event.uuid, time: event.time, attachments: attachments.length > 0 ? attachments : undefined };
    numbers.set(event.uuid, draft.add({ ...fields, role, text }));
  };

  const compact = (summary: string, event: Event) => {
    const metadata = object(boundary?.compactMetadata ?? boundary?.compact_metadata);
    const hiddenTo = Math.min(boundary === undefined ? Number.POSITIVE_INFINITY : spoken, draft.messages.length);
    const kept = keptNumbers(object(metadata.preservedSegment), numbers, hiddenTo);
    draft.compact({
      time: time(boundary?.timestamp) ?? event.time,
      trigger: metadata.trigger === 'manual' ? 'manual' : 'automatic',
      summary,
      hiddenTo,
      kept: kept.length > 0 ? kept : undefined,
      boundary: boundary === undefined ? 'assumed' : 'exact',
      tokensBefore: count(metadata.preTokens),
      tokensAfter: count(metadata.postTokens),
      model,
    });
    boundary = undefined;
  };

  return {
    take(record) {
      const type = string(record.type);
      if (type === undefined) return;
      if (type === 'custom-title') titles.custom = name(record.customTitle) ?? titles.custom;
      else if (type === 'ai-title') titles.made = name(record.aiTitle) ?? titles.made;
      else if (type === 'summary') titles.made ??= name(record.summary);
      id = name(record.sessionId) ?? id;
      folder ??= name(record.cwd);
      const event = { uuid: label(record.uuid) ?? `record-${draft.messages.length + 1}`, time: time(record.timestamp) };
      const isBoundary = type === 'system' && record.subtype === 'compact_boundary';
      if (type !== 'user' && type !== 'assistant' && !isBoundary) return;
      known = true;
      if (record.isSidechain !== true) sidechain = false;
      if (isBoundary) {
        // A second boundary before its summary: the first one has none.
        if (boundary !== undefined) compact('', event);
        boundary = record;
        spoken = draft.messages.length;
      } else if (type === 'assistant') assistant(record, event);
      else user(record, event);
    },
    thread(fallbackId) {
      if (!known) return undefined;
      return present({
        ...timesOf(draft.messages),
        // A subagent's transcript names the session it belongs to; the file's name is its own id.
        id: sidechain ? fallbackId : (id ?? fallbackId),
        source: 'claude-code' as const,
        title: titles.custom ?? titles.made ?? titleFrom(draft.messages),
        agents: draft.agents.size > 0 ? [...draft.agents] : [AGENT],
        customAgents: [...draft.customAgents],
        folder,
        background: sidechain,
        messages: [...draft.messages],
        compactions: [...draft.compactions],
        usage,
        model,
        warnings: draft.warnings,
      });
    },
  };
}

interface Event {
  readonly uuid: string;
  readonly time: number | undefined;
}

/** The blocks of one answer, put together. */
function grown(message: Message, text: string, calls: readonly ToolCall[]): Message {
  const all = [...(message.calls ?? []), ...calls];
  return {
    ...message,
    text: joined([message.text, text].filter(Boolean)),
    ...(all.length > 0 && { calls: all }),
  };
}

function joined(texts: readonly string[]): string {
  return texts.join('\n');
}

function textOf(block: Json): string[] {
  return block.type === 'text' && typeof block.text === 'string' ? [block.text] : [];
}

function contentText(content: unknown): string {
  return typeof content === 'string' ? content : joined(list(content).map(object).flatMap(textOf));
}

function callOf(block: Json): ToolCall {
  return {
    id: label(block.id) ?? '',
    name: label(block.name) ?? 'unknown_tool',
    arguments: string(block.input) ?? jsonText(block.input),
  };
}

function attachmentOf(block: Json): Attachment[] {
  if (block.type !== 'image' && block.type !== 'document') return [];
  const { media_type: mime, url } = object(block.source);
  return [present({ kind: block.type, name: name(block.title) ?? name(mime) ?? block.type, uri: name(url) })];
}

/** The messages from the first to the last record that the compaction kept word by word. */
function keptNumbers(segment: Json, numbers: ReadonlyMap<string, number>, hiddenTo: number): number[] {
  const first = numbers.get(name(segment.headUuid) ?? '');
  const last = numbers.get(name(segment.tailUuid) ?? '') ?? hiddenTo;
  if (first === undefined) return [];
  const kept: number[] = [];
  for (let number = first; number <= Math.min(last, hiddenTo); number++) kept.push(number);
  return kept;
}

/** The prompt of an answer: what was new, what was cached now and what came from the cache. */
function usageOf(usage: Json, message: number): MeasuredUsage | undefined {
  const input = count(usage.input_tokens);
  if (input === undefined) return undefined;
  const created = count(usage.cache_creation_input_tokens) ?? 0;
  const cached = count(usage.cache_read_input_tokens) ?? 0;
  const buckets = [
    { name: 'Input', tokens: input },
    { name: 'Written to cache', tokens: created },
    { name: 'Read from cache', tokens: cached },
  ];
  return present({
    message,
    promptTokens: input + created + cached,
    outputTokens: count(usage.output_tokens),
    buckets,
  });
}
