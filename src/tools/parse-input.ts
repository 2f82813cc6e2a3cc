import type * as z from 'zod';
import { UserError } from '../core/errors.ts';
import { resolveAliases } from './aliases.ts';
import type { Tool } from './tool.ts';

/** The input by the tool's schema, with the names it does not know; or what is wrong with it. */
export type Parsed =
  | { readonly values: z.output<Tool['input']>; readonly unknown: readonly string[] }
  | { readonly problem: UserError };

export function parseInput(tool: Tool, input: unknown): Parsed {
  if (input !== undefined && input !== null && (typeof input !== 'object' || Array.isArray(input))) {
    const next = `Pass an object with ${Object.keys(tool.input.shape).join(', ')}.`;
    return { problem: new UserError('invalid_input', 'The input is not a JSON object.', next) };
  }
  const known = new Set(Object.keys(tool.input.shape));
  const given = resolveAliases((input ?? {}) as Record<string, unknown>, known);
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { values: parsed.data, unknown: Object.keys(given).filter((name) => !known.has(name)) };
  const problems = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
  const message = `The input of ${tool.name} is not valid. ${problems.join('. ')}.`;
  return { problem: new UserError('invalid_input', message, `Its parameters are ${[...known].join(', ')}.`) };
}
