import { readFile, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { DbtConfig, DbtPart, DbtReference, FlowRead, Fragment } from '../fragment.ts';
import type { FileFragment } from '../link/draft.ts';
import type { Problem } from '../model.ts';
import type { DbtProject } from './dbt-project.ts';
import { definitionOf, described, fieldsOf, given, listOf, stringsOf } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;
type Reference = DbtReference['ref'];

const MOST_BYTES = 300_000_000;

/**
 * Replaces what the files of a dbt project say by what dbt itself says in target/manifest.json, where that is at least as
 * new as every model and property file. The columns' sources still come from the files: a manifest has none.
 */
export async function manifestFragments(
  projects: readonly DbtProject[],
  files: readonly FileFragment[],
  absolute: (path: string) => string | undefined,
  now: () => number,
): Promise<{ files: FileFragment[]; problems: Problem[] }> {
  const problems: Problem[] = [];
  let result = [...files];
  for (const project of projects) {
    const path = posix.join(project.root, project.target, 'manifest.json');
    const info = await stat(absolute(path) ?? '').catch(() => undefined);
    if (!info?.isFile()) continue;
    const own = files.filter((file) => file.project === project);
    const newest = own.reduce<FileFragment | undefined>(
      (best, file) => (best && best.mtimeMs >= file.mtimeMs ? best : file),
      undefined,
    );
    if (newest && newest.mtimeMs > info.mtimeMs) {
      problems.push({
        file: path,
        message: `The manifest is older than ${newest.path}: the project is read from its files. Run dbt parse to have it renewed.`,
      });
      continue;
    }
    if (info.size > MOST_BYTES) {
      problems.push({ file: path, message: 'The manifest is too large to read: the project is read from its files.' });
      continue;
    }
    try {
      const manifest = fieldsOf(JSON.parse(await readFile(absolute(path)!, 'utf8')));
      const catalog = await readCatalog(absolute(posix.join(project.root, project.target, 'catalog.json')));
      const byPath = new Map(own.map((file) => [file.path, file]));
      const told = partsOf(manifest, catalog, project, byPath);
      if (told.size === 0) throw new Error('it lists no nodes');
      const others = result.filter((file) => file.project !== project);
      const seeds = own.filter(({ fragment }) => fragment.dbt?.some(({ kind }) => kind === 'seed'));
      const scannedAt = new Date(now()).toISOString();
      const fresh = [...told].map(([file, parts]): FileFragment => {
        const known = byPath.get(file);
        const fragment: Fragment = { dbt: parts, ...given('problems', known?.fragment.problems) };
        return {
          path: file,
          mtimeMs: known?.mtimeMs ?? info.mtimeMs,
          scannedAt: known?.scannedAt ?? scannedAt,
          project,
          fragment,
        };
      });
      result = [...others, ...fresh, ...seeds.filter((file) => !told.has(file.path))];
    } catch (error) {
      problems.push({
        file: path,
        message: `The manifest cannot be read (${(error as Error).message.slice(0, 150)}): the project is read from its files.`,
      });
    }
  }
  return { files: result, problems };
}

async function readCatalog(path: string | undefined): Promise<Fields> {
  const text = path === undefined ? '{}' : await readFile(path, 'utf8').catch(() => '{}');
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // Types are an extra; without a catalog the columns are still those of the manifest.
    return {};
  }
}

