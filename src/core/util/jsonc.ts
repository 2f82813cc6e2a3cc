import { type ParseError, parse } from 'jsonc-parser';

/** What could be parsed of JSON with comments and trailing commas, with the offset of the first error. */
export function parseJsonc(text: string): { value: unknown; error: number | undefined } {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    return { value, error: errors[0]?.offset };
  } catch {
    // Nesting so deep that the parser ran out of stack.
    return { value: undefined, error: 0 };
  }
}
