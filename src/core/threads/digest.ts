import * as z from 'zod';
import { redact } from '../redact/redact.ts';
import { hiddenCount, type Message, type Thread } from './model.ts';

/** What lists and filters need to know of a thread without reading it; kept on disk. Nothing in it is secret. */
export const digestSchema = z.object({
  id: z.string(),
  source: z.enum(['vscode', 'copilot-transcript', 'copilot-cli', 'claude-code', 'loci']),
  title: z.string(),
  created: z.number().optional(),
  updated: z.number().optional(),
  agents: z.array(z.string()),
  customAgents: z.array(z.string()),
  folder: z.string().optional(),
  background: z.boolean(),
  messages: z.number(),
  hidden: z.number(),
  compactions: z.number(),
  /** Calls by tool name. */
  tools: z.array(z.tuple([z.string(), z.number()])),
  model: z.string().optional(),
  window: z.number().optional(),
  promptTokens: z.number().optional(),
  /** Beginnings of the first request, of the last answer and of the last compaction's summary. */
  opening: z.string(),
  closing: z.string(),
  gist: z.string(),
  warnings: z.array(z.string()),
});

export type Digest = z.infer<typeof digestSchema>;

/** UTF-16 units. */
const LONGEST_TITLE = 200;
const LONGEST_PART = 400;

export function digestOf(thread: Thread): Digest {
  const { id, source, title, created, updated, agents, customAgents, folder, background, model, window } = thread;
  const tools = new Map<string, number>();
  for (const { calls } of thread.messages)
    for (const { name } of calls ?? []) tools.set(name, (tools.get(name) ?? 0) + 1);
  return {
    id,
    source,
    title: beginning(title, LONGEST_TITLE),
    agents: [...agents],
    customAgents: [...customAgents],
    background,
    messages: thread.messages.length,
    hidden: hiddenCount(thread),
    compactions: thread.compactions.length,
    tools: [...tools].sort((a, b) => b[1] - a[1]),
    opening: beginning(thread.messages.find(isSaidBy('user'))?.text ?? '', LONGEST_PART),
    closing: beginning(thread.messages.findLast(isSaidBy('assistant'))?.text ?? '', LONGEST_PART),
    gist: beginning(thread.compactions.at(-1)?.summary ?? '', LONGEST_PART),
    warnings: [...thread.warnings],
    ...(created !== undefined && { created }),
    ...(updated !== undefined && { updated }),
    ...(folder !== undefined && { folder }),
    ...(model !== undefined && { model }),
    ...(window !== undefined && { window }),
    ...(thread.usage && { promptTokens: thread.usage.promptTokens }),
  };
}

function isSaidBy(role: Message['role']): (message: Message) => boolean {
  return (message) => message.role === role && message.text.trim() !== '';
}

/** The beginning of a text in one line, without secrets. */
function beginning(text: string, longest: number): string {
  // Cut well beyond the end, so that no secret is cut into what does not look like one.
  const line = redact(text.slice(0, longest * 4))
    .text.replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}
