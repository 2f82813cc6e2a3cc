import { readYaml, type YamlSource } from '../../util/yaml-source.ts';
import type { ColumnDraft, DbtPart, DbtReference, Fragment, Scanner } from '../fragment.ts';
import { callsIn, constantOf, parseExpression } from './jinja-expression.ts';
import { described, fieldsOf, given, listOf, stringsOf } from './text.ts';

type Path = readonly (string | number)[];

const PROPERTIES = { models: 'model', seeds: 'seed', snapshots: 'snapshot', analyses: 'analysis' } as const;

/** The property files of a dbt project: descriptions, columns, tests, sources and exposures. */
export const dbtPropertiesScanner: Scanner = {
  name: 'dbt-properties-1',
  claims: ({ path, dbt }) => /\.ya?ml$/i.test(path) && dbt?.role === 'properties',
  async scan(file) {
    const source = readYaml(await file.text());
    const root = fieldsOf(source.value);
    const parts: DbtPart[] = [];
    for (const [key, of] of Object.entries(PROPERTIES)) {
      for (const [i, entry] of listOf(root[key]).entries()) {
        const { name, description, columns, config } = fieldsOf(entry);
        if (typeof name !== 'string') continue;
        parts.push({
          kind: 'properties',
          of,
          name,
          line: source.lineAt([key, i]) ?? 1,
          columns: columnsOf(columns),
          config: { ...configOf(entry), ...configOf(config) },
          ...given('description', described(description)),
          ...given('owner', ownerOf(entry)),
        });
      }
    }
    for (const [i, entry] of listOf(root.sources).entries()) parts.push(...sourcesOf(entry, ['sources', i], source));
    for (const [i, entry] of listOf(root.exposures).entries()) {
      const exposure = exposureOf(entry, source.lineAt(['exposures', i]) ?? 1);
      if (exposure) parts.push(exposure);
    }
    return { dbt: parts, ...given('problems', source.problems) } satisfies Fragment;
  },
};

function columnsOf(columns: unknown): ColumnDraft[] {
  return listOf(columns).flatMap((entry) => {
    const { name, description, data_type, tests, data_tests } = fieldsOf(entry);
    if (typeof name !== 'string' || name === '') return [];
    return [
      {
        name,
        ...given('type', described(data_type)),
        ...given('description', described(description)),
        ...given('tests', [...listOf(tests), ...listOf(data_tests)].flatMap(testName)),
      },
    ];
  });
}

/** `unique`, or with its arguments in short: `accepted_values(a, b)`, `relationships(to stg_lots)`. */
function testName(test: unknown): string[] {
  if (typeof test === 'string') return [test];
  const [name, settings] = Object.entries(fieldsOf(test))[0] ?? [];
  if (name === undefined) return [];
  const { values, to } = { ...fieldsOf(settings), ...fieldsOf(fieldsOf(settings).arguments) };
  if (Array.isArray(values)) return [`${name}(${values.slice(0, 10).map(String).join(', ')})`];
  const target = typeof to === 'string' ? referencesIn(to, 0)[0]?.ref : undefined;
  return [target ? `${name}(to ${target.kind === 'dbt' ? target.name : target.table})` : name];
}

function sourcesOf(entry: unknown, path: Path, yaml: YamlSource): DbtPart[] {
  const source = fieldsOf(entry);
  const { name, description, tables, database, schema } = source;
  if (typeof name !== 'string') return [];
  return listOf(tables).flatMap((item, i) => {
    const table = fieldsOf(item);
    if (typeof table.name !== 'string') return [];
    const identifier = described(table.identifier) ?? table.name;
    const relation = [described(database), plain(described(schema)) ?? name, identifier];
    return [
      {
        kind: 'source' as const,
        source: name,
        table: table.name,
        relation: relation.filter((part) => part !== undefined && !part.includes('{{')) as string[],
        line: yaml.lineAt([...path, 'tables', i]) ?? 1,
        columns: columnsOf(table.columns),
        tags: [...stringsOf(source.tags), ...stringsOf(table.tags)],
        ...given('description', described(table.description) ?? described(description)),
        ...given('expected', expectation(table, source)),
      },
    ];
  });
}

