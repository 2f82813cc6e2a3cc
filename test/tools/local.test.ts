import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { toolNamed } from '../../src/tools/catalog.ts';
import { confirmationOf } from '../../src/tools/run.ts';
import { openWorkspace, resultBytes, temporary, type Workspace } from './workspace.ts';

const ws = openWorkspace({ 'a.txt': 'alpha\n' }, { settings: { 'budget.calls': 0 } });
const untrusted = openWorkspace({}, { trusted: false, settings: { 'budget.calls': 0 } });
const off = openWorkspace({}, { settings: { 'budget.calls': 0, 'local.commands': false } });
afterAll(() => Promise.all([ws, untrusted, off].map((each) => each.close())));

const caller = { thread: 'local-1', agent: undefined };
const call = async (name: string, input: object, more = {}, at: Workspace = ws) =>
  (await at.call(name, input, undefined, { caller, ...more })).result;
const activate = (at: Workspace) =>
  call('manage_context', { action: 'ADD_CONTEXT', active_tool_groups: 'local_tools' }, {}, at);

describe('the group local_tools', () => {
  test('is used once activated, and only in a trusted workspace', async () => {
    expect(await call('local_files', { action: 'list' })).toMatchObject({ success: false });
    await activate(ws);
    expect(await call('local_files', { action: 'list', path: ws.folder })).toMatchObject({
      success: true,
      status: 'ok',
    });
    await activate(untrusted);
    const refused = await call('local_files', { action: 'list' }, {}, untrusted);
    expect(refused).toMatchObject({ success: false });
    expect(JSON.stringify(refused)).toMatch(/trust/i);
  });

  test('commands can be switched off', async () => {
    await activate(off);
    expect(await call('run_local_command', { command: 'ls', reason: 'x' }, {}, off)).toMatchObject({
      success: false,
      error_code: 'disabled',
      next_step: expect.stringContaining('loci.local.commands'),
    });
  });
});

describe('local_files', () => {
  test('reads at once and writes what a person agreed to', async () => {
    const path = join(ws.folder, 'a.txt');
    expect(await call('local_files', { action: 'read', path })).toMatchObject({ status: 'ok', content: 'alpha\n' });
    const write = { action: 'write', path: join(ws.folder, 'new.txt'), content: 'beta' };
    expect(await call('local_files', write)).toMatchObject({
      success: false,
      error_code: 'needs_confirmation',
      status: 'needs_approval',
    });
    const question = await confirmationOf(toolNamed('local_files')!, write, { app: ws.app, caller });
    expect(question?.message).toContain('new.txt');
    expect(await call('local_files', write, { confirmed: true })).toMatchObject({ status: 'ok', bytes: 4 });
    expect(await call('local_files', { action: 'read', path: write.path })).toMatchObject({ content: 'beta' });
  });

  test('finds its own folder, where nothing is asked', async () => {
    const { own_folder } = await call('local_files', { action: 'list', path: ws.folder });
    const write = { action: 'write', path: join(own_folder as string, 'n.md'), content: 'x' };
    expect(await call('local_files', write)).toMatchObject({ status: 'ok' });
    expect(await call('local_files', { action: 'read', path: join(ws.storage, 'capabilities') })).toMatchObject({
      status: 'refused',
    });
  });

  test('answers stay below 8,000 bytes, whatever names and text are like', async () => {
    const folder = temporary();
    mkdirSync(join(folder, 'd'));
    for (let i = 0; i < 120; i++)
      writeFileSync(join(folder, 'd', `${'"é\\'.repeat(25)}${i}`), '"\\\u0001é'.repeat(3000));
    for (const input of [
      { action: 'list', path: folder },
      { action: 'list', path: join(folder, 'd') },
      { action: 'find', path: folder, pattern: '*', max_results: 1000 },
      { action: 'search', path: folder, pattern: 'é', max_results: 1000 },
      { action: 'read', path: join(folder, 'd', `${'"é\\'.repeat(25)}1`), max_lines: 2000 },
    ]) {
      const result = await call('local_files', input);
      expect(result).toMatchObject({ status: 'ok' });
      expect(resultBytes(result)).toBeLessThan(8000);
    }
  });

  test.each([
    [{}],
    [{ action: 'copy' }],
    [{ action: 'read', max_lines: 2001 }],
    [{ action: 'search', max_results: 1001 }],
    [{ action: 'read', start_line: 0 }],
  ])('refuses %j', async (input) => {
    expect(await call('local_files', input)).toMatchObject({ success: false, error_code: 'invalid_input' });
  });
});

describe('run_local_command', () => {
  test('hands sign-ins to the person and refuses what bash cannot parse', async () => {
    expect(await call('run_local_command', { command: 'az login', reason: 'x' })).toMatchObject({
      status: 'needs_person',
    });
    expect(await call('run_local_command', { command: 'ls "', reason: 'x' })).toMatchObject({ status: 'refused' });
    expect(await call('run_local_command', { command: 'ls' })).toMatchObject({ error_code: 'invalid_input' });
  });

  test('what does more than read is asked about, if it could run at all', async () => {
    const result = await call('run_local_command', { command: 'touch x', reason: 'x' });
    expect(result.status).toMatch(/needs_approval|unavailable/);
  });

  test('a read answers at once', async () => {
    const result = await call('run_local_command', { command: 'cat a.txt', reason: 'x', working_directory: ws.folder });
    expect(['ok', 'unavailable']).toContain(result.status);
    if (result.status === 'ok') expect(result).toMatchObject({ output: 'alpha\n', exit_code: 0 });
  });
});
