import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../src/core/settings.ts';

const from = (values: Record<string, unknown>) => parseSettings((name) => values[name]);

describe('settings', () => {
  test('are the defaults where nothing is set', () => {
    const { settings, problems } = from({});
    expect(settings).toMatchObject({ knowledgeBases: [], 'budget.calls': 20, 'read.tokenBudget': 2000 });
    expect(problems).toEqual([]);
  });

  test('a value that does not fit falls back to the default and is named', () => {
    const { settings, problems } = from({ 'budget.calls': 'many', 'read.tokenBudget': 500 });
    expect(settings).toMatchObject({ 'budget.calls': 20, 'read.tokenBudget': 500 });
    expect(problems).toEqual([expect.stringContaining('loci.budget.calls')]);
  });

  test('a knowledge base that does not fit costs only itself', () => {
    const good = { name: 'handbook', path: '~/handbook' };
    const { settings, problems } = from({ knowledgeBases: [5, good, { name: 'no path' }] });
    expect(settings.knowledgeBases).toEqual([good]);
    expect(problems).toEqual([expect.stringContaining('entry 1'), expect.stringContaining('entry 3')]);
  });
});
