import type { AssetDraft, ColumnDraft, EdgeDraft, Fragment, FragmentProblem, Scanner } from '../fragment.ts';
import { pathName } from '../names.ts';
import { given } from './text.ts';

interface Model {
  readonly name: string;
  readonly line: number;
  readonly view: boolean;
  readonly docs: string[];
  readonly body: string[];
  readonly fields: { readonly name: string; readonly type: string; readonly rest: string; readonly docs: string }[];
  table?: string;
  schema?: string;
}

const LONGEST_LINE = 10_000;
const OPEN = /^\s*(model|view|type|enum|datasource|generator)\s+(\w+)\s*\{\s*$/;
const FIELD = /^\s*(\w+)\s+([\w.]+(?:\([^)]*\))?(?:\[\])?\??!?)\s*(.*)$/;

/** Prisma schemas: models with their fields, and the tables that they map. Read line by line, as the language is laid out. */
export const prismaScanner: Scanner = {
  name: 'prisma-1',
  claims: ({ path }) => /\.prisma$/i.test(path),
  async scan(file) {
    const { models, enums, problems } = readSchema(await file.text());
    const names = new Set(models.map(({ name }) => name));
    const assets: AssetDraft[] = [];
    const edges: EdgeDraft[] = [];
    for (const model of models) {
      const qualified = pathName('prisma', file.path, model.name);
      assets.push({
        qualified_name: qualified,
        node_type: 'model',
        name: model.name,
        line: model.line,
        ...given('description', model.docs.join(' ')),
        columns: columnsOf(model, names, enums),
        definition: `${model.view ? 'view' : 'model'} ${model.name} {\n${model.body.join('\n')}\n}`,
        facts: { ...given('table', model.table) },
      });
      const parts = [...(model.schema ? [model.schema] : []), model.table ?? model.name];
      edges.push({
        from: { kind: 'table', parts },
        to: { kind: 'name', name: qualified },
        basis: 'maps_table',
        line: model.line,
        // Without the table's DDL the model is all that is known of it.
        optional: true,
      });
    }
    return { assets, edges, ...given('problems', problems) } satisfies Fragment;
  },
};

function readSchema(text: string) {
  const models: Model[] = [];
  const enums = new Set<string>();
  const problems: FragmentProblem[] = [];
  let docs: string[] = [];
  let model: Model | undefined;
  let block: { kind: string; line: number } | undefined;
  for (const [i, raw] of text.split('\n').entries()) {
    if (raw.length > LONGEST_LINE) {
      problems.push({ line: i + 1, message: 'The line is too long to be read.' });
      continue;
    }
    const line = raw.trim();
    const [, kind, name] = OPEN.exec(raw) ?? [];
    if (line.startsWith('///')) docs.push(line.slice(3).trim());
    else if (!block && kind && name) {
      block = { kind, line: i + 1 };
      if (kind === 'model' || kind === 'view') {
        model = { name, line: i + 1, view: kind === 'view', docs, body: [], fields: [] };
        models.push(model);
      } else if (kind === 'enum') enums.add(name);
      docs = [];
    } else if (block && line === '}') {
      block = undefined;
      model = undefined;
      docs = [];
    } else if (block) {
      if (model) readLine(model, raw, docs, i + 1, problems);
      if (line !== '') docs = [];
    } else if (line !== '' && !line.startsWith('//'))
      problems.push({ line: i + 1, message: `Not understood: ${line.slice(0, 80)}` });
  }
  if (block) problems.push({ line: block.line, message: `The ${block.kind} is not closed.` });
  return { models, enums, problems };
}

function readLine(model: Model, raw: string, docs: readonly string[], line: number, problems: FragmentProblem[]): void {
  const text = raw.trim();
  if (text === '' || text.startsWith('//')) return;
  model.body.push(raw.trimEnd());
  if (text.startsWith('@@')) {
    const value = /^@@(map|schema)\(\s*(?:name:\s*)?"([^"]*)"/.exec(text);
    if (value?.[1] === 'map') model.table = value[2]!;
    if (value?.[1] === 'schema') model.schema = value[2]!;
    return;
  }
  const [, name, type, rest = ''] = FIELD.exec(text) ?? [];
  if (name && type) {
    const comment = /\/\/\/?\s*(.*)$/.exec(rest)?.[1] ?? '';
    model.fields.push({ name, type, rest, docs: [...docs, comment].filter(Boolean).join(' ') });
  } else problems.push({ line, message: `Not understood: ${text.slice(0, 80)}` });
}

/** The fields that are columns; a relation's foreign key says what it references. */
function columnsOf(model: Model, models: ReadonlySet<string>, enums: ReadonlySet<string>): ColumnDraft[] {
  const base = (type: string) => type.replace(/\[\]|[?!]$/g, '').replace(/\?$/, '');
  const targets = new Map<string, { table: string[]; column?: string }>();
  for (const { type, rest } of model.fields) {
    const fields = /@relation\([^)]*fields:\s*\[([^\]]*)\]/.exec(rest)?.[1]?.split(',') ?? [];
    const references = /references:\s*\[([^\]]*)\]/.exec(rest)?.[1]?.split(',') ?? [];
    for (const [i, field] of fields.entries()) {
      targets.set(field.trim(), { table: [base(type)], ...given('column', references[i]?.trim()) });
    }
  }
  return model.fields
    .filter(({ type }) => !models.has(base(type)))
    .map(({ name, type, rest, docs }) => ({
      name,
      type: enums.has(base(type)) ? `enum ${base(type)}` : type.replace(/[?!]$/, ''),
      nullable: type.endsWith('?'),
      ...(/@id\b/.test(rest) && { primary_key: true }),
      ...given('description', docs),
      ...given('references', targets.get(name)),
      ...given('default', /@default\(((?:[^()]|\([^()]*\))*)\)/.exec(rest)?.[1]),
    }));
}
