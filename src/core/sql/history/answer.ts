import { UserError } from '../../errors.ts';
import { redact } from '../../redact/redact.ts';
import { cutText, jsonBytes, PAGE_BYTES } from '../../util/page.ts';
import type { PastQuery } from './entry.ts';
import {
  type Category,
  type Learning,
  type LearningPort,
  learningsOn,
  type Match,
  matchQueries,
  resolveTopic,
  validate,
} from './find.ts';
import type { Coverage } from './past-queries.ts';

export interface FindInput {
  readonly topic: string;
  readonly anchor_qns: readonly string[] | null;
  readonly connection_id: string | null;
  readonly since: string | null;
  readonly until: string | null;
  readonly limit: number;
  readonly include_categories: readonly Category[] | null;
}

/** Longest SQL and texts of learnings in an answer, in bytes of JSON. */
const LONGEST_SQL = 1500;
const LONGEST_TEXT = 400;
const MOST_LEARNINGS = 5;
const MOST_COLUMNS = 30;

/** Answers find_past_queries over the queries in sight. */
export async function answerPastQueries(
  input: FindInput,
  queries: readonly PastQuery[],
  coverage: Coverage,
  options: { readonly wiki: LearningPort | undefined; readonly previews: boolean },
) {
  const [since, until] = [timeOf(input.since, 'since'), timeOf(input.until, 'until')];
  const visible = queries.filter(({ connection_id, created_at }) => {
    const at = Date.parse(created_at);
    return (
      (input.connection_id === null || isConnection(connection_id, input.connection_id)) &&
      !(at < since) &&
      !(at > until)
    );
  });
  const resolution = await resolveTopic(input, visible, options.wiki);
  const matches = matchQueries(visible, resolution, input.topic);
  const anchors = [...new Set([...resolution.anchors, ...matches.flatMap(({ matched }) => matched)])];
  const learnings = await learningsOn(anchors, options.wiki);
  const included = input.include_categories ?? ['final'];
  const all = distinct(anchors.flatMap((anchor) => learnings.get(anchor) ?? []));
  const head = {
    relevant_conventions: all
      .filter(({ category }) => category !== 'rejected_approach' && included.includes(category))
      .slice(0, MOST_LEARNINGS)
      .map(told),
    prior_concerns: all
      .filter(({ category }) => category === 'rejected_approach')
      .slice(0, MOST_LEARNINGS)
      .map(told),
    why_matched: {
      resolution_method: resolution.method,
      resolved_anchors: resolution.anchors.slice(0, 10),
      ...(resolution.anchors.length > 10 && { further_anchors: resolution.anchors.length - 10 }),
    },
    coverage,
  };
  const matched = fitting(matches.slice(0, input.limit), PAGE_BYTES - jsonBytes(head), (match) => {
    const own = distinct(match.matched.flatMap((anchor) => learnings.get(anchor) ?? []));
    return { ...shown(match, options.previews), ...validate(own, included) };
  });
  return {
    topic: cutText(input.topic, 200),
    matched_queries: matched,
    total_matches: matches.length,
    ...(matched.length < Math.min(matches.length, input.limit) && {
      left_out: `${Math.min(matches.length, input.limit) - matched.length} further matches did not fit: narrow with anchor_qns, connection_id, since or until.`,
    }),
    ...head,
    ...(matches.length === 0 && {
      next_step:
        'Nothing matches. search_threads looks through the text of past chats; search_data_context finds the tables themselves.',
    }),
  };
}

function shown({ query, matched, runs }: Match, previews: boolean) {
  const { sql, columns, preview, place } = query;
  const clean = redact(sql).text;
  const text = cutText(clean, LONGEST_SQL);
  const visible = previews && !query.elsewhere ? preview : undefined;
  return {
    query_id: query.query_id,
    thread_id: query.thread_id ?? null,
    ...(query.agent !== undefined && { agent: query.agent }),
    source: query.source,
    ...(place && { file: place.file, line: place.line }),
    ...(query.connection_id !== undefined && { connection_id: query.connection_id }),
    sql: text,
    ...(text.length < clean.length && { sql_truncated: true }),
    columns: columns.slice(0, MOST_COLUMNS),
    ...(query.row_count !== undefined && { row_count: query.row_count }),
    ...(query.error !== undefined && { error: cutText(query.error, 200) }),
    first_page_preview: visible ?? null,
    first_page_redacted: preview !== undefined && visible === undefined,
    created_at: query.created_at,
    ...(runs > 1 && { run_count: runs }),
    matched_anchors: matched.slice(0, 10),
  };
}

/** The first matches that fit; a preview is given up before a match is. */
function fitting<T extends { first_page_preview: unknown }>(
  matches: readonly Match[],
  bytes: number,
  render: (match: Match) => T,
): T[] {
  const items: T[] = [];
  let left = bytes;
  for (const match of matches) {
    let item = render(match);
    if (jsonBytes(item) > left || jsonBytes(item.first_page_preview) > 1500)
      item = { ...item, first_page_preview: null };
    const size = jsonBytes(item) + 1;
    if (size > left && items.length > 0) break;
    items.push(item);
    left -= size;
  }
  return items;
}

function told({ statement_id, anchor_qn, text, category }: Learning) {
  return { statement_id, anchor_qn, category, text: cutText(text, LONGEST_TEXT) };
}

function distinct(learnings: readonly Learning[]): Learning[] {
  return [...new Map(learnings.map((learning) => [learning.statement_id, learning])).values()];
}

function isConnection(own: string | undefined, wanted: string): boolean {
  return own === wanted || own?.slice(own.indexOf('.') + 1) === wanted;
}

/** NaN for no bound, which no time is before or after. */
function timeOf(text: string | null, field: string): number {
  if (text === null || text === '') return Number.NaN;
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new UserError(
      'bad_time',
      `${field} "${text.slice(0, 40)}" is no time.`,
      'Pass an ISO time, such as 2026-01-31 or 2026-01-31T09:00:00Z.',
    );
  }
  return time;
}
