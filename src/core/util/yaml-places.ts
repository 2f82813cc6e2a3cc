import { isMap, isScalar, parseDocument } from 'yaml';

/** Where something stands in a YAML source: offsets in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface YamlProblem extends Span {
  readonly message: string;
}

/** A key of the outermost mapping. */
export interface PlacedField {
  readonly value: unknown;
  readonly key: Span;
  /** The value's own text; right after the key when there is none. */
  readonly at: Span;
}

export interface PlacedMapping {
  /** By key, in order; of a key that is given twice, the last. Undefined when the source is no mapping or does not parse. */
  readonly fields: ReadonlyMap<string, PlacedField> | undefined;
  readonly problems: readonly YamlProblem[];
}

const MOST_PROBLEMS = 10;
const MOST_ALIASES = 10;

/** Reads a YAML mapping and remembers where its keys and values stand; like `parseYaml`, it executes and expands nothing. */
export function parsePlacedMapping(source: string): PlacedMapping {
  try {
    return read(source);
  } catch (error) {
    // Aliases that expand without end, or a nesting too deep for the parser.
    return { fields: undefined, problems: [{ message: messageOf(error as Error), start: 0, end: 0 }] };
  }
}

function read(source: string): PlacedMapping {
  // The parser compares each key with all before it; `fieldsOf` finds those given twice in one pass.
  const document = parseDocument(source, {
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const problems: YamlProblem[] = [...document.errors, ...document.warnings]
    .slice(0, MOST_PROBLEMS)
    .map((problem) => ({ message: messageOf(problem), start: problem.pos[0], end: problem.pos[1] }));
  if (document.errors.length > 0) return { fields: undefined, problems };
  const { contents } = document;
  if (!isMap(contents)) {
    return contents === null || (isScalar(contents) && contents.value === null)
      ? { fields: new Map(), problems }
      : {
          fields: undefined,
          problems: [...problems, { message: 'It is no mapping of keys to values', start: 0, end: 0 }],
        };
  }
  const data = document.toJS({ maxAliasCount: MOST_ALIASES }) as Record<string, unknown>;
  const fields = new Map<string, PlacedField>();
  for (const { key, value } of contents.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    const keySpan = spanOf(key) ?? { start: 0, end: 0 };
    if (fields.has(name) && problems.length < MOST_PROBLEMS)
      problems.push({ message: `"${name}" is given twice`, ...keySpan });
    const at = spanOf(value) ?? { start: keySpan.end, end: keySpan.end };
    fields.set(name, { value: Object.hasOwn(data, name) ? data[name] : undefined, key: keySpan, at });
  }
  return { fields, problems };
}

function messageOf({ message }: Error): string {
  return message.startsWith('Maximum call stack') ? 'It is nested too deeply' : message.split('\n')[0]!;
}

function spanOf(node: unknown): Span | undefined {
  const range = (node as { range?: readonly number[] | null } | null)?.range;
  return range ? { start: range[0]!, end: range[1]! } : undefined;
}
