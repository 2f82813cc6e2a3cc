/** Where a thread's file comes from. */
export type SourceKind = 'vscode' | 'copilot-transcript' | 'copilot-cli' | 'claude-code' | 'loci';

/**
 * `user` and `assistant` as the model saw them; `tool` is the result of one call; `system` is text that a program put
 * into the conversation.
 */
export type Role = 'user' | 'assistant' | 'tool' | 'system';

export interface ToolCall {
  /** As stored; the model may have seen it without the editor's `__vscode-…` suffix. */
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it where the store keeps that. */
  readonly arguments: string;
}

/** What a message points at. The content stays where it is. */
export interface Attachment {
  /** `file`, `directory`, `image`, `symbol`, `edit`, … as the store calls it. */
  readonly kind: string;
  readonly name: string;
  readonly uri?: string;
  /** 1-based first and last line. */
  readonly lines?: readonly [number, number];
}

export interface Message {
  /** From 1, in stored order; stays the same while the thread grows. */
  readonly number: number;
  /** Names the message whatever its number: the store's own id and an ordinal. */
  readonly id: string;
  readonly role: Role;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
  readonly model?: string;
  readonly agent?: string;
  /** Calls that an assistant message makes. */
  readonly calls?: readonly ToolCall[];
  /** The call that a `tool` message answers. */
  readonly answers?: ToolCall;
  /** The tool failed, or the turn ended in an error. */
  readonly failed?: true;
  readonly attachments?: readonly Attachment[];
}

/** Text that the model no longer sees, and the summary it sees instead. */
export interface Compaction {
  /** `compaction-1` for the thread's first. */
  readonly id: string;
  readonly time?: number;
  /** `manual` when the person asked for it. */
  readonly trigger: 'manual' | 'automatic';
  readonly summary: string;
  /** Messages 1 to `hiddenTo` are hidden, but for those in `kept`. */
  readonly hiddenTo: number;
  /** Numbers up to `hiddenTo` of messages that stayed in the prompt word by word. */
  readonly kept?: readonly number[];
  /** `assumed` when the store does not say where the hidden part ends. */
  readonly boundary: 'exact' | 'assumed';
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly model?: string;
}

export interface UsageBucket {
  readonly name: string;
  readonly tokens: number;
}

/** What the store says of the last call of the model. */
export interface MeasuredUsage {
  /** Number of the last message of the turn that was measured. */
  readonly message: number;
  readonly promptTokens: number;
  readonly outputTokens?: number;
  readonly buckets: readonly UsageBucket[];
}

export interface Thread {
  readonly id: string;
  readonly source: SourceKind;
  readonly title: string;
  /** Milliseconds since 1970; of the first and the last message where the store says no more. */
  readonly created?: number;
  readonly updated?: number;
  /** Agents (modes, participants, programs) that answered, in order of their first turn. */
  readonly agents: readonly string[];
  /** The subset of `agents` that are custom agents, written as files. */
  readonly customAgents: readonly string[];
  /** Folder that the thread ran in, where the file itself says so. */
  readonly folder?: string;
  /** A subagent's or background job's thread. */
  readonly background: boolean;
  readonly messages: readonly Message[];
  readonly compactions: readonly Compaction[];
  readonly usage?: MeasuredUsage;
  /** Input window of the model, in tokens. */
  readonly window?: number;
  readonly model?: string;
  /** What of the file could not be read, one sentence each. */
  readonly warnings: readonly string[];
}

/** A call's id as the model gave it: VS Code adds a suffix so that ids are unique in a chat. */
export function givenId(id: string): string {
  const suffix = id.lastIndexOf('__vscode-');
  return suffix < 0 ? id : id.slice(0, suffix);
}

/** True for a message that the model no longer sees. */
export function isHidden({ compactions }: Thread, number: number): boolean {
  const last = compactions.at(-1);
  return last !== undefined && number <= last.hiddenTo && !last.kept?.includes(number);
}

/** How many messages the model no longer sees. */
export function hiddenCount({ compactions }: Thread): number {
  const last = compactions.at(-1);
  return last === undefined ? 0 : last.hiddenTo - (last.kept?.length ?? 0);
}
