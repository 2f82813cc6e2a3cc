import type { ColumnDraft, DbtConfig, DbtPart, FlowRead, Ref } from '../fragment.ts';
import { qualifiedName } from '../names.ts';
import { type DbtProject, projectSetting } from '../scan/dbt-project.ts';
import { given } from '../scan/text.ts';
import { type Contribution, contribution, type FileFragment, RANK, type WorkingAsset } from './draft.ts';

type Part<K extends DbtPart['kind']> = Extract<DbtPart, { kind: K }>;
type Query = Part<'model' | 'snapshot' | 'analysis' | 'test'>;
type Placed<P> = P & { readonly file: FileFragment };

const SETTINGS_OF = { model: 'models', seed: 'seeds', snapshot: 'snapshots' } as const;

/** The assets of a dbt project from what its files say: models, seeds, snapshots, sources, exposures, tests. */
export function dbtAssets(project: DbtProject, files: readonly FileFragment[]): Contribution {
  const result = contribution();
  const parts = files.flatMap((file) => (file.fragment.dbt ?? []).map((part) => ({ ...part, file })));
  const of = <K extends DbtPart['kind']>(...kinds: K[]) =>
    parts.filter((part) => (kinds as string[]).includes(part.kind)) as unknown as Placed<Part<K>>[];
  const properties = new Map(of('properties').map((part) => [`${part.of} ${part.name}`, part]));
  const docs = new Map(of('doc').map(({ name, text }) => [name, text]));
  const described = (text: string | undefined) =>
    text?.replace(
      /\{\{\s*doc\(\s*(?:['"]\w+['"]\s*,\s*)?['"](\w+)['"]\s*\)\s*\}\}/g,
      (whole, name: string) => docs.get(name) ?? whole,
    );
  const columnsOf = (drafts: readonly ColumnDraft[]) =>
    drafts.map((column) => ({ ...column, ...given('description', described(column.description)) }));
  const name = (...rest: string[]) => qualifiedName('dbt', project.name, ...rest);
  const base = (file: FileFragment, line: number) => ({
    origin: 'scanned' as const,
    last_scanned_at: file.scannedAt,
    place: { file: file.path, line },
    freshness: { basis: 'not_measured' as const },
  });

  const setting = (part: Placed<Query | Part<'seed'>>, key: string): string | undefined => {
    const kind = part.kind === 'analysis' || part.kind === 'test' ? undefined : part.kind;
    const own = 'query' in part ? part.query.config[key] : undefined;
    const said = kind && properties.get(`${kind} ${part.name}`)?.config[key];
    const value = own ?? said ?? (kind && projectSetting(project, SETTINGS_OF[kind], key, part.file.path));
    return typeof value === 'string' ? value : value?.join(', ');
  };

  /** A model file `orders_v2.sql` that the properties know as `orders` is version 2 of it. */
  const refName = ({ kind, name: written }: { kind: string; name: string }): string => {
    const [, plain, version] = /^(.+)_v(\d+)$/.exec(written) ?? [];
    const versioned = plain && !properties.has(`${kind} ${written}`) && properties.has(`${kind} ${plain}`);
    return versioned ? `${plain}.v${version}` : written;
  };

  for (const part of of('model', 'snapshot', 'analysis', 'test')) {
    if (setting(part, 'enabled') === 'false') continue;
    const { kind, file, query } = part;
    const short = refName(part);
    const said = properties.get(`${kind === 'model' ? 'model' : kind} ${short.replace(/\.v\d+$/, '')}`);
    const qualified = kind === 'test' || kind === 'analysis' ? name(kind, short) : name(short);
    const materialized = kind === 'model' ? (setting(part, 'materialized') ?? 'view') : undefined;
    const tags = tagsOf(query.config, said?.config);
    const alias = setting(part, 'alias') ?? part.name;
    const ephemeral = materialized === 'ephemeral';
    result.assets.push({
      ...base(file, part.line),
      qualified_name: qualified,
      node_type: kind === 'analysis' ? 'query' : kind,
      name: short,
      definition: part.definition,
      columns: columnsOf(said?.columns ?? []),
      ...given('description', described(said?.description) ?? part.description),
      ...given('tags', tags),
      facts: {
        project: project.name,
        ...given('materialized', materialized),
        ...given('schema', setting(part, 'schema')),
        ...given('owner', said?.owner),
      },
      ...((kind === 'model' || kind === 'snapshot') &&
        !ephemeral && { relations: [relation(alias, setting(part, 'schema'))] }),
    });
    const flow = { to: { kind: 'name', name: qualified } as Ref, line: part.line, file: file.path };
    result.flows.push({ ...flow, reads: query.reads as FlowRead[], outputs: query.outputs });
  }

  for (const part of of('seed')) {
    const said = properties.get(`seed ${part.name}`);
    result.assets.push({
      ...base(part.file, 1),
      qualified_name: name(part.name),
      node_type: 'seed',
      name: part.name,
      columns: columnsOf(withSaid(part.columns, said?.columns ?? [])),
      ...given('description', described(said?.description)),
      facts: { project: project.name, ...(part.rows !== undefined && { row_count: part.rows }) },
      freshness: { changed_at: new Date(part.file.mtimeMs).toISOString(), basis: 'file_modified' },
      relations: [relation(setting(part, 'alias') ?? part.name, setting(part, 'schema'))],
    });
  }

  for (const part of of('source')) {
    const qualified = name('source', part.source, part.table);
    result.assets.push({
      ...base(part.file, part.line),
      qualified_name: qualified,
      node_type: 'source',
      name: part.table,
      columns: columnsOf(part.columns),
      ...given('description', described(part.description)),
      ...given('tags', part.tags),
      facts: { project: project.name, relation: part.relation.join('.') },
      freshness: part.expected ? { basis: 'declared', expected: part.expected } : { basis: 'not_measured' },
      relations: [
        { table: part.relation.at(-1)!, schema: part.relation.at(-2), database: project.name, rank: RANK.source },
      ],
    });
  }

  for (const part of of('exposure')) {
    const qualified = name('exposure', part.name);
    const self: Ref = { kind: 'name', name: qualified };
    result.assets.push({
      ...base(part.file, part.line),
      qualified_name: qualified,
      node_type: 'exposure',
      name: part.label ?? part.name,
      ...given('description', described(part.description)),
      facts: {
        project: project.name,
        ...given('type', part.type),
        ...given('owner', part.owner),
        ...given('url', part.url),
      },
    });
    for (const { ref, line } of part.depends)
      result.edges.push({ from: ref, to: self, basis: 'exposure', line, file: part.file.path });
    const dashboard = /\/d\/([\w-]+)/.exec(part.url ?? '')?.[1];
    if (dashboard) {
      const to: Ref = { kind: 'name', name: qualifiedName('grafana', dashboard) };
      result.edges.push({
        from: self,
        to,
        basis: 'exposure_url',
        line: part.line,
        file: part.file.path,
        optional: true,
      });
    }
  }

  result.assets.push(projectAsset(project, files, result.assets));
  return result;

  function relation(table: string, schema: string | undefined) {
    // Without a schema of its own, a model lies in the target's, which only the person's profile knows.
    return { table, schema: schema?.includes('{{') ? undefined : schema, database: project.name, rank: RANK.dbt };
  }
}

/** Columns of a file with what the properties say of them. */
function withSaid(columns: readonly ColumnDraft[], said: readonly ColumnDraft[]): ColumnDraft[] {
  return columns.map((column) => ({
    ...column,
    ...said.find(({ name }) => name.toLowerCase() === column.name.toLowerCase()),
  }));
}

function tagsOf(...configs: readonly (DbtConfig | undefined)[]): string[] {
  return [...new Set(configs.flatMap((config) => config?.tags ?? []))];
}

function projectAsset(
  project: DbtProject,
  files: readonly FileFragment[],
  assets: readonly WorkingAsset[],
): WorkingAsset {
  const count = (type: string) => assets.filter(({ node_type }) => node_type === type).length;
  return {
    qualified_name: qualifiedName('dbt', project.name),
    node_type: 'project',
    name: project.name,
    origin: 'scanned',
    last_scanned_at: files[0]?.scannedAt ?? new Date(0).toISOString(),
    place: { file: project.root === '' ? 'dbt_project.yml' : `${project.root}/dbt_project.yml`, line: 1 },
    ...given('description', project.description),
    facts: { models: count('model'), sources: count('source'), seeds: count('seed'), exposures: count('exposure') },
  };
}
