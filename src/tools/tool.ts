import type * as z from 'zod';
import type { Domains } from '../core/app.ts';
import type { ForeignTool } from '../core/capabilities/catalog.ts';
import type { SettingName, Settings } from '../core/settings.ts';

/** What a tool does to the world. It decides the editor's confirmation and every door's annotations. */
export type Effect =
  | 'read'
  /** Changes only what Loci remembers of a thread: nothing to confirm. */
  | 'state'
  | 'write'
  | 'run';

/** Who calls. */
export interface Caller {
  /** Id of the chat session; undefined where the door cannot tell. */
  readonly thread: string | undefined;
  /** Name of the custom agent; undefined for the one the thread is known to run with, else the default agent. */
  readonly agent: string | undefined;
}

/** What a person is asked before a call. */
export interface Confirmation {
  readonly title: string;
  /** Markdown. */
  readonly message: string;
}

export interface ToolContext extends Domains {
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly caller: Caller;
  /** Ids of the knowledge bases that the caller may use; null for all of them. */
  bases(): Promise<readonly string[] | null>;
  /** Names of arguments that were given and that the tool does not have. */
  readonly unknown: readonly string[];
  /** Tools of other extensions and MCP servers. */
  readonly foreign: readonly ForeignTool[];
  /** Runs another tool as if its caller had called it: same thread, same rules, no further call of the budget. */
  callTool(name: string, input: unknown): Promise<ToolOutput>;
  /** What `callTool` would have to be confirmed with. */
  confirmationOf(name: string, input: unknown): Promise<Confirmation | undefined>;
}

export interface ToolImage {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export interface ToolOutput {
  /** Becomes the result's JSON. */
  readonly data: object;
  readonly images?: readonly ToolImage[];
  /** Why this answer was made without the semantic side although there is one. */
  readonly semanticFailure?: string | undefined;
  /** True when the answer rests on the knowledge bases' index, though the tool itself may not. */
  readonly usesIndex?: boolean | undefined;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  /** snake_case, as the file is called in kebab-case; `loci_` goes before it in the editor. */
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, when to use it rather than another; at most 1,024 characters. */
  readonly description: string;
  /** Flat; every field described. */
  readonly input: Input;
  readonly effect: Effect;
  /** True when it answers from the knowledge bases: the call waits for their index, and the answer says how complete it is. */
  readonly usesIndex?: boolean;
  /** A setting that must be on for the tool to exist, without the `loci.` prefix. */
  readonly setting?: SettingName;
  /** Longest it may work, in milliseconds; a minute when left out. */
  readonly limitMs?: number;
  /** True when it only runs another tool, which is confirmed by its own rules. */
  readonly delegates?: boolean;
  /** What to ask a person first; undefined for nothing. Without it, every `write` and `run` is asked about. */
  confirm?(input: z.output<Input>, context: ToolContext): Promise<Confirmation | undefined>;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Types a tool's `run` by its own input schema. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
