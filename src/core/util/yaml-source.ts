import { type Document, isNode, LineCounter, parseDocument } from 'yaml';

/** Aliases may expand to at most this many nodes, so that a short text cannot grow without end. */
const MOST_ALIASES = 100;

/** A YAML text as data, and where in the text it stands. */
export interface YamlSource {
  readonly value: unknown;
  /** Line, from 1, of the value at a path of keys and indexes; undefined if nothing is there. */
  lineAt(path: readonly (string | number)[]): number | undefined;
  /** What the parser could not make sense of. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Reads a YAML text as far as it can be read; merge keys (`<<`) are applied, unknown tags left out. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  let document: Document;
  let value: unknown;
  try {
    document = parseDocument(text, { logLevel: 'silent', lineCounter: lines, merge: true, strict: false });
    value = document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    // Nested too deeply, or aliases that expand too far.
    const message = (error as Error).message.split('\n')[0]!;
    return { value: undefined, lineAt: () => undefined, problems: [{ line: 1, message: `YAML not read: ${message}` }] };
  }
  return {
    value,
    problems: document.errors.map((error) => ({
      line: lines.linePos(error.pos[0]).line,
      message: error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, ''),
    })),
    lineAt(path) {
      const node = path.length === 0 ? document.contents : document.getIn(path, true);
      return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
    },
  };
}
