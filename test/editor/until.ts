import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until the answer is truthy and returns it. Throws with the last answer or error after `limit` milliseconds. */
export async function until<T>(what: string, ask: () => T | Promise<T>, limit = 30_000): Promise<NonNullable<T>> {
  const end = Date.now() + limit;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    await sleep(250);
  }
  throw new Error(
    `Waited ${limit / 1000} s in vain: ${what}. Last: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
  );
}
