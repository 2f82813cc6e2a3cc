import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleWorkspace, type Workspace } from './workspace.ts';

interface Question {
  readonly question: string;
  readonly kind: string;
  readonly answerFile: string;
  readonly mustContain: string;
}
const questions = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/sample-questions.json'), 'utf8'),
) as Question[];

let ws: Workspace;
beforeAll(() => {
  ws = sampleWorkspace({ settings: { 'budget.calls': 0 } });
});
afterAll(() => ws.close());

/** Rank of the answer's file among a tool's first five results, from 1; 0 when it is not there. */
async function rank({ question, kind, answerFile }: Question): Promise<number> {
  const tool = kind === 'keyword' ? 'search_keyword' : 'search_knowledge';
  const { results } = await ws.ask(tool, { query: question });
  return results.findIndex((result: { path: string }) => result.path === answerFile) + 1;
}

test('keyword questions put their answer first, and most of all questions have it among five', async () => {
  const ranks = await Promise.all(questions.map(rank));
  const missed = questions.filter((_, i) => ranks[i] === 0);
  expect(missed.filter(({ kind }) => kind === 'keyword')).toEqual([]);
  // Measured: 25 of 30 among five, 21 first.
  expect(questions.length - missed.length).toBeGreaterThanOrEqual(24);
  expect(ranks.filter((place) => place === 1).length).toBeGreaterThanOrEqual(19);
});
