import * as z from 'zod';

/** A zod object as the editor wants it: JSON Schema draft 7 of what callers may write, defaults optional. */
export function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as Record<string, unknown>;
  return rest;
}
