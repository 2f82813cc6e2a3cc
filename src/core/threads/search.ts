import { UserError } from '../errors.ts';
import { redact } from '../redact/redact.ts';
import { excerpt } from '../search/excerpt.ts';
import { brief, jsonBytes, PAGE_BYTES } from '../util/page.ts';
import { type Choice, choose } from './choose.ts';
import { redactedIn } from './clean.ts';
import type { Digest } from './digest.ts';
import type { Library } from './library.ts';
import { type RankedThread, rankThreads } from './rank.ts';
import { isoTime } from './view.ts';

export interface SearchInput extends Choice {
  readonly query: string;
  readonly limit: number;
  readonly include_summary: boolean;
  readonly response_format: 'formatted' | 'structured';
}

/** What answers show of a thread that was found. */
export interface ThreadView {
  readonly thread_id: string;
  readonly title: string;
  /** The agent it last ran with; pass it on as thread_agent_id. */
  readonly agent_id: string | null;
  readonly source: Digest['source'];
  readonly workspace?: string;
  readonly updated: string | null;
  readonly messages: number;
  readonly hidden_messages?: number;
  readonly background?: true;
}

export interface FoundThread extends ThreadView {
  readonly score: number;
  readonly matches: readonly { readonly message_num: number; readonly text: string }[];
  readonly summary?: string;
}

/** UTF-16 units. */
const LONGEST_QUERY = 2000;
/** Threads at the top that are summarised. */
const SUMMARISED = 10;

/** Threads that deal with a query, best first. */
export async function searchThreads(library: Library, input: SearchInput, signal?: AbortSignal) {
  const query = checkedQuery(input.query);
  const { entries, coverage } = choose(library, input);
  const ranking = await rankThreads(library, entries, query, input.limit, signal);
  const head = {
    query: brief(redact(query).text, 300),
    coverage,
    semantic_index: ranking.semantic_index,
    ...(ranking.corrections.length > 0 && { corrections: ranking.corrections.slice(0, 10) }),
    ...(ranking.threads.length === 0 && { note: emptyNote(coverage.pending ?? 0) }),
  };
  const room = PAGE_BYTES - jsonBytes(head) - 200;
  const share = Math.max(350, Math.floor(room / Math.max(1, Math.min(ranking.threads.length, 12))));
  const results: FoundThread[] = [];
  let used = 0;
  for (const [place, thread] of ranking.threads.entries()) {
    const view = foundThread(thread, query, share, input.include_summary && place < SUMMARISED);
    used += jsonBytes(input.response_format === 'formatted' ? formatted(view, place + 1) : view) + 2;
    if (place > 0 && used > room) break;
    results.push(view);
  }
  const omitted = ranking.threads.length - results.length;
  return {
    ...head,
    ...(input.response_format === 'formatted'
      ? { content: results.map((view, place) => formatted(view, place + 1)).join('\n\n') }
      : { results }),
    returned: results.length,
    redacted: redactedIn(results),
    ...(omitted > 0 && { omitted, omitted_note: 'More threads match than an answer holds: narrow the query.' }),
  };
}

/** @throws UserError `empty_query` or `query_too_long`. */
export function checkedQuery(query: string): string {
  const trimmed = query.trim();
  if (!/[\p{L}\p{N}]/u.test(trimmed)) {
    const next = 'Pass words that the thread would hold, or what it was about.';
    throw new UserError('empty_query', 'The query has no word to search for.', next);
  }
  if (trimmed.length > LONGEST_QUERY) {
    const next = 'Pass one or two sentences, or only the telling words.';
    throw new UserError(
      'query_too_long',
      `The query has ${trimmed.length} characters; ${LONGEST_QUERY} are the most.`,
      next,
    );
  }
  return trimmed;
}

export function threadView({ file, digest }: RankedThread['entry']): ThreadView {
  return {
    thread_id: digest.id,
    title: digest.title.slice(0, 120),
    agent_id: digest.agents.at(-1) ?? null,
    source: digest.source,
    ...(file.workspace && { workspace: file.workspace.slice(-160) }),
    updated: isoTime(digest.updated),
    messages: digest.messages,
    ...(digest.hidden > 0 && { hidden_messages: digest.hidden }),
    ...(digest.background && { background: true as const }),
  };
}

function foundThread(thread: RankedThread, query: string, share: number, summarise: boolean): FoundThread {
  const { entry, score, hits } = thread;
  const view = { ...threadView(entry), score: Number(score.toPrecision(3)) };
  const summary = summarise ? { summary: summaryOf(entry.digest) } : {};
  const room = share - jsonBytes({ ...view, ...summary }) - 60;
  const shown = hits.slice(0, room < 500 ? 1 : room < 900 ? 2 : 3);
  const each = Math.max(160, Math.floor(room / shown.length) - 40);
  const matches = shown.map(({ number, text }) => ({
    message_num: number,
    text: excerpt(text, query, each).replaceAll(/\s+/g, ' ').trim(),
  }));
  return { ...view, matches, ...summary };
}

/** What a thread was about, from its own words: no model is asked. */
export function summaryOf({ opening, closing, gist, tools, compactions }: Digest): string {
  const parts = [`Asked: ${opening.slice(0, 200)}`];
  if (gist) parts.push(`Summary at its last compaction: ${gist.slice(0, 250)}`);
  if (closing) parts.push(`Last answer: ${closing.slice(0, 200)}`);
  if (tools.length > 0) {
    const named = tools.slice(0, 4).map(([name, times]) => (times > 1 ? `${name} ×${times}` : name));
    parts.push(`Tools: ${named.join(', ')}${tools.length > 4 ? ', …' : ''}`);
  }
  if (compactions > 0) parts.push(`Compacted ${compactions === 1 ? 'once' : `${compactions} times`}`);
  return parts.join('\n');
}

function formatted(view: FoundThread, place: number): string {
  const { title, thread_id: id, agent_id: agent, source, updated, messages, workspace, matches, summary } = view;
  const about = [agent, source, updated?.slice(0, 10), `${messages} messages`, workspace].filter(Boolean).join(', ');
  const found = matches.map(({ message_num: number, text }) => `   #${number} ${text}`);
  const told = summary?.split('\n').map((line) => `   ${line}`) ?? [];
  return [`${place}. ${title}`, `   thread_id ${id} (${about})`, ...found, ...told].join('\n');
}

function emptyNote(pending: number): string {
  return pending > 0
    ? `Nothing found in what has been read so far: ${pending} threads are still to be read. Ask again in a moment.`
    : 'No thread matches. Try other words, agent_ids, or include_hidden; coverage says what was not searched.';
}
