import {
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  Kind,
  parse,
  print,
  type TypeNode,
} from 'graphql';
import type { AssetDraft, ColumnDraft, EdgeDraft, Fragment, Scanner } from '../fragment.ts';
import { pathName } from '../names.ts';
import { described, given } from './text.ts';

const ROOTS = new Set(['Query', 'Mutation', 'Subscription']);
const MOST_TOKENS = 300_000;

/** GraphQL schemas: types with their fields, and the operations of the root types as endpoints. */
export const graphqlScanner: Scanner = {
  name: 'graphql-1',
  claims: ({ path }) => /\.(?:graphqls?|gql)$/i.test(path),
  async scan(file) {
    const text = await file.text();
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: MOST_TOKENS });
    } catch (error) {
      if (error instanceof RangeError) return { problems: [{ line: 1, message: 'The schema is nested too deeply.' }] };
      if (!(error instanceof GraphQLError)) throw error;
      return {
        problems: [{ line: error.locations?.[0]?.line ?? 1, message: `Not read as GraphQL: ${error.message}` }],
      };
    }
    return schemaFragment(document, file.path);
  },
};

function schemaFragment(document: DocumentNode, path: string): Fragment {
  const types = new Map<string, AssetDraft & { columns: readonly ColumnDraft[] }>();
  const assets: AssetDraft[] = [];
  const edges: EdgeDraft[] = [];
  const flow = (from: string, to: string, basis: string, line: number) =>
    edges.push({ from: { kind: 'name', name: from }, to: { kind: 'name', name: to }, basis, line });
  const nameOf = (type: string) => pathName('graphql', path, type);
  const uses: { from: string; type: string; basis: string; line: number; out: boolean }[] = [];
  for (const node of document.definitions) {
    if (!('name' in node) || !node.name || !/Type(?:Definition|Extension)$/.test(node.kind)) continue;
    const { value: name } = node.name;
    const line = node.loc?.startToken.line ?? 1;
    const fields = 'fields' in node ? ((node.fields ?? []) as (FieldDefinitionNode | InputValueDefinitionNode)[]) : [];
    if (ROOTS.has(name)) {
      for (const field of fields as FieldDefinitionNode[]) {
        const self = pathName('graphql', path, name, field.name.value);
        const at = field.loc?.startToken.line ?? line;
        assets.push({
          qualified_name: self,
          node_type: 'endpoint',
          name: field.name.value,
          line: at,
          ...given('description', described(field.description?.value)),
          ...given('columns', (field.arguments ?? []).map(columnOf)),
          facts: { kind: name.toLowerCase(), returns: print(field.type) },
        });
        uses.push({ from: self, type: innermost(field.type), basis: 'returns', line: at, out: true });
        for (const argument of field.arguments ?? []) {
          uses.push({ from: self, type: innermost(argument.type), basis: 'argument', line: at, out: false });
        }
      }
      continue;
    }
    const values =
      'values' in node ? (node.values ?? []).map(({ name: value }) => ({ name: value.value, type: 'enum value' })) : [];
    const before = types.get(name);
    types.set(name, {
      ...(before ?? { qualified_name: nameOf(name), node_type: 'type', name, line }),
      ...given('description', ('description' in node && described(node.description?.value)) || before?.description),
      columns: [...(before?.columns ?? []), ...fields.map(columnOf), ...values],
      definition: print(node).slice(0, 4000),
    });
    for (const field of fields) {
      uses.push({ from: nameOf(name), type: innermost(field.type), basis: 'field_type', line, out: false });
    }
  }
  for (const { from, type, basis, line, out } of uses) {
    if (!types.has(type) || nameOf(type) === from) continue;
    if (out) flow(from, nameOf(type), basis, line);
    else flow(nameOf(type), from, basis, line);
  }
  return { assets: [...types.values(), ...assets], edges };
}

function columnOf(field: FieldDefinitionNode | InputValueDefinitionNode): ColumnDraft {
  return {
    name: field.name.value,
    type: print(field.type),
    nullable: field.type.kind !== Kind.NON_NULL_TYPE,
    ...given('description', described(field.description?.value)),
  };
}

function innermost(type: TypeNode): string {
  let inner = type;
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type;
  return inner.name.value;
}
