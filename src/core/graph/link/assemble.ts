import type { Ref } from '../fragment.ts';
import type { Asset, Column, ColumnPair, Edge, Graph, Problem } from '../model.ts';
import { lastPart, systemOf } from '../names.ts';
import type { DbtProject } from '../scan/dbt-project.ts';
import { databases } from './database.ts';
import { dbtAssets } from './dbt.ts';
import { type Contribution, contribution, type FileFragment, problemIn, RANK, type WorkingAsset } from './draft.ts';
import { columnsNow, followFlows, type LinkedFlow } from './flows.ts';
import { createResolver, type Resolver } from './resolver.ts';

/** Everything a graph is made of. */
export interface GraphSources {
  readonly files: readonly FileFragment[];
  readonly projects: readonly DbtProject[];
  /** Tables of registered connections, assets added by hand, and their edges. */
  readonly further: Contribution;
  /** Problems of reading, not of a fragment. */
  readonly problems: readonly Problem[];
}

const MOST_AMBIGUITIES = 50;

/** Puts the graph together: what each file says, linked by the names they use. The same input gives the same graph. */
export function assemble({ files, projects, further, problems }: GraphSources): Graph {
  const schema = databases(files);
  const parts: Contribution[] = [
    schema,
    ...projects.map((project) =>
      dbtAssets(
        project,
        files.filter((file) => file.project === project),
      ),
    ),
    plain(files),
    further,
  ];
  const assets = new Map<string, WorkingAsset>();
  for (const asset of parts.flatMap((part) => part.assets)) {
    const known = assets.get(asset.qualified_name);
    // What a person added describes an asset further; a scan's second word on a name is another spelling of the first.
    assets.set(
      asset.qualified_name,
      known && asset.origin === 'added' ? { ...known, ...withoutEmpty(asset), origin: known.origin } : (known ?? asset),
    );
  }
  const said: Problem[] = [...problems, ...parts.flatMap((part) => part.problems)];
  const scanned = new Set(files.map(({ path }) => path));
  const resolver = createResolver(assets, projects, schema.systems, scanned);
  const edges = linkAll(parts, assets, resolver, said);
  const finished = new Map<string, Asset>();
  for (const asset of [...assets.values()].sort((a, b) => (a.qualified_name < b.qualified_name ? -1 : 1))) {
    finished.set(asset.qualified_name, finish(asset, resolver));
  }
  const downstream = grouped(edges, ({ from }) => from);
  const upstream = grouped(edges, ({ to }) => to);
  return { assets: finished, downstream, upstream, edges: edges.length, problems: said };
}

/** What scanners say that needs no project and no database. */
function plain(files: readonly FileFragment[]): Contribution {
  const result = contribution();
  for (const { path, scannedAt, fragment } of files) {
    for (const { line, ...asset } of fragment.assets ?? []) {
      const place = { file: path, ...(line !== undefined && { line }) };
      const inFile = asset.qualified_name.startsWith('sqlite://') && asset.node_type !== 'database';
      result.assets.push({
        ...asset,
        origin: 'scanned',
        last_scanned_at: scannedAt,
        place,
        ...(inFile && { relations: [{ table: asset.name, database: path, rank: RANK.file }] }),
      });
    }
    for (const edge of fragment.edges ?? []) result.edges.push({ ...edge, file: path });
    for (const flow of fragment.flows ?? []) result.flows.push({ ...flow, file: path });
    for (const problem of fragment.problems ?? []) result.problems.push(problemIn(path, problem));
    if (fragment.partial) result.problems.push({ file: path, message: fragment.partial });
  }
  return result;
}

function linkAll(
  parts: readonly Contribution[],
  assets: Map<string, WorkingAsset>,
  resolver: Resolver,
  problems: Problem[],
): Edge[] {
  const edges = new Map<string, Edge>();
  let ambiguities = 0;
  const add = (
    from: string,
    to: string,
    basis: string,
    file: string,
    line: number | undefined,
    columns?: readonly ColumnPair[],
  ) => {
    if (from === to) return;
    const key = `${from}\0${to}\0${basis}`;
    const known = edges.get(key);
    const all = [...(known?.columns ?? []), ...(columns ?? [])];
    edges.set(key, {
      from,
      to,
      basis,
      place: known?.place ?? { file, ...(line !== undefined && { line }) },
      ...(all.length > 0 && { columns: distinct(all) }),
    });
  };
  /** The assets a reference means; one that is not there becomes an external asset, unless the reference is a guess. */
  const meant = (ref: Ref, file: string, line: number | undefined, optional: boolean): readonly string[] => {
    const context = { file, schema: undefined };
    const { names, missing, others } = resolver.resolve(ref, context);
    if (others && ref.kind === 'table' && ambiguities++ < MOST_AMBIGUITIES) {
      const message = `${ref.parts.join('.')} may be ${[names[0], ...others].slice(0, 4).join(' or ')}: the first was taken.`;
      problems.push({ file, ...(line !== undefined && { line }), message });
    }
    if (names.length > 0 || missing === undefined || optional) {
      for (const name of names) if (!assets.has(name)) assets.set(name, fileAsset(name, file));
      return names;
    }
    if (!assets.has(missing)) assets.set(missing, external(missing, file, line));
    return [missing];
  };

  for (const { from, to, basis, file, line, optional = false } of parts.flatMap((part) => part.edges)) {
    const ends = [meant(from, file, line, optional), meant(to, file, line, optional)] as const;
    for (const left of ends[0]) for (const right of ends[1]) add(left, right, basis, file, line);
  }
  linkSources(assets, resolver, add);
  linkContainers(assets, edges, add);

  const linked: LinkedFlow[] = parts
    .flatMap((part) => part.flows)
    .flatMap((draft) => {
      const to = meant(draft.to, draft.file, draft.line, false)[0];
      if (to === undefined) return [];
      const reads = draft.reads.map(({ ref, line }) => meant(ref, draft.file, line ?? draft.line, false)[0]);
      return [{ draft, to, reads }];
    });
  for (const [{ draft, to, reads }, pairs] of followFlows(linked, assets)) {
    for (const [i, from] of reads.entries()) {
      const { basis, line } = draft.reads[i]!;
      if (from !== undefined) add(from, to, basis, draft.file, line ?? draft.line, pairs.get(from));
    }
  }
  return [...edges.values()];
}

