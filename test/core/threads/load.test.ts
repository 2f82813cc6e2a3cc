import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LoadedFile, loadThread } from '../../../src/core/threads/load.ts';
import type { FileFormat, ThreadFile } from '../../../src/core/threads/stores.ts';
import { chatLog, chatState, jsonLines, request, type Turn, temporary } from './chats.ts';

const folder = temporary();
let files = 0;

function written(content: string | Uint8Array, format: FileFormat = 'vscode-log'): ThreadFile {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, content);
  return { path, format, id: 'from-name', place: 'current' };
}

const load = async (file: ThreadFile, before?: LoadedFile) => loadThread(file, before);
const texts = ({ thread }: LoadedFile) => thread.messages.map(({ text }) => text);

const turn: Turn = {
  ask: 'Which table?',
  rounds: [
    { id: 'r1', calls: [{ id: 'c1', name: 'list_tables', arguments: '{"schema":"sales"}', result: 'orders\nlines' }] },
    { id: 'r2', say: 'The table is orders.' },
  ],
};

describe('reading on', () => {
  test('takes what was appended, in pieces that end anywhere, and gives the same as reading whole', async () => {
    const turns = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(turns, fc.array(fc.nat(), { maxLength: 5 }), async (asks, cuts) => {
        const log = jsonLines([
          { kind: 0, v: chatState('s', []) },
          ...asks.map((ask, i) => ({ kind: 2, k: ['requests'], v: [request({ ask }, i)] })),
        ]);
        const bytes = Buffer.from(log);
        const first = log.indexOf('\n') + 1;
        const ends = [...cuts.map((cut) => first + (cut % (bytes.length - first))), bytes.length].sort((a, b) => a - b);
        const file = written(bytes.subarray(0, first));
        let loaded = await load(file);
        let at = first;
        for (const end of ends) {
          appendFileSync(file.path, bytes.subarray(at, end));
          at = end;
          loaded = await load(file, loaded);
        }
        expect(loaded.thread).toEqual((await load(written(bytes))).thread);
        expect(texts(loaded)).toEqual(asks);
      }),
      { numRuns: 60 },
    );
  });

  test('notices a file that was written anew, though it has grown', async () => {
    const file = written(chatLog(chatState('s', [{ ask: 'one' }])));
    const before = await load(file);
    writeFileSync(file.path, chatLog(chatState('s', [{ ask: 'quite another first question' }, { ask: 'two' }])));
    expect(texts(await load(file, before))).toEqual(['quite another first question', 'two']);
  });

  test('an earlier reading does not change when the file grows', async () => {
    const file = written(chatLog(chatState('s', [{ ask: 'one' }])));
    const before = await load(file);
    appendFileSync(file.path, jsonLines([{ kind: 2, k: ['requests'], v: [request({ ask: 'two' }, 1)] }]));
    expect(texts(await load(file, before))).toEqual(['one', 'two']);
    expect(texts(before)).toEqual(['one']);
  });
});

describe('damage', () => {
  test('a half-written last line is left for later; one without its line break counts', async () => {
    const whole = chatLog(chatState('s', [{ ask: 'one' }]));
    const next = JSON.stringify({ kind: 2, k: ['requests'], v: [request({ ask: 'two' }, 1)] });
    expect(texts(await load(written(whole + next.slice(0, -20))))).toEqual(['one']);
    expect(texts(await load(written(whole + next)))).toEqual(['one', 'two']);
    expect((await load(written(whole + next))).thread.warnings).toEqual([]);
  });

  test('a damaged line in the middle is left out and told', async () => {
    const log = `${chatLog(chatState('s', [{ ask: 'one' }]))}{"kind":2,"k":["req\n${jsonLines([{ kind: 2, k: ['requests'], v: [request({ ask: 'two' }, 1)] }])}`;
    const { thread } = await load(written(log));
    expect(thread.messages.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(thread.warnings).toEqual(['1 damaged lines were left out.']);
  });

  test.each([
    ['nothing', ''],
    ['line breaks', '\n\n\n'],
    ['binary data', Uint8Array.from({ length: 3000 }, (_, i) => (i * 7) % 256)],
    ['another JSON', '{"a":1}\n'],
    ['changes without a state', jsonLines([{ kind: 1, k: ['requests'], v: [] }])],
    ['a list', '[1,2,3]\n'],
    ['half a line', '{"kind":0,"v":{"requests":['],
    ['UTF-16', Buffer.from(`\ufeff${chatLog(chatState('s', [{ ask: 'one' }]))}`, 'utf16le')],
  ])('%s is no chat', async (_, content) => {
    await expect(load(written(content))).rejects.toMatchObject({ code: 'damaged' });
    await expect(load(written(content, 'vscode-json'))).rejects.toMatchObject({ code: 'damaged' });
    await expect(load(written(content, 'claude-code'))).rejects.toMatchObject({ code: 'damaged' });
    await expect(load(written(content, 'copilot-cli'))).rejects.toMatchObject({ code: 'damaged' });
  });

  test('a folder and a missing file cannot be opened', async () => {
    const path = join(folder, 'x.jsonl');
    const file: ThreadFile = { path, format: 'vscode-log', id: 'x', place: 'current' };
    await expect(load(file)).rejects.toMatchObject({ code: 'unreadable' });
    mkdirSync(path);
    await expect(load(file)).rejects.toMatchObject({ code: 'unreadable' });
  });

  test('a byte order mark, CRLF and unknown fields do no harm', async () => {
    const state = chatState('s', [turn], { future: { deep: [{}] }, requesterUsername: 'me' });
    const log = `\ufeff${JSON.stringify({ kind: 0, v: state, more: 1 })}\r\n${JSON.stringify({ kind: 1, k: ['customTitle'], v: 'T' })}\r\n`;
    const { thread } = await load(written(log));
    expect([thread.title, thread.messages.length, thread.warnings]).toEqual(['T', 4, []]);
  });

  test('shapes that are not as expected cost only themselves', async () => {
    const state = {
      requests: [
        null,
        7,
        'text',
        [],
        { message: 5, response: 'x', variableData: [], result: 'no', agent: 3, modeInfo: 'x' },
        { message: 'old style text', response: ['plain', { value: 'said' }], timestamp: 'never' },
        request(turn, 9),
      ],
    };
    const { thread } = await load(written(chatLog(state)));
    expect(thread.messages.map(({ text }) => text).filter(Boolean)).toEqual([
      'old style text',
      'said',
      'Which table?',
      'orders\nlines',
      'The table is orders.',
    ]);
  });

  test('nesting far too deep costs nothing but its value', async () => {
    const deep = `${'{"node":{"children":['.repeat(50_000)}${']}}'.repeat(50_000)}`;
    const line = `{"kind":1,"k":["requests",0,"result","metadata","toolCallResults","c1"],"v":{"content":[{"value":${deep}}]}}\n`;
    const { thread } = await load(written(chatLog(chatState('s', [turn])) + line));
    expect(thread.messages.at(-1)?.text).toBe('The table is orders.');
  });

  test('a file that is cut while it is known is read anew', async () => {
    const file = written(
      chatLog(chatState('s', [{ ask: 'one' }])) + jsonLines([{ kind: 1, k: ['customTitle'], v: 'T' }]),
    );
    const before = await load(file);
    truncateSync(file.path, chatLog(chatState('s', [{ ask: 'one' }])).length);
    expect((await load(file, before)).thread.title).toBe('one');
  });
});
