import * as z from 'zod';

const ToolCallRecord = z.object({
  id: z.string(),
  name: z.string(),
  /** JSON text, as the model wrote it. */
  arguments: z.string(),
});

const AttachmentRecord = z.object({
  /** `file`, `selection`, `image` or `skill`. */
  kind: z.string(),
  name: z.string(),
  uri: z.string().optional(),
  /** 1-based first and last line. */
  lines: z.tuple([z.number(), z.number()]).optional(),
});

/** Opens a transcript. */
const ThreadRecord = z.object({
  kind: z.literal('thread'),
  version: z.literal(1),
  id: z.string(),
  created: z.number(),
  /** Absolute path of the first workspace folder. */
  folder: z.string().optional(),
});

const MessageRecord = z.object({
  kind: z.literal('message'),
  /** Unique in the thread. A message's number is its place among the messages, from 1. */
  id: z.string(),
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  text: z.string(),
  /** Milliseconds since 1970. */
  time: z.number(),
  model: z.string().optional(),
  /** Calls that an assistant message makes. */
  calls: z.array(ToolCallRecord).optional(),
  /** The call that a tool message answers. */
  answers: ToolCallRecord.optional(),
  failed: z.literal(true).optional(),
  attachments: z.array(AttachmentRecord).optional(),
});

const CompactionRecord = z.object({
  kind: z.literal('compaction'),
  id: z.string(),
  time: z.number(),
  trigger: z.enum(['manual', 'automatic']),
  /** V6 puts one prose summary in place of all it hides; V3 hides tool results one by one. */
  version: z.enum(['V3', 'V6']),
  summary: z.string(),
  /** Id of the last message that may be hidden. */
  through: z.string(),
  /** Ids of the messages up to there that stay in the prompt. */
  kept: z.array(z.string()),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** Who wrote the summary; absent where it was made without a model. */
  model: z.string().optional(),
});

const UsageRecord = z.object({
  kind: z.literal('usage'),
  /** Id of the last message of the prompt that was counted. */
  after: z.string(),
  model: z.string(),
  /** Input window of the model, in tokens. */
  window: z.number(),
  promptTokens: z.number(),
  buckets: z.array(z.object({ name: z.string(), tokens: z.number() })),
});

/** One line of a transcript. */
export const TranscriptRecord = z.discriminatedUnion('kind', [
  ThreadRecord,
  MessageRecord,
  CompactionRecord,
  UsageRecord,
]);

export type TranscriptRecord = z.infer<typeof TranscriptRecord>;
export type ChatMessage = z.infer<typeof MessageRecord>;
export type ChatCompaction = z.infer<typeof CompactionRecord>;
export type ChatUsage = z.infer<typeof UsageRecord>;
export type ChatToolCall = z.infer<typeof ToolCallRecord>;
export type ChatAttachment = z.infer<typeof AttachmentRecord>;
export type CompressionVersion = ChatCompaction['version'];
