import { UserError } from '../../errors.ts';
import { excerpt } from '../../search/excerpt.ts';
import { brief, PAGE_BYTES, page } from '../../util/page.ts';
import { createCleaner, redactedIn } from '../clean.ts';
import { isHidden, type Message, type Thread } from '../model.ts';
import { archiveRef } from '../view.ts';
import type { MemoryInput, SearchScopeName } from './input.ts';

/** Messages of a thread by how well they match a query, best first: number and score. */
export type RankMessages = (query: string, limit: number) => Promise<readonly { number: number; score: number }[]>;

/** What is searched of one message or summary. */
interface Candidate {
  readonly number: number;
  readonly text: string;
  readonly kind: 'message' | 'tool_result' | 'tool_arguments' | 'summary';
  readonly handle: string;
  readonly hidden: boolean;
  readonly message?: Message;
  readonly toolName?: string;
  readonly toolCallId?: string;
}

const MOST_RANKED = 200;

/**
 * Searches a thread. `raw` looks for the query as it stands, in everything that was said, called, answered and
 * summarised; the other scopes rank by words and meaning, and take what holds the query as it stands first.
 */
export async function searchMessages(thread: Thread, input: MemoryInput, rank: RankMessages) {
  const query = input.query.trim();
  if (query === '') throw new UserError('empty_query', 'SEARCH_MESSAGES needs a query.', 'Pass words or exact text.');
  const scope = input.search_scope;
  const cleaner = createCleaner();
  const candidates = candidatesOf(thread, scope).filter(inRange(input));
  const ranked = scope === 'raw' || scope === 'summary' ? [] : await rank(query, MOST_RANKED);
  const scores = new Map(ranked.map(({ number, score }) => [number, score]));
  const needle = query.toLowerCase();
  const words = wordsOf(query);
  const found = candidates
    .map((candidate) => {
      const exact = candidate.text.toLowerCase().includes(needle);
      const scored = candidate.kind === 'summary' ? shareOf(words, candidate.text) : scores.get(candidate.number);
      return { candidate, exact, score: scored ?? 0 };
    })
    .filter(({ exact, score }) => exact || (scope !== 'raw' && score > 0))
    .sort((a, b) => Number(b.exact) - Number(a.exact) || b.score - a.score || a.candidate.number - b.candidate.number);
  const limits = { limit: input.hidden_max_messages, offset: input.hidden_offset };
  const { items, pagination } = page(
    found,
    limits,
    ({ candidate, exact, score }) => {
      const { number, text, kind, handle, hidden, message, toolName, toolCallId } = candidate;
      return {
        start_message_num: number,
        end_message_num: number,
        kind,
        ...(message && { role: message.role }),
        hidden,
        match: exact ? 'exact' : 'ranked',
        score: Number(score.toPrecision(3)),
        handle,
        ...(toolName && { tool_name: toolName, tool_call_id: toolCallId }),
        excerpt: excerpt(around(cleaner.clean(text), exact ? needle : undefined), query, 500),
      };
    },
    PAGE_BYTES - 600,
  );
  return {
    action: 'SEARCH_MESSAGES',
    thread_id: thread.id,
    query: brief(cleaner.clean(query), 300),
    search_scope: scope,
    results: items,
    total: found.length,
    searched: candidates.length,
    has_more: pagination.has_more,
    /** Pass as hidden_offset. */
    next_offset: pagination.next_offset,
    redacted: redactedIn(items),
  };
}

function candidatesOf(thread: Thread, scope: SearchScopeName): Candidate[] {
  const summaries = thread.compactions.map(
    ({ id, summary, hiddenTo }): Candidate => ({
      number: hiddenTo,
      text: summary,
      kind: 'summary',
      handle: id,
      hidden: id !== thread.compactions.at(-1)?.id,
    }),
  );
  if (scope === 'summary') return summaries;
  const messages = thread.messages.flatMap((message) => ofMessage(thread, message));
  switch (scope) {
    case 'visible':
      return [...messages.filter(({ hidden }) => !hidden), ...summaries.filter(({ hidden }) => !hidden)];
    case 'hidden':
      return messages.filter(({ hidden }) => hidden);
    case 'artifact':
      return messages.filter(({ kind }) => kind !== 'message');
    default:
      return [...messages, ...summaries];
  }
}

function ofMessage(thread: Thread, message: Message): Candidate[] {
  const { number, role, text, calls, answers, attachments } = message;
  const about = { number, message, hidden: isHidden(thread, number) };
  const found: Candidate[] = [];
  if (role === 'tool' && answers) {
    found.push({
      ...about,
      kind: 'tool_result',
      text,
      handle: answers.id,
      toolName: answers.name,
      toolCallId: answers.id,
    });
  } else if (text !== '') found.push({ ...about, kind: 'message', text, handle: String(number) });
  for (const { id, name, arguments: given } of calls ?? []) {
    const handle = archiveRef(id);
    found.push({ ...about, kind: 'tool_arguments', text: `${name} ${given}`, handle, toolName: name, toolCallId: id });
  }
  if (attachments) {
    const names = attachments.map(({ name, uri }) => (uri ? `${name} ${uri}` : name)).join('\n');
    found.push({ ...about, kind: 'tool_arguments', text: names, handle: String(number) });
  }
  return found;
}

function inRange({ start_message_num: start, end_message_num: end }: MemoryInput): (candidate: Candidate) => boolean {
  return ({ number }) => number >= (start ?? 0) && number <= (end ?? Number.POSITIVE_INFINITY);
}

/** The neighbourhood of the first exact match, so that a huge text does not have to be searched for its best passage. */
function around(text: string, needle: string | undefined): string {
  const at = needle === undefined ? 0 : Math.max(0, text.toLowerCase().indexOf(needle));
  return text.slice(Math.max(0, at - 1000), at + 8000);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Share of the words that a text holds. */
function shareOf(words: readonly string[], text: string): number {
  const held = new Set(wordsOf(text));
  return words.length === 0 ? 0 : words.filter((word) => held.has(word)).length / words.length;
}
