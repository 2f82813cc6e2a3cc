import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Host } from './host.ts';
import { writeFileAtomic } from './util/atomic-file.ts';
import { sha256 } from './util/hash.ts';

/** Which run a call belongs to: a chat request of the editor, or a thread of the command line. */
export interface Run {
  readonly id: string;
  /** True when the run outlives this process and its count must be kept on disk. */
  readonly kept: boolean;
}

export interface Spent {
  readonly used: number;
  /** 0 when there is no limit. */
  readonly limit: number;
  readonly remaining: number;
  /** Number of the earlier call with the same tool and arguments, from 1. */
  readonly repeats?: number;
}

export interface BudgetLedger {
  /** Counts a call. `remaining` is -1 when it came after the last one allowed, and so must not run. */
  spend(run: Run | undefined, tool: string, input: unknown): Promise<Spent>;
}

/** A kept run ends after this long without a call: a thread of the command line has no requests to count by. */
const IDLE_MS = 10 * 60_000;
const RUNS_HELD = 200;

const saved = z.object({ version: z.literal(1), at: z.number(), calls: z.array(z.string()) });

/** Counts the calls of each run against `loci.budget.calls`. */
export function createBudgetLedger(host: Host): BudgetLedger {
  const runs = new Map<string, string[]>();
  const fileOf = (run: Run) => join(host.storage, 'runs', `${sha256(run.id).slice(0, 24)}.json`);

  const callsOf = (run: Run): string[] => {
    const held = runs.get(run.id);
    if (held) return held;
    if (!run.kept) return [];
    try {
      const { at, calls } = saved.parse(JSON.parse(readFileSync(fileOf(run), 'utf8')));
      return host.now() - at < IDLE_MS ? calls : [];
    } catch {
      return [];
    }
  };

  return {
    async spend(run, tool, input) {
      const limit = host.settings()['budget.calls'];
      if (!run) return { used: 1, limit, remaining: limit === 0 ? 0 : limit - 1 };
      const calls = callsOf(run);
      const fingerprint = sha256(JSON.stringify([tool, sorted(input)])).slice(0, 16);
      const earlier = calls.indexOf(fingerprint);
      const exhausted = limit > 0 && calls.length >= limit;
      if (!exhausted) calls.push(fingerprint);
      runs.delete(run.id);
      runs.set(run.id, calls);
      if (runs.size > RUNS_HELD) runs.delete(runs.keys().next().value!);
      if (run.kept) {
        mkdirSync(join(host.storage, 'runs'), { recursive: true });
        const content = { version: 1, at: host.now(), calls } satisfies z.infer<typeof saved>;
        await writeFileAtomic(fileOf(run), JSON.stringify(content));
      }
      const remaining = limit === 0 ? 0 : exhausted ? -1 : limit - calls.length;
      return { used: calls.length, limit, remaining, ...(earlier >= 0 && { repeats: earlier + 1 }) };
    },
  };
}

/** The value with its keys in order, so that equal arguments have one text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
