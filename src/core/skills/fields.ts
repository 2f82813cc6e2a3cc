import type { PlacedField, Span } from '../util/yaml-places.ts';
import type { Finding, Severity } from './diagnostic.ts';
import type { Header } from './header.ts';

export type Fields = ReturnType<typeof fieldsOf>;

/** Reads a header's fields by type. A value of another type is left out and reported among `findings`. */
export function fieldsOf(header: Header) {
  const findings: Finding[] = [...header.findings];

  const report = (severity: Severity, code: string, message: string, { start, end }: Span): void =>
    void findings.push({ severity, code, message, start, end });

  const given = (name: string): PlacedField | undefined => {
    const field = header.fields.get(name);
    return field?.value === null ? undefined : field;
  };

  return {
    findings,
    report,
    given,
    names: [...header.fields.keys()],
    /** Where the key stands; the file's start when it is not there. */
    keyOf: (name: string): Span => header.fields.get(name)?.key ?? { start: 0, end: 0 },
    text(name: string, longest = Number.POSITIVE_INFINITY): string | undefined {
      const field = given(name);
      if (!field) return undefined;
      if (typeof field.value !== 'string') {
        report('warning', 'not_text', `"${name}" must be text: put it in quotes.`, field.at);
        return undefined;
      }
      if (field.value.length > longest) {
        const message = `"${name}" has ${field.value.length} characters; at most ${longest} are allowed.`;
        report('warning', 'too_long', message, field.at);
      }
      return field.value.trim();
    },
    /** What a person is shown to type: `[file]` is written without quotes, which YAML takes for a list. */
    hint(name: string): string | undefined {
      const value = given(name)?.value;
      const items = Array.isArray(value) ? itemsOf(value) : undefined;
      return items ? `[${items.join(', ')}]` : this.text(name);
    },
    flag(name: string): boolean | undefined {
      const field = given(name);
      if (!field) return undefined;
      if (typeof field.value === 'boolean') return field.value;
      report('warning', 'not_boolean', `"${name}" must be true or false.`, field.at);
      return undefined;
    },
    list(name: string): string[] | undefined {
      const field = given(name);
      if (!field) return undefined;
      const items = itemsOf(field.value);
      if (!items) report('warning', 'not_a_list', `"${name}" must be a list of names.`, field.at);
      return items;
    },
  };
}

/** A name may have spaces within parentheses: `Bash(git add:*)`. */
const BY_COMMA = /(?:[^,()]|\([^()]*\)|[()])+/g;
const BY_SPACE = /(?:[^\s()]|\([^()]*\)|[()])+/g;

/** Names of a YAML list, or of one text with commas, else spaces, between them; undefined for anything else. */
export function itemsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') {
    const items = value.match(value.includes(',') ? BY_COMMA : BY_SPACE) ?? [];
    return items.map((item) => item.trim()).filter(Boolean);
  }
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
  return value.map((item) => item.trim()).filter(Boolean);
}
