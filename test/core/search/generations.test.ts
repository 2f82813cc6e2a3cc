import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGeneration, publishGeneration } from '../../../src/core/search/generations.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loci generations-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const publish = (text: string, fingerprint = 'f1') =>
  publishGeneration(home, fingerprint, (folder) => writeFile(join(folder, 'data'), text));
const open = (fingerprint = 'f1') =>
  openGeneration(home, fingerprint, (folder) => readFile(join(folder, 'data'), 'utf8'));

test('what was published last is opened, and what it replaced is gone', async () => {
  expect(await open()).toEqual({});
  await publish('one');
  await publish('two');
  expect(await open()).toEqual({ value: 'two' });
  expect(readdirSync(home).filter((name) => name.startsWith('g-'))).toHaveLength(1);
});

test('an index of another fingerprint is not opened', async () => {
  await publish('one', 'old');
  const { value, problem } = await open('new');
  expect(value).toBeUndefined();
  expect(problem).toContain('another version');
});

test('a save that fails leaves the former generation and no folder of its own', async () => {
  await publish('one');
  const failing = publishGeneration(home, 'f1', async (folder) => {
    await writeFile(join(folder, 'data'), 'half');
    throw new Error('no space');
  });
  await expect(failing).rejects.toThrow('no space');
  expect(await open()).toEqual({ value: 'one' });
  expect(readdirSync(home).filter((name) => name.startsWith('g-'))).toHaveLength(1);
});

test('a killed save is swept once it is old, and not while it may be another window at work', async () => {
  await publish('one');
  for (const name of ['g-dead', 'g-alive']) {
    mkdirSync(join(home, name));
    writeFileSync(join(home, name, 'data'), 'half');
  }
  const hourAgo = new Date(Date.now() - 3600_000);
  utimesSync(join(home, 'g-dead'), hourAgo, hourAgo);
  await publish('two');
  expect(existsSync(join(home, 'g-dead'))).toBe(false);
  expect(existsSync(join(home, 'g-alive'))).toBe(true);
  expect(await open()).toEqual({ value: 'two' });
});

test('a damaged pointer or generation is a problem to tell, not an error, and the next save mends it', async () => {
  await publish('one');
  writeFileSync(join(home, 'current.json'), '{"version":1,"fingerprint":"f1","generation":"../../etc"}');
  expect((await open()).problem).toBeDefined();
  writeFileSync(join(home, 'current.json'), '{"vers');
  expect((await open()).problem).toBeDefined();
  await publish('two');
  const { generation } = JSON.parse(readFileSync(join(home, 'current.json'), 'utf8')) as { generation: string };
  rmSync(join(home, generation, 'data'));
  expect((await open()).problem).toContain('ENOENT');
  await publish('three');
  expect(await open()).toEqual({ value: 'three' });
});

test('two windows that save at once leave one whole generation', async () => {
  await publish('start');
  const texts = Array.from({ length: 8 }, (_, i) => `window ${i}`);
  await Promise.all(texts.map((text) => publish(text)));
  const { value } = await open();
  expect(texts).toContain(value);
});
