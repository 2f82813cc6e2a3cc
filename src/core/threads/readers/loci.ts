import type { Attachment, MeasuredUsage, Role, ToolCall } from '../model.ts';
import { count, type Json, list, name, object, present, string, time } from '../values.ts';
import { createDraft, timesOf, titleFrom } from './draft.ts';
import type { RecordReader } from './reader.ts';

const ROLES: readonly Role[] = ['user', 'assistant', 'tool', 'system'];

/** Reads the transcript of a chat with @loci, as core/chat writes it: one record a line. */
export function createLociReader(): RecordReader {
  const draft = createDraft();
  const numbers = new Map<string, number>();
  let head: Json | undefined;
  let usage: MeasuredUsage | undefined;
  let window: number | undefined;
  let model: string | undefined;

  const handlers: Readonly<Record<string, (record: Json) => void>> = {
    thread(record) {
      head ??= record;
    },
    message(record) {
      const id = name(record.id);
      const role = ROLES.find((one) => one === record.role);
      if (id === undefined || role === undefined) return;
      const calls = list(record.calls).map(callOf);
      const attachments = list(record.attachments).map(attachmentOf);
      const number = draft.add({
        id,
        role,
        text: string(record.text) ?? '',
        time: time(record.time),
        model: name(record.model),
        agent: role === 'assistant' ? 'loci' : undefined,
        calls: calls.length > 0 ? calls : undefined,
        answers: record.answers === undefined ? undefined : callOf(record.answers),
        failed: record.failed === true ? true : undefined,
        attachments: attachments.length > 0 ? attachments : undefined,
      });
      numbers.set(id, number);
      model = name(record.model) ?? model;
    },
    compaction(record) {
      const numberOf = (id: unknown) => numbers.get(string(id) ?? '');
      const kept = list(record.kept).flatMap((id) => numberOf(id) ?? []);
      draft.compact({
        time: time(record.time),
        trigger: record.trigger === 'manual' ? 'manual' : 'automatic',
        summary: string(record.summary) ?? '',
        hiddenTo: numberOf(record.through) ?? 0,
        kept: kept.length > 0 ? kept : undefined,
        boundary: 'exact',
        tokensBefore: count(record.tokensBefore),
        tokensAfter: count(record.tokensAfter),
        model: name(record.model),
      });
    },
    usage(record) {
      const message = numbers.get(string(record.after) ?? '');
      const promptTokens = count(record.promptTokens);
      if (message === undefined || promptTokens === undefined) return;
      const buckets = list(record.buckets).map((bucket) => {
        const { name: title, tokens } = object(bucket);
        return { name: string(title) ?? '', tokens: count(tokens) ?? 0 };
      });
      usage = { message, promptTokens, buckets };
      window = count(record.window) ?? window;
    },
  };

  return {
    take(record) {
      const kind = string(record.kind) ?? '';
      if (Object.hasOwn(handlers, kind)) handlers[kind]!(record);
    },
    thread(fallbackId) {
      if (head === undefined && draft.messages.length === 0) return undefined;
      const times = timesOf(draft.messages);
      return present({
        id: name(head?.id) ?? fallbackId,
        source: 'loci' as const,
        title: titleFrom(draft.messages),
        created: time(head?.created) ?? times.created,
        updated: times.updated,
        agents: ['loci'],
        customAgents: [],
        folder: name(head?.folder),
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

function callOf(value: unknown): ToolCall {
  const { id, name: title, arguments: input } = object(value);
  return { id: string(id) ?? '', name: name(title) ?? 'unknown_tool', arguments: string(input) ?? '' };
}

function attachmentOf(value: unknown): Attachment {
  const { kind, name: title, uri, lines } = object(value);
  const [first, last] = list(lines).map(count);
  return present({
    kind: name(kind) ?? 'file',
    name: string(title) ?? '',
    uri: name(uri),
    lines: first === undefined || last === undefined ? undefined : ([first, last] as const),
  });
}
