import type { AssetDraft, ColumnDraft, EdgeDraft, Fragment } from '../fragment.ts';
import { pathName } from '../names.ts';
import { described, fieldsOf, given, listOf, stringsOf } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;
type LineAt = (path: readonly (string | number)[]) => number | undefined;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
const DEEPEST = 6;

/** An OpenAPI 3 or Swagger 2 file: its endpoints and schemas, and which schema an endpoint takes or gives. */
export function openApi(path: string, value: unknown, lineAt: LineAt): Fragment | undefined {
  const root = fieldsOf(value);
  if (typeof (root.openapi ?? root.swagger) !== 'string' || !root.paths) return undefined;
  const schemas = fieldsOf(root.definitions ?? fieldsOf(root.components).schemas);
  const place = root.definitions ? ['definitions'] : ['components', 'schemas'];
  const info = fieldsOf(root.info);
  const assets: AssetDraft[] = [];
  const edges: EdgeDraft[] = [];
  const schemaName = (name: string) => pathName('openapi', path, 'schema', name);
  const known = (name: string) => Object.hasOwn(schemas, name);
  const link = (used: Iterable<string>, self: string, basis: string, line: number | undefined, flowsIn: boolean) => {
    for (const name of new Set(used)) {
      if (!known(name)) continue;
      const [from, to] = flowsIn ? [schemaName(name), self] : [self, schemaName(name)];
      if (from !== to)
        edges.push({
          from: { kind: 'name', name: from },
          to: { kind: 'name', name: to },
          basis,
          ...given('line', line),
        });
    }
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const line = lineAt([...place, name]);
    const columns = propertiesOf(fieldsOf(schema), schemas);
    assets.push({
      qualified_name: schemaName(name),
      node_type: 'type',
      name,
      ...given('line', line),
      ...given('description', described(fieldsOf(schema).description)),
      ...given('columns', columns),
      definition: JSON.stringify(schema, null, 1).slice(0, 4000),
    });
    link(referencesIn(schema), schemaName(name), 'schema_ref', line, true);
  }
  for (const [route, item] of Object.entries(fieldsOf(root.paths))) {
    for (const method of METHODS) {
      const operation = fieldsOf(fieldsOf(item)[method]);
      if (Object.keys(operation).length === 0) continue;
      const id = described(operation.operationId) ?? `${method} ${route}`;
      const self = pathName('openapi', path, id);
      const line = lineAt(['paths', route, method]);
      const parameters = [...listOf(fieldsOf(item).parameters), ...listOf(operation.parameters)].map((entry) =>
        resolved(entry, root),
      );
      assets.push({
        qualified_name: self,
        node_type: 'endpoint',
        name: `${method.toUpperCase()} ${route}`,
        ...given('line', line),
        ...given(
          'description',
          [described(operation.summary), described(operation.description)].filter(Boolean).join('. '),
        ),
        ...given('tags', stringsOf(operation.tags)),
        ...given('columns', parameters.flatMap(parameterOf)),
        facts: { ...given('api', described(info.title)), ...(operation.deprecated === true && { deprecated: true }) },
      });
      const takes = [operation.requestBody, ...parameters.map(({ schema }) => schema)];
      link(
        takes.flatMap((part) => [...referencesIn(part)]),
        self,
        'request_schema',
        line,
        true,
      );
      link(referencesIn(operation.responses), self, 'response_schema', line, false);
    }
  }
  return { assets, edges };
}

function parameterOf(parameter: Fields): ColumnDraft[] {
  const name = described(parameter.name);
  if (!name || parameter.in === 'body') return [];
  return [
    {
      name,
      ...given(
        'type',
        typeOf(Object.keys(fieldsOf(parameter.schema)).length > 0 ? fieldsOf(parameter.schema) : parameter),
      ),
      ...given('description', described(parameter.description)),
      nullable: parameter.required !== true,
    },
  ];
}

/** What `#/components/…` names; the value itself when it is no reference. */
function resolved(value: unknown, root: Fields): Fields {
  const reference = fieldsOf(value).$ref;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return fieldsOf(value);
  return fieldsOf(
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => fieldsOf(at)[key], root),
  );
}

/** A schema's properties; those of `allOf` and of the schemas it names too, each schema once. */
function propertiesOf(schema: Fields, schemas: Fields, seen = new Set<string>(), depth = 0): ColumnDraft[] {
  if (depth > DEEPEST) return [];
  const inherited = listOf(schema.allOf).flatMap((part) => {
    const name = schemaIn(fieldsOf(part).$ref);
    if (name === undefined) return propertiesOf(fieldsOf(part), schemas, seen, depth + 1);
    if (seen.has(name)) return [];
    seen.add(name);
    return propertiesOf(fieldsOf(schemas[name]), schemas, seen, depth + 1);
  });
  const required = stringsOf(schema.required);
  const own = Object.entries(fieldsOf(schema.properties)).map(([name, property]) => ({
    name,
    ...given('type', typeOf(fieldsOf(property))),
    ...given('description', described(fieldsOf(property).description)),
    nullable: !required.includes(name),
  }));
  return [...inherited, ...own];
}

function typeOf(schema: Fields): string | undefined {
  const name = schemaIn(schema.$ref);
  if (name !== undefined) return name;
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : described(schema.type);
  if (type === 'array') return `${typeOf(fieldsOf(schema.items)) ?? 'any'}[]`;
  return described(schema.format) && type ? `${type} (${schema.format})` : type;
}

function schemaIn(reference: unknown): string | undefined {
  return typeof reference === 'string'
    ? /^#\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(reference)?.[1]
    : undefined;
}

function* referencesIn(value: unknown): Generator<string> {
  const queue: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (typeof next.value !== 'object' || next.value === null || next.depth > 30) continue;
    const name = schemaIn(fieldsOf(next.value).$ref);
    if (name !== undefined) yield name;
    for (const inner of Object.values(next.value)) queue.push({ value: inner, depth: next.depth + 1 });
  }
}
