import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Host } from './host.ts';
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

/** Counts the calls of each run against `loci.budget.calls`. */
export function createBudgetLedger(host: Host): BudgetLedger {
  const runs = new Map<string, string[]>();

  const hold = (id: string, call: string): readonly string[] => {
    const calls = [...(runs.get(id) ?? []), call];
    runs.delete(id);
    runs.set(id, calls);
    if (runs.size > RUNS_HELD) runs.delete(runs.keys().next().value!);
    return calls;
  };

  const keep = async (id: string, call: string): Promise<readonly string[]> => {
    try {
      return await appendCall(join(host.storage, 'runs', `${sha256(id).slice(0, 24)}.log`), call, host.now());
    } catch (error) {
      host.log('warn', `The calls of this thread are not kept: ${(error as Error).message}`);
      return hold(id, call);
    }
  };

  return {
    async spend(run, tool, input) {
      const limit = host.settings()['budget.calls'];
      if (!run) return { used: 1, limit, remaining: limit === 0 ? 0 : limit - 1 };
      const call = sha256(JSON.stringify([tool, sorted(input)])).slice(0, 16);
      const calls = run.kept ? await keep(run.id, call) : hold(run.id, call);
      if (limit > 0 && calls.length > limit) return { used: limit, limit, remaining: -1 };
      const earlier = calls.indexOf(call);
      return {
        used: calls.length,
        limit,
        remaining: limit === 0 ? 0 : limit - calls.length,
        ...(earlier < calls.length - 1 && { repeats: earlier + 1 }),
      };
    },
  };
}

/**
 * Adds a call to a run's log and returns the run's calls up to it. Each call is one appended line, so that processes that
 * call at the same time are all counted. A log without a call for `IDLE_MS` is begun anew.
 */
async function appendCall(path: string, call: string, now: number): Promise<readonly string[]> {
  await mkdir(dirname(path), { recursive: true });
  const last = linesOf(await readFile(path, 'utf8').catch(() => '')).at(-1);
  if (last && now - last.at >= IDLE_MS) await rm(path, { force: true });
  const token = randomBytes(6).toString('hex');
  await appendFile(path, `${now} ${call} ${token}\n`);
  const lines = linesOf(await readFile(path, 'utf8'));
  const own = lines.findIndex((line) => line.token === token);
  return lines.slice(0, own + 1).map((line) => line.call);
}

function linesOf(log: string): { at: number; call: string; token: string }[] {
  return [...log.matchAll(/^(\d+) ([0-9a-f]{16}) ([0-9a-f]{12})$/gm)].map(([, at, call, token]) => ({
    at: Number(at),
    call: call!,
    token: token!,
  }));
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
