import { UserError } from '../errors.ts';
import { isAbort, throwIfAborted } from '../util/abort.ts';
import { page } from '../util/page.ts';
import { type Choice, choose } from './choose.ts';
import { createCleaner, redactedIn } from './clean.ts';
import type { Entry, Library } from './library.ts';
import { rankThreads } from './rank.ts';
import { checkedQuery, summaryOf, threadView } from './search.ts';

export interface FindInput extends Choice {
  /** What the thread is about, searched by words and meaning; empty for every thread. */
  readonly text: string;
  /** Name of a tool that was called, or a part of it. */
  readonly tool_name: string;
  /** Text that a tool's result holds, as it stands but for case. */
  readonly result_text: string;
  /** ISO 8601; null for no bound. Of the thread's last message. */
  readonly since: string | null;
  readonly until: string | null;
  /** Part of the workspace's folder or file name. */
  readonly workspace: string;
  readonly include_summary: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** How many threads were left after a filter. */
interface Stage {
  readonly filter: string;
  readonly left: number;
}

/** Threads that a text filter keeps at most, and how long results are searched for exact text. */
const MOST_RANKED = 200;
const RESULT_MS = 25_000;

/** Threads that pass every filter that is given, one after the other; how many each one leaves is told. */
export async function findThreads(library: Library, input: FindInput, signal?: AbortSignal) {
  const [since, until] = [timeOf('since', input.since), timeOf('until', input.until)];
  const chosen = choose(library, input);
  const stages: Stage[] = [{ filter: 'agents', left: chosen.entries.length }];
  let left = [...chosen.entries].sort((a, b) => (b.digest.updated ?? 0) - (a.digest.updated ?? 0));
  const keep = (filter: string, test: (entry: Entry) => boolean) => {
    left = left.filter(test);
    stages.push({ filter, left: left.length });
  };
  if (since !== undefined) keep('since', ({ digest }) => (digest.updated ?? 0) >= since);
  if (until !== undefined) keep('until', ({ digest }) => (digest.created ?? digest.updated ?? 0) <= until);
  const place = input.workspace.trim().toLowerCase();
  if (place)
    keep('workspace', ({ file, digest }) => `${file.workspace} ${digest.folder}`.toLowerCase().includes(place));
  const tool = input.tool_name.trim().toLowerCase();
  if (tool) keep('tool_name', ({ digest }) => digest.tools.some(([name]) => name.toLowerCase().includes(tool)));
  if (input.text.trim()) {
    const ranked = await rankThreads(library, left, checkedQuery(input.text), MOST_RANKED, signal);
    left = ranked.threads.map(({ entry }) => entry);
    stages.push({ filter: 'text', left: left.length });
  }
  let unchecked = 0;
  const quotes = new Map<string, Quote>();
  if (input.result_text) {
    const matched = await withResult(library, left, tool, input.result_text, signal);
    unchecked = matched.unchecked;
    for (const [id, quote] of matched.quotes) quotes.set(id, quote);
    keep('result_text', ({ digest }) => quotes.has(digest.id));
  }
  const { items, pagination } = page(
    left,
    { limit: input.limit, offset: input.offset },
    (entry) => ({
      ...threadView(entry),
      tools: entry.digest.tools.slice(0, 5).map(([name, calls]) => ({ name, calls })),
      ...(quotes.has(entry.digest.id) && { result: quotes.get(entry.digest.id) }),
      ...(input.include_summary && { summary: summaryOf(entry.digest) }),
    }),
    6000,
  );
  return {
    results: items,
    pagination,
    stages,
    redacted: redactedIn(items),
    coverage: chosen.coverage,
    ...(unchecked > 0 && {
      results_unchecked: unchecked,
      note: `The tool results of ${unchecked} threads could not be searched in time: add a filter.`,
    }),
  };
}

interface Quote {
  readonly message_num: number;
  readonly tool_name: string;
  readonly tool_call_id: string;
  readonly text: string;
}

/** Threads with a tool result that holds a text, with the first such place in each. */
async function withResult(
  library: Library,
  entries: readonly Entry[],
  tool: string,
  wanted: string,
  signal?: AbortSignal,
): Promise<{ quotes: Map<string, Quote>; unchecked: number }> {
  const quotes = new Map<string, Quote>();
  const { clean } = createCleaner();
  const needle = wanted.toLowerCase();
  const end = performance.now() + RESULT_MS;
  for (const [i, { file, digest }] of entries.entries()) {
    throwIfAborted(signal);
    if (performance.now() > end) return { quotes, unchecked: entries.length - i };
    const thread = await library.read(file, signal).catch((error: unknown) => {
      if (isAbort(error)) throw error;
      return undefined;
    });
    for (const { number, text, answers } of thread?.messages ?? []) {
      if (!answers?.name.toLowerCase().includes(tool)) continue;
      const shown = clean(text);
      const at = shown.toLowerCase().indexOf(needle);
      if (at < 0) continue;
      const quote = shown.slice(Math.max(0, at - 80), at + wanted.length + 120);
      quotes.set(digest.id, { message_num: number, tool_name: answers.name, tool_call_id: answers.id, text: quote });
      break;
    }
  }
  return { quotes, unchecked: 0 };
}

function timeOf(name: string, value: string | null): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const ms = Date.parse(value);
  if (Number.isFinite(ms)) return ms;
  throw new UserError('bad_time', `${name} is no time: ${value.slice(0, 60)}`, 'Pass ISO 8601, such as 2026-05-01.');
}
