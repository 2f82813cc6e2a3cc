import { redactAssignments } from './assignments.ts';
import { formats } from './formats.ts';

export interface Redacted {
  readonly text: string;
  /** Secrets that were taken out. */
  readonly count: number;
}

/**
 * Puts `[redacted:kind]` in place of each secret: keys, tokens and passwords known by their format or by the name before
 * them. Everything else stays as it is. Linear in the text; doing it again changes nothing.
 */
export function redact(text: string): Redacted {
  let count = 0;
  const replacement = (kind: string): string => {
    count++;
    return `[redacted:${kind}]`;
  };
  let clean = text;
  for (const { name, hints, pattern } of formats) {
    if (!hints.some((hint) => clean.includes(hint))) continue;
    clean = clean.replace(pattern, (whole: string, group: unknown) => {
      if (typeof group !== 'string') return replacement(name);
      if (group.startsWith('[redacted:')) return whole;
      const at = whole.lastIndexOf(group);
      return `${whole.slice(0, at)}${replacement(name)}${whole.slice(at + group.length)}`;
    });
  }
  clean = redactAssignments(clean, replacement);
  return { text: clean, count };
}
