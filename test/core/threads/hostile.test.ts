import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import { digestOf } from '../../../src/core/threads/digest.ts';
import { loadThread } from '../../../src/core/threads/load.ts';
import { segmentsOf } from '../../../src/core/threads/segments.ts';
import type { FileFormat } from '../../../src/core/threads/stores.ts';
import { jsonLines, temporary } from './chats.ts';

const folder = temporary();
const path = join(folder, 'hostile.jsonl');

const anything = fc.jsonValue({ maxDepth: 4 });
const text = fc.oneof(fc.string({ maxLength: 20 }), anything);
const some = (names: readonly string[], value: fc.Arbitrary<unknown> = anything) =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length });

const call = some(
  [
    'id',
    'name',
    'arguments',
    'type',
    'input',
    'tool_use_id',
    'content',
    'text',
    'value',
    'kind',
    'toolCallId',
    'resultDetails',
  ],
  text,
);
const round = some(['id', 'response', 'toolCalls', 'timestamp'], fc.oneof(text, fc.array(call, { maxLength: 3 })));
const metadata = some(
  ['toolCallRounds', 'toolCallResults', 'summary', 'summaries', 'command'],
  fc.oneof(anything, fc.array(round, { maxLength: 3 }), call),
);
const request = some(
  [
    'requestId',
    'timestamp',
    'message',
    'response',
    'result',
    'agent',
    'modeInfo',
    'variableData',
    'modelId',
    'promptTokens',
    'promptTokenDetails',
  ],
  fc.oneof(
    anything,
    fc.array(call, { maxLength: 3 }),
    metadata.map((value) => ({ metadata: value })),
  ),
);
const state = some(
  ['requests', 'sessionId', 'inputState', 'customTitle', 'creationDate'],
  fc.oneof(anything, fc.array(request, { maxLength: 4 })),
);
const entry = fc.record({
  kind: fc.constantFrom(0, 1, 2, 3, 4, 'x'),
  v: fc.oneof(state, anything),
  k: fc.oneof(
    anything,
    fc.array(fc.constantFrom('requests', '__proto__', 'constructor', 0, 1, 1e9, 'result'), { maxLength: 4 }),
  ),
  i: fc.oneof(fc.constant(undefined), fc.integer(), anything),
});
const record = fc.record({
  type: fc.constantFrom(
    'user',
    'assistant',
    'system',
    'summary',
    'session.start',
    'user.message',
    'assistant.message',
    'tool.execution_start',
    'tool.execution_complete',
    'session.compaction_start',
    'session.compaction_complete',
    'session.shutdown',
    'constructor',
    '__proto__.x',
  ),
  subtype: fc.constantFrom('compact_boundary', 'x'),
  uuid: text,
  timestamp: text,
  message: some(['id', 'content', 'model', 'usage'], fc.oneof(text, fc.array(call, { maxLength: 3 }))),
  data: some(
    ['content', 'toolRequests', 'toolCallId', 'result', 'success', 'summaryContent', 'attachments'],
    fc.oneof(text, fc.array(call, { maxLength: 3 })),
  ),
  isCompactSummary: fc.boolean(),
  compactMetadata: anything,
});

test.each<[FileFormat, fc.Arbitrary<unknown>]>([
  ['vscode-log', entry],
  ['copilot-cli', record],
  ['claude-code', record],
  ['loci', fc.oneof(record, anything)],
])(
  '%s: whatever the records, the file is a thread or damaged, and its messages are counted',
  async (format, arbitrary) => {
    await fc.assert(
      fc.asyncProperty(state, fc.array(arbitrary, { maxLength: 8 }), async (first, records) => {
        writeFileSync(path, jsonLines([...(format === 'vscode-log' ? [{ kind: 0, v: first }] : []), ...records]));
        const loaded = await loadThread({ path, format, id: 'x', place: 'current' }).catch((error: unknown) => error);
        if (loaded instanceof Error) {
          expect(loaded).toBeInstanceOf(UserError);
          return;
        }
        const { thread } = loaded as Awaited<ReturnType<typeof loadThread>>;
        expect(thread.messages.map(({ number }) => number)).toEqual(thread.messages.map((_, i) => i + 1));
        for (const { hiddenTo } of thread.compactions) expect(hiddenTo).toBeLessThanOrEqual(thread.messages.length);
        for (const { cut } of segmentsOf(thread)) cut((value) => value);
        expect(digestOf(thread).messages).toBe(thread.messages.length);
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  },
);
