import { posix } from 'node:path';
import type { Ref } from '../fragment.ts';
import { databaseRoot, pathName, qualifiedName, systemOf } from '../names.ts';
import type { DbtProject } from '../scan/dbt-project.ts';
import { RANK, type Relation, type WorkingAsset } from './draft.ts';

/** Where a reference stands. */
export interface RefContext {
  readonly file: string;
  /** Schema of names without one. */
  readonly schema?: string | undefined;
}

export interface Resolved {
  /** Assets that the reference names; several for a path with `*`. */
  readonly names: readonly string[];
  /** What the asset would be called if there were one. */
  readonly missing?: string;
  /** Set when the name fits several assets equally: those that were not taken. */
  readonly others?: readonly string[];
}

export type Resolver = ReturnType<typeof createResolver>;

type Candidate = Relation & { readonly name: string };

/** Schemas that a name without one may mean. */
const DEFAULT_SCHEMAS = new Set(['', 'public', 'dbo', 'main']);
const MOST_MATCHES = 50;
const MOST_STARS = 4;

/** Finds the assets that references mean. */
export function createResolver(
  assets: ReadonlyMap<string, WorkingAsset>,
  projects: readonly DbtProject[],
  systems: ReadonlyMap<string, string>,
  scannedFiles: ReadonlySet<string>,
) {
  const tables = new Map<string, Candidate[]>();
  const files = new Map<string, string>();
  const folded = new Map<string, string>();
  const databases = new Set<string>();
  for (const asset of assets.values()) {
    const name = asset.qualified_name;
    folded.set(name.toLowerCase(), name);
    for (const relation of asset.relations ?? []) {
      const key = relation.table.toLowerCase();
      tables.set(key, [...(tables.get(key) ?? []), { ...relation, name }]);
      databases.add(relation.database);
    }
    const file = asset.place?.file;
    if (
      file &&
      ['file', 'database', 'notebook', 'query', 'script', 'seed'].includes(asset.node_type) &&
      !files.has(file)
    )
      files.set(file, name);
  }

  const nearest = (file: string): string => {
    const own = databaseRoot(file);
    if (systems.has(own)) return own;
    const above = [...systems.keys()].filter((root) => root !== 'workspace' && file.startsWith(`${root}/`));
    return (
      above.sort((a, b) => b.length - a.length)[0] ??
      (systems.has('workspace') ? 'workspace' : ([...systems.keys()][0] ?? 'workspace'))
    );
  };

  const table = (
    parts: readonly string[],
    database: string | undefined,
    { file, schema: current }: RefContext,
    only?: (rank: number) => boolean,
  ): Resolved => {
    const wanted = parts.at(-1)!.toLowerCase();
    const schema = parts.at(-2)?.toLowerCase();
    const inDatabase = database !== undefined && databases.has(database);
    const root = nearest(file);
    const score = (candidate: Candidate): number | undefined => {
      const own = candidate.schema?.toLowerCase();
      if (inDatabase && candidate.database !== database) return undefined;
      // A SQLite file is meant only where the code says so.
      if (!inDatabase && candidate.rank === RANK.file) return undefined;
      if (schema !== undefined && own !== undefined && own !== schema) {
        const prefixed = candidate.rank === RANK.dbt && schema.endsWith(`_${own}`);
        if (!prefixed && !(DEFAULT_SCHEMAS.has(own) && DEFAULT_SCHEMAS.has(schema))) return undefined;
      }
      const fits =
        (schema ?? current?.toLowerCase() ?? '') === own ||
        (schema === undefined && own !== undefined && DEFAULT_SCHEMAS.has(own));
      return (
        (candidate.database === root ? 40 : 0) +
        (fits ? 20 : 0) +
        (parts.at(-1) === candidate.table ? 5 : 0) -
        candidate.rank
      );
    };
    const candidates = (tables.get(wanted) ?? [])
      .filter(({ rank }) => only?.(rank) ?? true)
      .flatMap((candidate) => {
        const fit = score(candidate);
        return fit === undefined ? [] : [{ candidate, score: fit, near: shared(candidate.name, file) }];
      })
      .sort((a, b) => b.score - a.score || b.near - a.near || (a.candidate.name < b.candidate.name ? -1 : 1));
    const [best, ...rest] = candidates;
    if (best) {
      const equals = rest.filter(
        ({ score: other, near }) => other === best.score && near === best.near && database === undefined,
      );
      return {
        names: [best.candidate.name],
        ...(equals.length > 0 && { others: equals.map(({ candidate }) => candidate.name) }),
      };
    }
    if (database !== undefined) return { names: [], missing: pathName('sqlite', database, ...parts) };
    return { names: [], missing: pathName(systems.get(root) ?? 'sql', root, ...parts) };
  };

  const file = (path: string): string[] => {
    if (!path.includes('*')) {
      const name = files.get(path) ?? (scannedFiles.has(path) ? pathName('file', path) : undefined);
      return name === undefined ? [] : [name];
    }
    const pieces = path.split(/\*+/);
    if (pieces.length > MOST_STARS + 1) return [];
    const pattern = new RegExp(
      `^${pieces.map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[^/]*')}$`,
    );
    return [...files]
      .filter(([known]) => pattern.test(known))
      .slice(0, MOST_MATCHES)
      .map(([, name]) => name);
  };

  const projectOf = (path: string): DbtProject | undefined => {
    const owners = projects.filter(({ root }) => root === '' || path.startsWith(`${root}/`));
    return owners.sort((a, b) => b.root.length - a.root.length)[0] ?? projects[0];
  };

  const exact = (name: string): string | undefined => (assets.has(name) ? name : folded.get(name.toLowerCase()));
  const found = (name: string): Resolved => {
    const known = exact(name);
    return known === undefined ? { names: [], missing: name } : { names: [known] };
  };

  return {
    exact,
    /** Resolves against tables of databases alone, for a dbt source. */
    base: (parts: readonly string[], context: RefContext): Resolved =>
      table(parts, undefined, context, (rank) => rank === RANK.ddl || rank === RANK.connection),
    resolve(ref: Ref, context: RefContext): Resolved {
      switch (ref.kind) {
        case 'name':
          return found(ref.name);
        case 'table':
          return table(
            ref.parts,
            ref.or !== undefined && !databases.has(ref.database!) && databases.has(ref.or) ? ref.or : ref.database,
            context,
          );
        case 'file': {
          const names = file(ref.path);
          const either = names.length > 0 || ref.or === undefined ? names : file(ref.or);
          if (either.length > 0 || ref.path.includes('*')) return { names: either };
          const outside = ref.path.startsWith('..') && ref.or !== undefined ? ref.or : ref.path;
          return { names: [], missing: pathName('file', outside) };
        }
        case 'dbt': {
          const project = ref.package ?? projectOf(context.file)?.name ?? 'dbt';
          const name = ref.version === undefined ? ref.name : `${ref.name}.v${ref.version}`;
          const own = found(qualifiedName('dbt', project, name));
          if (own.names.length > 0 || ref.package) return own;
          const other = projects
            .map(({ name: any }) => exact(qualifiedName('dbt', any, name)))
            .find((known) => known !== undefined);
          return other ? { names: [other] } : (latest(project, ref.name) ?? own);
        }
        case 'dbt_source':
          return found(qualifiedName('dbt', projectOf(context.file)?.name ?? 'dbt', 'source', ref.source, ref.table));
        case 'dbt_project': {
          const project = projectOf(context.file);
          return project ? found(qualifiedName('dbt', project.name)) : { names: [] };
        }
      }
    },
  };

  /** The newest version of a model that is named without one. */
  function latest(project: string, name: string): Resolved | undefined {
    const prefix = `${qualifiedName('dbt', project, name)}.v`;
    const versions = [...assets.keys()].filter((known) => known.startsWith(prefix));
    const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
    return newest === undefined ? undefined : { names: [newest] };
  }
}

/** Folders that a name's path and a file have in common from the start. */
function shared(name: string, file: string): number {
  const path = name.slice(systemOf(name).length + 3).split('/');
  const folders = posix.dirname(file).split('/');
  let count = 0;
  while (count < folders.length && folders[count] === path[count]) count++;
  return count;
}
