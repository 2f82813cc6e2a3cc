import { UserError } from '../errors.ts';

/** A picture that a tool returned. */
export interface PromptImage {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'result'; readonly id: string; readonly text: string; readonly images?: readonly PromptImage[] };

/** One message as the model gets it. Instructions are user messages too: the editor's models have no third role. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly PromptPart[];
}

/** A tool as it is offered to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of an object. */
  readonly inputSchema: object;
}

export interface ModelRequest {
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly OfferedTool[];
}

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: object };

/** A language model, whoever serves it. */
export interface Model {
  /** Unique among the models of the editor. */
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly vendor: string;
  /** Input window, in tokens. */
  readonly maxInputTokens: number;
  countTokens(text: string, signal: AbortSignal): Promise<number>;
  /** @throws ModelError for whatever the model or its service refuses. */
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

export type ModelProblem = 'no_permission' | 'blocked' | 'not_found' | 'too_long' | 'unknown';

/** Why a model gave no answer. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly problem: ModelProblem;

  constructor(problem: ModelProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

const TOO_LONG =
  /context.?(?:length|window)|maximum (?:context|prompt)|prompt is too long|too many (?:input )?tokens|exceeds? .{0,40}tokens/i;

/** True when a service says that the prompt does not fit. */
export function saysTooLong(message: string): boolean {
  return TOO_LONG.test(message);
}

/** What to tell the person of a model's failure. */
export function modelFailure({ problem, message }: ModelError, { name }: Pick<Model, 'name'>): UserError {
  const said = message.trim() === '' ? '' : ` It said: ${message.trim().slice(0, 500)}`;
  switch (problem) {
    case 'no_permission':
      return new UserError(
        'model_not_allowed',
        `Loci may not use the model ${name}.${said}`,
        'Allow it when the editor asks, or under Manage Language Model Access; or choose another model below the chat.',
      );
    case 'blocked':
      return new UserError(
        'model_blocked',
        `The model ${name} refused the request: a quota is used up or a filter stopped it.${said}`,
        'Try again later or choose another model below the chat. The conversation is kept.',
      );
    case 'not_found':
      return new UserError(
        'model_missing',
        `The model ${name} is no longer there.${said}`,
        'Choose another model below the chat and send the message again.',
      );
    case 'too_long':
      return new UserError(
        'prompt_too_long',
        `The conversation does not fit the model ${name}, although it was compressed.${said}`,
        'Choose a model with a larger window, or remove tool groups with /context remove.',
      );
    case 'unknown':
      return new UserError(
        'model_failed',
        `The model ${name} gave no answer.${said}`,
        'Try again, or choose another model below the chat. The conversation is kept.',
      );
  }
}
