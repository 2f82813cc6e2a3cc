import type { FoundQuery } from './entry.ts';

/** A message of a past chat. */
export interface ChatMessage {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly time?: number;
  readonly agent?: string;
  /** Calls of tools, their arguments as JSON text. */
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
}

/** A past chat, whose messages are read only when they are needed. */
export interface PastChat {
  readonly thread_id: string;
  /** Where it is read from: a chat may lie in several stores. */
  readonly source: string;
  /** Changes when the chat does. */
  readonly stamp: string;
  /** Milliseconds since the epoch; for messages that have no time. */
  readonly updated: number;
  messages(): Promise<readonly ChatMessage[]>;
}

/** Names of arguments that hold SQL, in the order of preference. */
const SQL_ARGUMENTS = ['sql', 'query', 'statement', 'sqlQuery', 'sql_query', 'queryText'];
const FENCE =
  /^[ \t]*(`{3,}|~{3,})[ \t]*(?:sql|postgres(?:ql)?|mysql|sqlite|tsql|plsql|snowflake|bigquery|duckdb)\b[^\n]*\n([\s\S]*?)^[ \t]*\1/gim;
const FIRST_WORD =
  /^(?:\s|--[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\()*(?:SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|CREATE|EXPLAIN|VALUES|TABLE|FROM)\b/i;
/** Longest SQL that is taken up, in UTF-16 units. */
const LONGEST = 20_000;
/** Of a message, in UTF-16 units: so much is looked through for fenced blocks. */
const LONGEST_MESSAGE = 200_000;

/** The SQL that past chats hold: arguments of any tool that are SQL, and fenced blocks. A chat is read again when it has changed. */
export function chatSql(chats: (signal?: AbortSignal) => AsyncIterable<PastChat>, log: (message: string) => void) {
  const known = new Map<string, { stamp: string; queries: readonly FoundQuery[] }>();
  return async function* (signal?: AbortSignal): AsyncIterable<FoundQuery> {
    const seen = new Set<string>();
    for await (const chat of chats(signal)) {
      let found = known.get(chat.source);
      if (found?.stamp !== chat.stamp) {
        const messages = await chat.messages().catch((error: unknown) => {
          signal?.throwIfAborted();
          log(`A chat was not read for SQL: ${(error as Error).message}`);
          return [];
        });
        found = { stamp: chat.stamp, queries: messages.flatMap((message) => sqlOf(message, chat)) };
        known.set(chat.source, found);
      }
      for (const query of found.queries) {
        const key = `${query.thread_id} ${query.sql}`;
        if (seen.has(key)) continue;
        seen.add(key);
        yield query;
      }
    }
  };
}

function sqlOf({ text, time, agent, calls = [] }: ChatMessage, { thread_id, updated }: PastChat): FoundQuery[] {
  const at = { thread_id, time: new Date(time ?? updated).toISOString(), ...(agent !== undefined && { agent }) };
  const fenced = [...text.slice(0, LONGEST_MESSAGE).matchAll(FENCE)].map(
    ([, , sql]): FoundQuery => ({ ...at, kind: 'fence', sql: sql!.trim() }),
  );
  const called = calls.flatMap((call): FoundQuery[] => {
    const { sql, connection } = sqlIn(call.arguments);
    return sql === undefined ? [] : [{ ...at, kind: 'tool', sql, ...(connection !== undefined && { connection }) }];
  });
  return [...called, ...fenced].filter(({ sql }) => sql !== '' && sql.length <= LONGEST);
}

/** The SQL in a tool's arguments, and the connection that they name. */
function sqlIn(json: string): { sql?: string; connection?: string } {
  let values: Record<string, unknown>;
  try {
    values = Object(JSON.parse(json)) as Record<string, unknown>;
  } catch {
    return {};
  }
  const sql = SQL_ARGUMENTS.map((name) => values[name]).find(
    (value): value is string => typeof value === 'string' && FIRST_WORD.test(value),
  );
  const connection = values.connection_id ?? values.connectionId;
  return { ...(sql !== undefined && { sql: sql.trim() }), ...(typeof connection === 'string' && { connection }) };
}
