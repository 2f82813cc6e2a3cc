import { parse, stringify } from 'yaml';

/** The value of a YAML document, as plain data: no custom tags, and few aliases, so that none expands without end. */
export function parseYaml(source: string): unknown {
  return parse(source, { logLevel: 'error', maxAliasCount: 10, schema: 'core' });
}

/** Plain data as YAML, one key a line, texts never folded. */
export function writeYaml(value: object): string {
  return stringify(value, { lineWidth: 0 });
}
