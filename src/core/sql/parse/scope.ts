import { type ColumnName, tableKey } from './query.ts';
import type { ColumnLineage, ColumnSource, TableName } from './statement.ts';

/** What one relation of a FROM clause offers to the expressions of its query. */
export interface Source {
  /** Name that qualifies its columns: the alias, or the parts of the table's name. */
  readonly qualifier: readonly string[];
  /** Its columns in order; `*` stands for those that are not known. */
  readonly columns: readonly ColumnLineage[];
  /** Its columns are values made of what its arguments name, whatever they are called. */
  readonly derived: boolean;
  readonly using: readonly string[];
}

/** The sources that a query's expressions see, its own before those of the queries around it. */
export interface Scope {
  readonly sources: readonly Source[];
  readonly outer: Scope | undefined;
}

export interface Resolved {
  readonly sources: readonly ColumnSource[];
  readonly unresolved: readonly string[];
}

const nothing = (name: ColumnName): Resolved => ({ sources: [], unresolved: [name.join('.')] });

/** Finds what a column's name refers to, by the rules of SQL; a name that could be of several tables is unresolved. */
export function resolveColumn(name: ColumnName, scope: Scope): Resolved {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const found = name.length > 1 ? qualified(name, at) : unqualified(name[0]!, at);
    if (found) return found;
  }
  // `a.b` with no table `a`: a field of the column `a`.
  return name.length > 1 ? resolveColumn([name[0]!], scope) : nothing(name);
}

function qualified(name: ColumnName, { sources }: Scope): Resolved | undefined {
  // `t.c.field` of a struct too: the longest qualifier that names a source wins.
  for (let length = name.length - 1; length > 0; length--) {
    const source = sources.find(({ qualifier }) => endsWith(qualifier, name.slice(0, length)));
    if (source) return columnOf(source, name[length]!) ?? nothing(name);
  }
  return undefined;
}

function unqualified(name: string, { sources }: Scope): Resolved | undefined {
  const known = sources.filter(({ columns }) => columns.some((column) => sameName(column.column, name)));
  const open = sources.filter(({ columns }) => columns.some(({ column }) => column === '*'));
  const shared = sources.some(({ using }) => using.some((column) => column === '*' || sameName(column, name)));
  if (shared && known.length + open.length > 0) {
    return merge((known.length > 0 ? known : open).flatMap((source) => columnOf(source, name) ?? []));
  }
  if (known.length === 1) return columnOf(known[0]!, name);
  if (known.length > 1) return nothing([name]);
  if (open.length === 1) return columnOf(open[0]!, name);
  return open.length > 1 ? nothing([name]) : undefined;
}

function columnOf(source: Source, name: string): Resolved | undefined {
  const column = source.columns.find((candidate) => sameName(candidate.column, name));
  if (column) return { sources: column.sources, unresolved: column.unresolved ?? [] };
  const stars = source.columns.filter((candidate) => candidate.column === '*');
  if (stars.length === 0) return undefined;
  const sources = stars.flatMap((star) => star.sources);
  if (source.derived) return { sources, unresolved: [] };
  // Passed on by a `*`: of the one table behind it, if there is one.
  return sources.length === 1
    ? { sources: [{ table: sources[0]!.table, column: name }], unresolved: [] }
    : { sources: [], unresolved: [name] };
}

/** The qualifier of a column may leave out the catalog and schema of the table. */
function endsWith(qualifier: readonly string[], written: readonly string[]): boolean {
  const offset = qualifier.length - written.length;
  return offset >= 0 && written.every((part, i) => sameName(part, qualifier[offset + i]!));
}

/** The source that `t.*` names. */
export function sourceNamed(qualifier: readonly string[], scope: Scope): Source | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const found = at.sources.find((source) => endsWith(source.qualifier, qualifier));
    if (found) return found;
  }
  return undefined;
}

export function sameName(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase();
}

/** Several resolutions as one, each source and name once. */
export function merge(parts: readonly Resolved[]): Resolved {
  const sources = new Map<string, ColumnSource>();
  const unresolved = new Set<string>();
  for (const part of parts) {
    for (const source of part.sources) sources.set(sourceKey(source), source);
    for (const name of part.unresolved) unresolved.add(name);
  }
  return { sources: [...sources.values()], unresolved: [...unresolved] };
}

function sourceKey({ table, column }: ColumnSource): string {
  return `${tableKey(table)}\u0001${column.toLowerCase()}`;
}

/** The columns of a table of the database; one `*` when they are not known. */
export function tableColumns(table: TableName, columns: readonly string[] | undefined): ColumnLineage[] {
  return (columns ?? ['*']).map((column) => ({ column, sources: [{ table, column }] }));
}
