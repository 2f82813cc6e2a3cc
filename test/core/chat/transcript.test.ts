import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { root } from '../../../src/build/root.ts';
import { open, temporary } from './scripted.ts';

const node = join(root, 'node_modules', '.bin', 'node');
const writer = join(import.meta.dirname, 'append-forever.ts');

describe('A transcript', () => {
  test('gives back every message as it was said, from disk', async () => {
    const path = join(temporary(), 'a', 'thread.jsonl');
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
        const first = await open(path);
        const before = first.history.messages.length;
        for (const one of texts) await first.say({ role: 'user', text: one });
        const again = await open(path);
        expect(again.history.messages.slice(before).map((message) => message.text)).toEqual(texts);
        expect(again.history.messages).toEqual(first.history.messages);
      }),
      { numRuns: 20 },
    );
  });

  test('goes on after a record that was cut anywhere', async () => {
    const path = join(temporary(), 'thread.jsonl');
    const first = await open(path);
    await first.say({ role: 'user', text: 'one' });
    const kept = readFileSync(path).length;
    await first.say({ role: 'user', text: 'zwei ä 🎉' });
    const whole = readFileSync(path);
    for (let end = kept; end < whole.length; end++) {
      writeFileSync(path, whole.subarray(0, end));
      const cut = await open(path);
      await cut.say({ role: 'user', text: 'three' });
      const texts = (await open(path)).history.messages.map(({ text }) => text);
      expect([
        ['one', 'three'],
        ['one', 'zwei ä 🎉', 'three'],
      ]).toContainEqual(texts);
      expect(cut.history.messages.map(({ text }) => text)).toEqual(texts);
    }
  });

  test('holds all that was acknowledged when its process is killed at once', async () => {
    for (let round = 0; round < 4; round++) {
      const path = join(temporary(), 'thread.jsonl');
      const child = spawn(node, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] });
      let printed = '';
      await new Promise<void>((resolve) => {
        child.stdout.on('data', (data) => {
          printed += data;
          if (printed.split('\n').length > 5 + round * 3) child.kill('SIGKILL');
        });
        child.on('exit', () => resolve());
      });
      const acknowledged = printed.split('\n').slice(0, -1);
      const again = await open(path);
      const ids = again.history.messages.map(({ id }) => id);
      expect(ids.slice(0, acknowledged.length)).toEqual(acknowledged);
      await again.say({ role: 'user', text: 'after' });
      expect((await open(path)).history.messages.at(-1)?.text).toBe('after');
    }
  });

  test('is the same for two windows that write at the same time', async () => {
    const path = join(temporary(), 'thread.jsonl');
    const windows = await Promise.all([open(path), open(path)]);
    await Promise.all(
      windows.map(async (window, i) => {
        for (let n = 0; n < 20; n++) await window.say({ role: 'user', text: `${i}-${n} ${'x'.repeat(50_000)}` });
      }),
    );
    for (const window of windows) await window.refresh();
    expect(windows[0]!.history.messages).toEqual(windows[1]!.history.messages);
    expect(windows[0]!.history.messages).toHaveLength(40);
  });

  test('of a newer version is left alone', async () => {
    const path = join(temporary(), 'thread.jsonl');
    const content = '{"kind":"thread","version":2,"id":"x","created":0}\n';
    writeFileSync(path, content);
    await expect(open(path)).rejects.toMatchObject({ code: 'newer_version' });
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  test('skips lines that are no records', async () => {
    const path = join(temporary(), 'thread.jsonl');
    writeFileSync(path, 'null\n[]\n{"kind":"message"}\n{"kind":"later","a":1}\n\0\0\n{"kind":"thread","version":1}\n');
    const opened = await open(path);
    expect(opened.history.messages).toEqual([]);
    await opened.say({ role: 'user', text: 'hello' });
    expect((await open(path)).history.messages).toHaveLength(1);
  });

  test('that is deleted meanwhile begins anew', async () => {
    const path = join(temporary(), 'thread.jsonl');
    const opened = await open(path);
    await opened.say({ role: 'user', text: 'one' });
    writeFileSync(path, '');
    await opened.refresh();
    expect(opened.history.messages).toEqual([]);
    await opened.say({ role: 'user', text: 'two' });
    expect((await open(path)).history.messages.map(({ text }) => text)).toEqual(['two']);
  });

  test('says so when it cannot be written', async () => {
    const file = join(temporary(), 'file');
    writeFileSync(file, '');
    const opened = await open(join(file, 'thread.jsonl'));
    await expect(opened.say({ role: 'user', text: 'x' })).rejects.toMatchObject({ code: 'not_saved' });
  });
});