type Add = (
  from: string,
  to: string,
  basis: string,
  file: string,
  line: number | undefined,
  columns?: readonly ColumnPair[],
) => void;

/** A dbt source is a view of the table it names: where that table is known, it has the table's columns. */
function linkSources(assets: ReadonlyMap<string, WorkingAsset>, resolver: Resolver, add: Add): void {
  for (const asset of assets.values()) {
    const relation = asset.node_type === 'source' ? asset.relations?.[0] : undefined;
    if (!relation || !asset.place) continue;
    const parts = relation.schema === undefined ? [relation.table] : [relation.schema, relation.table];
    const table = resolver.base(parts, { file: asset.place.file }).names[0];
    if (table === undefined) continue;
    const own = new Map((asset.columns ?? []).map((column) => [column.name.toLowerCase(), column]));
    const columns = columnsNow(assets.get(table)).map((column) => ({
      ...column,
      ...own.get(column.name.toLowerCase()),
      name: column.name,
    }));
    const names = new Set(columns.map(({ name }) => name.toLowerCase()));
    const rest = [...own].filter(([key]) => !names.has(key)).map(([, column]) => column);
    asset.resolved = [...columns, ...rest];
    add(
      table,
      asset.qualified_name,
      'dbt_source_table',
      asset.place.file,
      asset.place.line,
      columns.map(({ name }) => ({ from: name, to: name })),
    );
  }
}

/** Where something writes a database file as a whole, its tables come from there. */
function linkContainers(assets: ReadonlyMap<string, WorkingAsset>, edges: ReadonlyMap<string, Edge>, add: Add): void {
  const written = new Set([...edges.values()].map(({ to }) => to));
  for (const { qualified_name: name, relations, place } of assets.values()) {
    if (relations?.[0]?.rank !== RANK.file || !place) continue;
    const database = name.slice(0, name.lastIndexOf('/'));
    if (written.has(database)) add(database, name, 'stored_in', place.file, undefined);
  }
}

function finish({ relations, schema, resolved, line, ...asset }: WorkingAsset, resolver: Resolver): Asset {
  const columns = (resolved ?? asset.columns ?? []).map(({ references, ...column }): Column => {
    if (!references) return column;
    const database = relations?.[0]?.rank === RANK.file ? relations[0].database : undefined;
    const context = { file: asset.place?.file ?? '', schema };
    const { table, asset: known, column: key } = references;
    const found =
      table && resolver.resolve({ kind: 'table', parts: table, ...(database !== undefined && { database }) }, context);
    const target = known ?? found?.names[0] ?? found?.missing;
    return { ...column, ...(target && { references: { asset: target, ...(key && { column: key }) } }) };
  });
  const { columns: _, ...rest } = asset;
  return { ...rest, source_system: systemOf(asset.qualified_name), ...(columns.length > 0 && { columns }) };
}

function external(name: string, file: string, line: number | undefined): WorkingAsset {
  return {
    qualified_name: name,
    node_type: 'external',
    name: lastPart(name),
    origin: 'external',
    last_scanned_at: new Date(0).toISOString(),
    description: `Named ${file ? `in ${file}${line === undefined ? '' : `:${line}`}` : 'by an added node'}; nothing in the workspace defines it.`,
    ...(file && { place: { file, ...(line !== undefined && { line }) } }),
  };
}

/** A file of the workspace that something names and that no scanner makes an asset of. */
function fileAsset(name: string, from: string): WorkingAsset {
  const path = name.slice('file://'.length);
  return {
    qualified_name: name,
    node_type: 'file',
    name: lastPart(name),
    origin: 'scanned',
    last_scanned_at: new Date(0).toISOString(),
    description: `Named in ${from}.`,
    place: { file: path, line: 1 },
  };
}

function withoutEmpty(asset: WorkingAsset): Partial<WorkingAsset> {
  return Object.fromEntries(Object.entries(asset).filter(([, value]) => value !== undefined && value !== ''));
}

function distinct(pairs: readonly ColumnPair[]): ColumnPair[] {
  return [...new Map(pairs.map((pair) => [`${pair.from}\0${pair.to}`, pair])).values()];
}

function grouped(edges: readonly Edge[], by: (edge: Edge) => string): Map<string, Edge[]> {
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const group = groups.get(by(edge));
    if (group) group.push(edge);
    else groups.set(by(edge), [edge]);
  }
  for (const group of groups.values())
    group.sort((a, b) => (a.from === b.from ? (a.to < b.to ? -1 : 1) : a.from < b.from ? -1 : 1));
  return groups;
}
