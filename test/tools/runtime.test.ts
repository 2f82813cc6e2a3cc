import { afterAll, describe, expect, test } from 'vitest';
import { openWorkspace } from './workspace.ts';

const ws = openWorkspace({}, { settings: { 'budget.calls': 0 } });
const named = openWorkspace({}, { settings: { instanceName: 'cold-chain' } });
afterAll(async () => {
  await ws.close();
  await named.close();
});

describe('get_runtime_values', () => {
  test('gives the instance its own name, else the name of the workspace, and nothing more', async () => {
    expect((await ws.ask('get_runtime_values')).values).toEqual({ product_instance_name: 'ws' });
    expect((await named.ask('get_runtime_values')).values).toEqual({ product_instance_name: 'cold-chain' });
  });
});

describe('wait', () => {
  test('answers with exactly the specified fields', async () => {
    const { calls_remaining: _, ...result } = await ws.ask('wait', { seconds: 1, reason: 'the build' });
    expect(Object.keys(result).sort()).toEqual([
      'hint',
      'reason',
      'reminder',
      'resumed_at',
      'success',
      'waited_seconds',
    ]);
    expect(result).toMatchObject({ success: true, reason: 'the build' });
    expect(result.waited_seconds).toBeGreaterThanOrEqual(1);
    expect(result.waited_seconds * 10).toBe(Math.round(result.waited_seconds * 10));
    expect(new Date(result.resumed_at).toISOString()).toBe(result.resumed_at);
    expect(result.reminder).toContain('declare_goal_turn_status');
  });

  test('holds the time to at least a second and says null for no reason', async () => {
    expect(await ws.ask('wait', { seconds: -5 })).toMatchObject({ reason: null, waited_seconds: expect.closeTo(1, 0) });
  });

  test('ends at once when the call is cancelled, however long it was to wait', async () => {
    const abort = new AbortController();
    const waiting = ws.call('wait', { seconds: 9999 }, undefined, { signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('needs the seconds', async () => {
    expect((await ws.refuse('wait', {})).error_code).toBe('invalid_input');
  });
});

describe('declare_goal_turn_status', () => {
  const declare = async (input: object, thread: string | undefined) => {
    if (thread !== undefined) {
      await ws.call('manage_context', { action: 'ADD_CONTEXT', active_tool_groups: 'goal_tools' }, undefined, {
        caller: { thread, agent: undefined },
      });
    }
    return (await ws.call('declare_goal_turn_status', input, undefined, { caller: { thread, agent: undefined } }))
      .result;
  };

  test('remembers for each chat how its turn ended', async () => {
    const first = await declare(
      { status: 'awaiting_run', summary: 'Build started.', waiting_for: 'nightly build' },
      'a',
    );
    expect(first).toMatchObject({
      success: true,
      recorded: true,
      previous: null,
      next_step: expect.stringContaining('End your turn'),
    });
    expect(await declare({ status: 'complete' }, 'b')).toMatchObject({ recorded: true, previous: null });
    expect(await declare({ status: 'complete', summary: 'Green.' }, 'a')).toMatchObject({
      previous: { status: 'awaiting_run' },
    });
    expect(await ws.app.goals.current({ thread: 'a' })).toMatchObject({ status: 'complete', summary: 'Green.' });
  });

  test('says when it cannot know the chat', async () => {
    expect(await declare({ status: 'blocked' }, undefined)).toMatchObject({
      recorded: false,
      note: expect.any(String),
    });
  });

  test('takes only the stances there are', async () => {
    expect(await declare({ status: 'sleeping' }, 'a')).toMatchObject({ error_code: 'invalid_input' });
  });
});