/** The part of a name that is no template. */
function plain(text: string | undefined): string | undefined {
  return text?.includes('{{') ? undefined : text;
}

/** dbt's freshness rule of a source, in words. A table's rule goes before its source's; `null` switches it off. */
function expectation(table: Readonly<Record<string, unknown>>, source: Readonly<Record<string, unknown>>) {
  const rule = ['freshness' in table ? table.freshness : undefined, fieldsOf(table.config).freshness, source.freshness];
  const { warn_after, error_after } = fieldsOf(rule.find((value) => value !== undefined));
  const field = described(table.loaded_at_field) ?? described(source.loaded_at_field);
  const limits = [
    ['warns', fieldsOf(warn_after)],
    ['fails', fieldsOf(error_after)],
  ] as const;
  const said = limits.flatMap(([verb, { count, period }]) =>
    count && period ? [`${verb} after ${count} ${period}s`] : [],
  );
  return said.length > 0 ? `${said.join(', ')}${field ? `, by ${field}` : ''}` : undefined;
}

function exposureOf(entry: unknown, line: number): DbtPart | undefined {
  const { name, label, type, description, url, owner, depends_on } = fieldsOf(entry);
  if (typeof name !== 'string') return undefined;
  return {
    kind: 'exposure',
    name,
    line,
    depends: listOf(depends_on).flatMap((item) => (typeof item === 'string' ? referencesIn(item, line) : [])),
    ...given('label', described(label)),
    ...given('type', described(type)),
    ...given('description', described(description)),
    ...given('url', described(url)),
    ...given('owner', described(fieldsOf(owner).name) ?? described(fieldsOf(owner).email)),
  };
}

/** `ref('x')` and `source('a', 'b')` in a string of a property file. */
function referencesIn(text: string, line: number): DbtReference[] {
  return [...callsIn(parseExpression(text.replace(/^\s*\{\{|\}\}\s*$/g, '')))].flatMap(
    ({ name, args }): DbtReference[] => {
      const [first, second] = args.map((arg) => constantOf(arg, () => undefined));
      if (typeof first !== 'string') return [];
      if (name === 'source' && typeof second === 'string') {
        return [{ ref: { kind: 'dbt_source', source: first, table: second }, line }];
      }
      if (name !== 'ref') return [];
      const ref = typeof second === 'string' ? { package: first, name: second } : { name: first };
      return [{ ref: { kind: 'dbt', ...ref }, line }];
    },
  );
}

function configOf(entry: unknown): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const key of ['materialized', 'schema', 'alias', 'tags', 'enabled'] as const) {
    const value = fieldsOf(entry)[key] ?? fieldsOf(entry)[`+${key}`];
    if (Array.isArray(value)) found[key] = stringsOf(value);
    else if (typeof value === 'string' || typeof value === 'boolean') found[key] = String(value);
  }
  return found;
}

function ownerOf(entry: unknown): string | undefined {
  const { meta, config, group } = fieldsOf(entry);
  return described(fieldsOf(meta).owner) ?? described(fieldsOf(fieldsOf(config).meta).owner) ?? described(group);
}

/** Docs blocks: the texts that `{{ doc('name') }}` in a description stands for. */
export const dbtDocsScanner: Scanner = {
  name: 'dbt-docs-1',
  claims: ({ path, dbt }) => /\.md$/i.test(path) && dbt?.role === 'doc',
  async scan(file) {
    const text = await file.text();
    const blocks = text.matchAll(/\{%-?\s*docs\s+(\w+)\s*-?%\}([\s\S]*?)(?=\{%-?\s*(?:enddocs|docs\s))/g);
    const parts = [...blocks].map(([, name, body]) => ({
      kind: 'doc' as const,
      name: name!,
      text: described(body) ?? '',
    }));
    return { ...given('dbt', parts) };
  },
};
