import type * as z from 'zod';
import type { App } from '../core/app.ts';
import type { Settings } from '../core/settings.ts';

/** What a tool does to the world. It decides the editor's confirmation and every door's annotations. */
export type Effect = 'read' | 'write' | 'run';

export interface ToolContext {
  readonly knowledge: App['knowledge'];
  readonly settings: Settings;
  readonly signal: AbortSignal;
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
  run(input: z.output<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Types a tool's `run` by its own input schema. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
