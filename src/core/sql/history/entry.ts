import * as z from 'zod';

const Preview = z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.unknown())) });

/** A query that was run through Loci, as one line of the history. */
export const HistoryEntry = z.object({
  v: z.literal(1),
  id: z.string(),
  /** ISO time. */
  at: z.string(),
  /** Path of the first workspace folder it was run from. */
  workspace: z.string(),
  thread: z.string().optional(),
  agent: z.string().optional(),
  connection_id: z.string(),
  dialect: z.string(),
  sql: z.string(),
  /** Qualified names of what it reads and writes. */
  anchors: z.array(z.string()),
  columns: z.array(z.string()),
  /** Rows returned, or changed. */
  rows: z.int(),
  milliseconds: z.number(),
  /** What the database said of it, when it failed. */
  error: z.string().optional(),
  /** The first rows; kept only under a setting. */
  preview: Preview.optional(),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

/** SQL found in past chats. */
export interface FoundQuery {
  readonly thread_id: string;
  readonly agent?: string;
  /** ISO time. */
  readonly time: string;
  readonly kind: 'tool' | 'fence';
  readonly sql: string;
  readonly connection?: string;
}

/** A past query, wherever it was found. */
export interface PastQuery {
  readonly query_id: string;
  readonly source: 'run' | 'chat_tool' | 'chat_fence' | 'workspace_file';
  readonly thread_id?: string | undefined;
  readonly agent?: string | undefined;
  readonly connection_id?: string | undefined;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly created_at: string;
  readonly anchors: readonly string[];
  readonly row_count?: number;
  readonly error?: string | undefined;
  readonly preview?: HistoryEntry['preview'];
  /** Of another workspace: its rows are not shown. */
  readonly elsewhere: boolean;
  /** File and line of a statement in the workspace. */
  readonly place?: { readonly file: string; readonly line: number };
}
