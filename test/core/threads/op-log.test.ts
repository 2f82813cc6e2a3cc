import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOpLog } from '../../../src/core/threads/op-log.ts';

type Path = (string | number)[];
type State = Record<string, unknown>;

/** The state after one change, written the plain way: a copy with the change made. */
function changed(state: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(state);
  if (Array.isArray(state)) {
    const copy = [...state];
    copy[step as number] = changed(state[step as number], rest, change);
    return copy;
  }
  return { ...(state as State), [step]: changed((state as State)[step], rest, change) };
}

/** Every path in a state that leads to a value. */
function paths(state: unknown, here: Path = []): Path[] {
  if (typeof state !== 'object' || state === null) return [here];
  const steps = Array.isArray(state) ? state.map((_, i) => i) : Object.keys(state);
  return [here, ...steps.flatMap((step) => paths((state as State)[step], [...here, step]))];
}

const value = fc.jsonValue({ maxDepth: 3 });
const start = fc.dictionary(fc.stringMatching(/^[a-e]$/), fc.oneof(value, fc.array(value, { maxLength: 4 })));
const pick = fc.nat();

describe('the log of changes', () => {
  test('gives the state that its changes make one by one', () => {
    const step = fc.record({
      kind: fc.constantFrom(1, 2, 3),
      pick,
      cut: fc.nat(),
      key: fc.constantFrom('x', 'y'),
      value,
    });
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 12 }), (initial, steps) => {
        let expected: unknown = structuredClone(initial);
        const log = createOpLog();
        log.apply({ kind: 0, v: structuredClone(initial) });
        for (const { kind, pick: chosen, cut, key, value: v } of steps) {
          const all = paths(expected).filter((path) => path.length > 0);
          const at = all.length === 0 ? [key] : all[chosen % all.length]!;
          const found = at.reduce<unknown>((holder, name) => (holder as State)?.[name], expected);
          if (kind === 2) {
            if (found !== undefined && found !== null && !Array.isArray(found)) continue;
            const old = found ?? [];
            const i = cut % 2 ? undefined : cut % ((old as unknown[]).length + 1);
            log.apply(structuredClone({ kind, k: at, v: [v], ...(i !== undefined && { i }) }));
            expected = changed(expected, at, () => [...(old as unknown[]).slice(0, i), v]);
          } else {
            log.apply(structuredClone(kind === 1 ? { kind, k: at, v } : { kind, k: at }));
            expected = changed(expected, at, () => (kind === 1 ? v : undefined));
          }
        }
        expect(log.state).toEqual(expected);
        expect(log.rejected).toBe(0);
      }),
    );
  });

  test('leaves out what reaches outside the state or would make a list of holes', () => {
    const log = createOpLog();
    log.apply({ kind: 0, v: { requests: [{ id: 1 }] } });
    const hostile = [
      { kind: 1, k: ['__proto__', 'polluted'], v: true },
      { kind: 1, k: ['requests', '__proto__', 'polluted'], v: true },
      { kind: 1, k: ['constructor', 'prototype', 'polluted'], v: true },
      { kind: 1, k: ['requests', 4_000_000_000], v: {} },
      { kind: 1, k: ['requests', -1], v: {} },
      { kind: 1, k: ['requests', 'length'], v: 4_000_000_000 },
      { kind: 2, k: ['requests'], v: [], i: 4_000_000_000 },
      { kind: 2, k: ['requests', 0, 'id'], v: [1] },
      { kind: 1, k: ['nowhere', 'deep', 'down'], v: 1 },
      { kind: 1, k: [], v: 1 },
      { kind: 1, k: 'requests', v: 1 },
      { kind: 9, k: ['requests'], v: 1 },
    ];
    for (const entry of hostile) log.apply(entry);
    expect(log.state).toEqual({ requests: [{ id: 1 }] });
    expect(log.rejected).toBe(hostile.length);
    expect(({} as State).polluted).toBeUndefined();
  });

  test('a key named __proto__ is a key like any other', () => {
    const log = createOpLog();
    log.apply({ kind: 0, v: {} });
    log.apply({ kind: 1, k: ['__proto__'], v: { polluted: true } });
    expect(Object.hasOwn(log.state as object, '__proto__')).toBe(true);
    expect((log.state as State).polluted).toBeUndefined();
  });

  test('takes a very long list and very deep nesting', () => {
    const log = createOpLog();
    log.apply({ kind: 0, v: { requests: [] } });
    log.apply({ kind: 2, k: ['requests'], v: Array.from({ length: 300_000 }, (_, i) => i) });
    expect((log.state as { requests: unknown[] }).requests).toHaveLength(300_000);
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    log.apply({ kind: 1, k: ['deep'], v: deep });
    expect(log.rejected).toBe(0);
  });
});
