import type { SearchScope } from './engine.ts';
import type { ChunkTable, FileEntry } from './table.ts';

/** The part of Orama's filter language that the chunks' schema needs; conditions side by side must all hold. */
export interface ChunkFilter {
  readonly and?: readonly ChunkFilter[];
  readonly or?: readonly ChunkFilter[];
  readonly file?: { readonly eq: string } | { readonly in: readonly string[] };
  /** Folders above the file, each ending in `/`. */
  readonly folders?: { readonly containsAny: readonly string[] };
  /** Ordinal in the file, both ends included. */
  readonly chunk?: { readonly between: readonly [number, number] };
  readonly kind?: { readonly in: readonly string[] };
}

/** The filter that keeps what lies in any of the scopes; undefined when nothing is left out. */
export function filterOfScopes(scopes: readonly SearchScope[] | undefined): ChunkFilter | undefined {
  if (scopes === undefined || scopes.some((scope) => scope.file === undefined && (scope.prefix ?? '') === '')) {
    return undefined;
  }
  return { or: scopes.map(filterOfScope) };
}

function filterOfScope({ prefix, file, first, end }: SearchScope): ChunkFilter {
  return {
    ...(prefix ? { folders: { containsAny: [prefix] } } : {}),
    ...(file === undefined ? {} : { file: { eq: file } }),
    ...(first === undefined && end === undefined
      ? {}
      : { chunk: { between: [first ?? 0, (end ?? Number.MAX_SAFE_INTEGER) - 1] as const } }),
  };
}

/** 1 for each slot in use that passes the filter. */
export function maskOf(table: ChunkTable, filter: ChunkFilter): Uint8Array {
  const mask = new Uint8Array(table.size);
  for (const entry of namedFiles(table, filter) ?? table.files.values()) {
    for (let ordinal = 0; ordinal < entry.count; ordinal++) {
      if (passes(table, filter, entry, ordinal)) mask[entry.first + ordinal] = 1;
    }
  }
  return mask;
}

/** The files a filter names one by one; undefined when it must be asked of every file. */
function namedFiles(table: ChunkTable, filter: ChunkFilter): Set<FileEntry> | undefined {
  if (filter.file !== undefined) {
    const paths = 'eq' in filter.file ? [filter.file.eq] : filter.file.in;
    return new Set(paths.flatMap((path) => table.files.get(path) ?? []));
  }
  if (filter.or === undefined) return undefined;
  const sets = filter.or.map((part) => namedFiles(table, part));
  return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...set!]));
}

function passes(table: ChunkTable, filter: ChunkFilter, entry: FileEntry, ordinal: number): boolean {
  const { and, or, file, folders, chunk, kind } = filter;
  if (file !== undefined && !('eq' in file ? file.eq === entry.path : file.in.includes(entry.path))) return false;
  if (folders !== undefined && !folders.containsAny.some((folder) => entry.path.startsWith(folder))) return false;
  if (chunk !== undefined && (ordinal < chunk.between[0] || ordinal > chunk.between[1])) return false;
  if (kind !== undefined && !kind.in.includes(table.kind(entry.first + ordinal))) return false;
  if (and !== undefined && !and.every((part) => passes(table, part, entry, ordinal))) return false;
  return or === undefined || or.some((part) => passes(table, part, entry, ordinal));
}
