import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudgetLedger } from '../../src/core/budget.ts';
import type { Host } from '../../src/core/host.ts';
import { parseSettings } from '../../src/core/settings.ts';
import { openWorkspace, temporary, type Workspace } from './workspace.ts';

let ws: Workspace;
beforeAll(() => {
  ws = openWorkspace({ 'a.md': '# A\n\nalpha\n', 'b.md': '# B\n\nbeta\n' });
});
afterAll(() => ws.close());

let runs = 0;
const newRun = () => ({ id: `run ${runs++}`, kept: false });

describe('the budget of a run', () => {
  test('counts twenty calls, warns from four left, stops at none', async () => {
    const run = newRun();
    for (let call = 1; call <= 20; call++) {
      const { ok, result } = await ws.call('find', { name: `a${call}` }, run);
      expect(ok).toBe(true);
      expect(result.calls_remaining).toBe(20 - call);
      if (call < 16) expect(result.budget_warning).toBeUndefined();
      else if (call < 20) expect(result.budget_warning).toContain(`Only ${20 - call} tool call`);
      else expect(result.budget_warning).toContain('Synthesize your answer now');
    }
    const { ok, result } = await ws.call('find', { name: 'one too many' }, run);
    expect(ok).toBe(false);
    expect(result).toMatchObject({
      error_code: 'budget_exhausted',
      calls_remaining: 0,
      index_status: { status: 'ready' },
      semantic_index: { status: 'available' },
    });
    expect(result.next_step).toContain('Synthesize your answer now');
    expect((await ws.call('find', { name: 'a' }, newRun())).ok).toBe(true);
  });

  test('counts calls that are refused', async () => {
    const run = newRun();
    expect((await ws.call('read', {}, run)).result).toMatchObject({ error_code: 'invalid_input', calls_remaining: 19 });
    expect((await ws.call('read', { path_part_id: 'x' }, run)).result).toMatchObject({ calls_remaining: 18 });
    expect((await ws.call('read', { path_part_id: 'x' }, run)).result.repeated_call).toContain('as call 2 ');
  });

  test('names a repeat, defaults and the order of arguments aside', async () => {
    const run = newRun();
    await ws.call('search_keyword', { query: 'alpha', top_k: 5 }, run);
    await ws.call('search_keyword', { query: 'beta' }, run);
    const { result } = await ws.call('search_keyword', { include_raw: false, query: 'alpha' }, run);
    expect(result.repeated_call).toContain('Call 3 has the same tool and arguments as call 1 ');
    expect((await ws.call('search_knowledge', { query: 'alpha' }, run)).result.repeated_call).toBeUndefined();
  });

  test('0 is no limit', async () => {
    const free = openWorkspace({ 'a.md': 'alpha' }, { settings: { 'budget.calls': 0 } });
    try {
      const run = newRun();
      for (let call = 0; call < 25; call++) {
        const { ok, result } = await free.call('find', { name: `${call}` }, run);
        expect(ok).toBe(true);
        expect(result).not.toHaveProperty('calls_remaining');
        expect(result).not.toHaveProperty('budget_warning');
      }
    } finally {
      await free.close();
    }
  });
});

describe('a kept run', () => {
  const ledgerAt = (storage: string, now: () => number, logged: string[] = []) =>
    createBudgetLedger({
      storage,
      settings: () => parseSettings(() => undefined).settings,
      now,
      log: (_, message) => void logged.push(message),
    } as Host);
  const run = { id: 'thread', kept: true };

  test('is counted across processes that call at the same time, each call once', async () => {
    const storage = temporary();
    const ledgers = Array.from({ length: 5 }, () => ledgerAt(storage, () => 1000));
    const spent = await Promise.all(
      Array.from({ length: 25 }, (_, call) => ledgers[call % 5]!.spend(run, 'find', { call })),
    );
    const left = spent.map(({ remaining }) => remaining).sort((a, b) => a - b);
    expect(left).toEqual([...Array(5).fill(-1), ...Array(20).keys()]);
  });

  test('ends after ten minutes without a call', async () => {
    const storage = temporary();
    let now = 1_000_000;
    const spend = () => ledgerAt(storage, () => now).spend(run, 'find', {});
    await spend();
    now += 9 * 60_000;
    expect(await spend()).toMatchObject({ used: 2, repeats: 1 });
    now += 10 * 60_000;
    expect((await spend()).used).toBe(1);
  });

  test('is counted in memory where nothing can be written', async () => {
    const logged: string[] = [];
    const ledger = ledgerAt('/dev/null/nowhere', () => 1000, logged);
    await ledger.spend(run, 'find', {});
    expect((await ledger.spend(run, 'find', {})).used).toBe(2);
    expect(logged[0]).toContain('not kept');
  });
});