/** The manifest's nodes as parts of the files that dbt read them from. */
function partsOf(
  manifest: Fields,
  catalog: Fields,
  project: DbtProject,
  files: ReadonlyMap<string, FileFragment>,
): Map<string, DbtPart[]> {
  const parts = new Map<string, DbtPart[]>();
  const put = (node: Fields, part: DbtPart) => {
    const file = posix.join(project.root, described(node.original_file_path) ?? 'dbt_project.yml');
    parts.set(file, [...(parts.get(file) ?? []), part]);
  };
  const nodes = fieldsOf(manifest.nodes);
  const sources = fieldsOf(manifest.sources);
  const typesOf = (id: string) =>
    fieldsOf(fieldsOf(fieldsOf(fieldsOf(catalog).nodes)[id] ?? fieldsOf(fieldsOf(catalog).sources)[id]).columns);
  const reference = (id: unknown): Reference | undefined => {
    const node = fieldsOf(nodes[String(id)]);
    const source = fieldsOf(sources[String(id)]);
    if (described(node.name)) {
      const other = node.package_name !== project.name && described(node.package_name);
      return {
        kind: 'dbt',
        name: described(node.name)!,
        ...(other && { package: other }),
        ...given('version', described(node.version)),
      };
    }
    return described(source.name)
      ? { kind: 'dbt_source', source: String(source.source_name), table: String(source.name) }
      : undefined;
  };
  for (const [id, value] of Object.entries(nodes)) {
    const node = fieldsOf(value);
    const name = described(node.name);
    const kind = String(node.resource_type);
    if (!name || node.package_name !== project.name) continue;
    const columns = columnsOf(node.columns, typesOf(id));
    const base = { line: 1, ...given('description', described(node.description)) };
    if (kind === 'seed') {
      put(node, { kind: 'properties', of: 'seed', name, columns, config: configOf(node), ...base });
      const file = posix.join(project.root, String(node.original_file_path));
      const read = files.get(file)?.fragment.dbt?.find((part) => part.kind === 'seed');
      put(node, read ?? { kind: 'seed', name, columns });
    } else if (
      kind === 'model' ||
      kind === 'snapshot' ||
      kind === 'analysis' ||
      (kind === 'test' && !node.test_metadata)
    ) {
      const file = files.get(posix.join(project.root, String(node.original_file_path)));
      const read = file?.fragment.dbt?.find((part) => 'query' in part && part.name === name);
      const own = read && 'query' in read ? read : undefined;
      const refs = listOf(fieldsOf(node.depends_on).nodes).flatMap((other) => reference(other) ?? []);
      if (kind !== 'test') put(node, { kind: 'properties', of: kind, name, columns, config: configOf(node), ...base });
      put(node, {
        kind,
        name,
        ...base,
        definition: own?.definition ?? definitionOf(described(node.raw_code) ?? described(node.raw_sql) ?? ''),
        query: {
          config: configOf(node),
          reads: readsOf(refs, own?.query.reads ?? []),
          outputs: own?.query.outputs ?? columns.map((column) => ({ name: column.name, sources: [] })),
        },
      });
    }
  }
  for (const [id, value] of Object.entries(sources)) {
    const source = fieldsOf(value);
    if (source.package_name !== project.name) continue;
    put(source, {
      kind: 'source',
      source: String(source.source_name),
      table: String(source.name),
      relation: [source.schema, source.identifier ?? source.name].flatMap((part) => described(part) ?? []),
      line: 1,
      columns: columnsOf(source.columns, typesOf(id)),
      tags: stringsOf(source.tags),
      ...given('description', described(source.description) ?? described(source.source_description)),
    });
  }
  for (const value of Object.values(fieldsOf(manifest.exposures))) {
    const exposure = fieldsOf(value);
    const name = described(exposure.name);
    if (!name || exposure.package_name !== project.name) continue;
    put(exposure, {
      kind: 'exposure',
      name,
      line: 1,
      depends: listOf(fieldsOf(exposure.depends_on).nodes).flatMap((id) => {
        const ref = reference(id);
        return ref ? [{ ref, line: 1 }] : [];
      }),
      ...given('label', described(exposure.label)),
      ...given('type', described(exposure.type)),
      ...given('description', described(exposure.description)),
      ...given('url', described(exposure.url)),
      ...given('owner', described(fieldsOf(exposure.owner).name) ?? described(fieldsOf(exposure.owner).email)),
    });
  }
  return parts;
}

/**
 * The reads of a query as the manifest has them. Those read from the file keep their places, since the outputs count
 * by them; one that dbt does not know of is not read after all.
 */
function readsOf(told: readonly Reference[], read: readonly FlowRead[]): FlowRead[] {
  const key = (ref: FlowRead['ref']) =>
    ref.kind === 'dbt' ? `dbt ${ref.name}` : ref.kind === 'dbt_source' ? `source ${ref.source} ${ref.table}` : '';
  const known = new Set(read.map(({ ref }) => key(ref)));
  const basis = (ref: Reference) => (ref.kind === 'dbt' ? 'dbt_ref' : 'dbt_source');
  return [...read, ...told.filter((ref) => !known.has(key(ref))).map((ref) => ({ ref, basis: basis(ref) }))];
}

function columnsOf(columns: unknown, types: Fields) {
  const said = Object.values(fieldsOf(columns)).map(fieldsOf);
  const names = new Map(said.map((column) => [String(column.name).toLowerCase(), column]));
  for (const [name, column] of Object.entries(types)) {
    if (!names.has(name.toLowerCase()))
      names.set(name.toLowerCase(), { name: described(fieldsOf(column).name) ?? name });
  }
  return [...names.values()].flatMap((column) => {
    const name = described(column.name);
    const catalogued = Object.entries(types).find(([key]) => key.toLowerCase() === name?.toLowerCase())?.[1];
    const type = described(column.data_type) ?? described(fieldsOf(catalogued).type);
    return name ? [{ name, ...given('type', type), ...given('description', described(column.description)) }] : [];
  });
}

function configOf(node: Fields): DbtConfig {
  const config = fieldsOf(node.config);
  return {
    ...given('materialized', described(config.materialized)),
    ...given('schema', described(node.schema)),
    ...given('alias', described(node.alias)),
    ...given('tags', [...new Set([...stringsOf(config.tags), ...stringsOf(node.tags)])]),
  };
}
