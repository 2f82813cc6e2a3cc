import type { WorkspaceFolder } from '../../host.ts';
import { sha256 } from '../../util/hash.ts';
import { dialectNamed } from '../parse/dialect.ts';
import { parseSql } from '../parse/parse-sql.ts';
import { distinctTables } from '../parse/query.ts';
import type { SqlStatement, TableName } from '../parse/statement.ts';
import { anchorOf } from './anchors.ts';
import type { FoundQuery, HistoryEntry, PastQuery } from './entry.ts';
import type { FileQueries } from './sql-files.ts';

/** What was looked through, and what of it could not be read. */
export interface Coverage {
  readonly recorded_queries: number;
  readonly past_chats: {
    readonly status: 'searched' | 'unavailable';
    readonly queries: number;
    readonly reason?: string;
  };
  readonly workspace_sql_files: {
    readonly files: number;
    readonly queries: number;
    readonly unparsed: number;
    readonly problems?: readonly string[];
  };
  /** SQL of chats that no parser read; it is in no result. */
  readonly unparsed: number;
  readonly damaged_records?: number;
}

export interface Sources {
  readonly entries: readonly HistoryEntry[];
  readonly damaged: number;
  /** SQL of past chats; undefined when nothing gives it. */
  readonly chats: AsyncIterable<FoundQuery> | undefined;
  readonly files: FileQueries;
  readonly folders: readonly WorkspaceFolder[];
  /** Also what was run in other workspaces. */
  readonly everywhere: boolean;
  /** Anchors of SQL by hash, from one call to the next; undefined for SQL that does not parse. */
  readonly parsed: Map<string, ParsedQuery | undefined>;
}

export interface ParsedQuery {
  readonly anchors: readonly string[];
  readonly columns: readonly string[];
}

/** Every past query in sight, with the anchors that a parser finds in it. */
export async function gatherQueries(
  sources: Sources,
  signal?: AbortSignal,
): Promise<{ queries: PastQuery[]; coverage: Coverage }> {
  const workspace = sources.folders[0]?.path ?? '';
  const queries: PastQuery[] = [];
  for (const entry of sources.entries) {
    const elsewhere = entry.workspace !== workspace;
    if (!elsewhere || sources.everywhere) queries.push(ofEntry(entry, elsewhere));
  }
  const recorded = queries.length;
  for (const { file, system, statement, changedAt } of sources.files.queries) {
    queries.push({
      query_id: `file-${sha256(`${file}:${statement.line}:${statement.text}`).slice(0, 16)}`,
      source: 'workspace_file',
      sql: statement.text,
      created_at: changedAt,
      place: { file, line: statement.line },
      elsewhere: false,
      ...meaningOf([statement], system),
    });
  }
  const chats = await ofChats(sources, queries, signal);
  const { files, unparsed, problems } = sources.files;
  return {
    queries,
    coverage: {
      recorded_queries: recorded,
      past_chats: chats.status,
      workspace_sql_files: {
        files,
        queries: sources.files.queries.length,
        unparsed,
        ...(problems.length > 0 && { problems: problems.slice(0, 5) }),
      },
      unparsed: chats.unparsed,
      ...(sources.damaged > 0 && { damaged_records: sources.damaged }),
    },
  };
}

function ofEntry(entry: HistoryEntry, elsewhere: boolean): PastQuery {
  return {
    query_id: entry.id,
    source: 'run',
    thread_id: entry.thread,
    agent: entry.agent,
    connection_id: entry.connection_id,
    sql: entry.sql,
    columns: entry.columns,
    created_at: entry.at,
    anchors: entry.anchors,
    row_count: entry.rows,
    error: entry.error,
    preview: entry.preview,
    elsewhere,
  };
}

async function ofChats({ chats, entries, parsed }: Sources, into: PastQuery[], signal: AbortSignal | undefined) {
  if (!chats) {
    return {
      unparsed: 0,
      status: { status: 'unavailable' as const, queries: 0, reason: 'Chats are not read for SQL here.' },
    };
  }
  // What ran through Loci is recorded, with more than the chat tells.
  const recorded = new Set(entries.map(({ thread, sql }) => `${thread} ${sql.trim()}`));
  let count = 0;
  let unparsed = 0;
  for await (const found of chats) {
    if (recorded.has(`${found.thread_id} ${found.sql.trim()}`)) continue;
    const key = sha256(`${found.connection} ${found.sql}`);
    if (!parsed.has(key)) parsed.set(key, await parsedQuery(found, signal));
    const meaning = parsed.get(key);
    if (!meaning) {
      unparsed++;
      continue;
    }
    count++;
    into.push({
      query_id: `chat-${sha256(`${found.thread_id} ${found.time} ${found.sql}`).slice(0, 16)}`,
      source: found.kind === 'tool' ? 'chat_tool' : 'chat_fence',
      thread_id: found.thread_id,
      agent: found.agent,
      connection_id: found.connection,
      sql: found.sql,
      created_at: found.time,
      elsewhere: false,
      ...meaning,
    });
  }
  return { unparsed, status: { status: 'searched' as const, queries: count } };
}

/** Anchors and columns of SQL found in a chat; undefined when no statement of it is understood. */
async function parsedQuery(
  { sql, connection }: FoundQuery,
  signal: AbortSignal | undefined,
): Promise<ParsedQuery | undefined> {
  const named = dialectNamed(connection?.split('.')[0] ?? '');
  const { dialect, certain, statements } = await parseSql(sql, { dialect: named, signal });
  return statements.length === 0 ? undefined : meaningOf(statements, certain ? dialect : 'sql');
}

function meaningOf(statements: readonly SqlStatement[], system: string): ParsedQuery {
  const tables = distinctTables(
    statements.flatMap(({ target, reads }): TableName[] => [...(target ? [target] : []), ...reads]),
  );
  return {
    anchors: tables.map((table) => anchorOf(table, system)),
    columns: statements.at(-1)?.lineage?.map(({ column }) => column) ?? [],
  };
}
