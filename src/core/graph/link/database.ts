import type { ColumnDraft, FlowDraft, OutputDraft, Ref } from '../fragment.ts';
import { databaseRoot, dialectInPath, pathName } from '../names.ts';
import { flowOf } from '../scan/flow.ts';
import { definitionOf, given } from '../scan/text.ts';
import type { ColumnDefinition, SqlStatement, TableName } from '../sql.ts';
import { type Contribution, contribution, type FileFragment, RANK } from './draft.ts';

/** Names of systems where they differ from the dialect's. */
const SYSTEMS: Readonly<Record<string, string>> = { tsql: 'sqlserver', generic: 'sql' };
/** What a name without a schema means. */
const DEFAULT_SCHEMAS: Readonly<Record<string, string>> = { postgres: 'public', redshift: 'public', sqlserver: 'dbo' };
/** Definitions of later changes that are shown with a table's. */
const MOST_CHANGES = 20;

interface Table {
  parts: readonly string[];
  readonly view: boolean;
  readonly columns: Map<string, ColumnDraft>;
  readonly file: string;
  readonly line: number;
  readonly scannedAt: string;
  readonly definition: string;
  readonly changes: string[];
  readonly elsewhere: Set<string>;
  description?: string | undefined;
  /** Schema in force where it was made. */
  readonly schema: string;
}

/** A flow whose ends may still be renamed or dropped. */
interface Flow {
  readonly to: Table | Ref;
  readonly reads: readonly { from: Table | Ref; basis: string }[];
  outputs: readonly OutputDraft[];
  readonly file: string;
  readonly line: number;
}

/**
 * The databases that the workspace's SQL files describe, each file's statements applied in the order that a deployment
 * would: baseline, migrations by number, views. A statement that does not fit the state is left out, since two files may
 * describe the same database.
 */
export function databases(files: readonly FileFragment[]): Contribution & { systems: Map<string, string> } {
  const result = { ...contribution(), systems: new Map<string, string>() };
  const groups = new Map<string, { root: string; scripts: FileFragment[] }>();
  for (const file of files) {
    if (!file.fragment.script) continue;
    const root = databaseRoot(file.path);
    // The same schema for several databases, a file or folder for each, is not one schema.
    const creates = file.fragment.script.statements.some(({ kind }) => kind === 'create_table');
    const key = `${root}\0${(creates && dialectInPath(file.path)) || ''}`;
    const group = groups.get(key) ?? { root, scripts: [] };
    group.scripts.push(file);
    groups.set(key, group);
  }
  for (const { root, scripts } of groups.values()) {
    const system = systemOf(scripts);
    const creates = scripts.some(({ fragment }) =>
      fragment.script!.statements.some(({ kind }) => kind === 'create_table'),
    );
    if (creates && !result.systems.has(root)) result.systems.set(root, system);
    applyScripts(root, system, scripts.sort(inOrder), result);
  }
  return result;
}

function systemOf(files: readonly FileFragment[]): string {
  const votes = new Map<string, number>();
  for (const { fragment } of files) {
    const { dialect, statements } = fragment.script!;
    if (dialect !== 'generic') votes.set(dialect, (votes.get(dialect) ?? 0) + statements.length);
  }
  const dialect = [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'generic';
  return SYSTEMS[dialect] ?? dialect;
}

/** Baselines first, then what changes them, then what is rebuilt on every deployment; by number inside each. */
function inOrder(a: FileFragment, b: FileFragment): number {
  return stage(a.path) - stage(b.path) || a.path.localeCompare(b.path, 'en', { numeric: true });
}

function stage(path: string): number {
  if (/(?:^|\/)(?:views?|functions|procedures|triggers)\//i.test(path) || /(?:^|\/)views?[\w-]*\.sql$/i.test(path))
    return 2;
  if (
    /(?:^|\/)(?:schemas?|baselines?|init|ddl|tables?)\/|(?:^|\/)(?:schema|structure|init|baseline|create|dump)[\w-]*\.sql$/i.test(
      path,
    )
  )
    return 0;
  return /(?:^|\/)(?:seeds?|data|dml|scripts|etl|analysis)\//i.test(path) ? 3 : 1;
}

function applyScripts(root: string, system: string, files: readonly FileFragment[], result: Contribution): void {
  const initial = DEFAULT_SCHEMAS[system] ?? '';
  const tables = new Map<string, Table>();
  const dropped = new Set<string>();
  const flows: Flow[] = [];

  for (const { path, scannedAt, fragment } of files) {
    let schema = initial;
    const keyOf = ({ parts }: TableName) => [parts.at(-2) ?? schema, parts.at(-1)!].join('.').toLowerCase();
    const place = (table: TableName): Table | Ref =>
      tables.get(keyOf(table)) ?? { kind: 'table', parts: qualify(table) };
    const qualify = ({ parts }: TableName) => (parts.length > 1 || schema === '' ? parts : [schema, ...parts]);
    const fill = (statement: SqlStatement, to: Table | Ref, basis: string) => {
      const draft = flowOf(statement, { kind: 'name', name: '' }, basis);
      const reads = statement.reads.map((table) => ({ from: place(table), basis }));
      flows.push({ to, reads, outputs: draft.outputs, file: path, line: statement.line });
    };

    for (const statement of fragment.script!.statements) {
      const { kind, target, text, line } = statement;
      if (kind === 'other') schema = schemaSetBy(text) ?? schema;
      if (!target) continue;
      const key = keyOf(target);
      const known = tables.get(key);
      if (kind === 'create_table' || kind === 'create_view') {
        if (known && !(known.view && kind === 'create_view')) {
          known.elsewhere.add(path);
          continue;
        }
        const table: Table = {
          parts: qualify(target),
          view: kind === 'create_view',
          columns: new Map(),
          file: path,
          line,
          scannedAt,
          definition: definitionOf(text),
          changes: [],
          elsewhere: new Set(),
          description: statement.comment,
          schema,
        };
        for (const column of statement.columns ?? []) put(table, column);
        copyLike(statement, table, (name) => tables.get(keyOf(name)));
        tables.set(key, table);
        dropped.delete(key);
        // A view that is made anew has the new query's sources only.
        if (known) remove(flows, known);
        if (statement.reads.length > 0 && (kind === 'create_view' || (statement.lineage?.length ?? 0) > 0)) {
          fill(statement, table, kind === 'create_view' ? 'view' : 'create_table_as');
        }
      } else if (kind === 'alter_table' && known) {
        alter(known, statement, flows);
        if (statement.renamedTo) {
          tables.delete(key);
          known.parts = [...known.parts.slice(0, -1), statement.renamedTo.parts.at(-1)!];
          tables.set(keyOf({ parts: known.parts }), known);
        }
      } else if (kind === 'comment' && known) comment(known, statement);
      else if (kind === 'drop' && known) {
        tables.delete(key);
        dropped.add(key);
        remove(flows, known);
      } else if (['insert', 'update', 'merge'].includes(kind) && statement.reads.length > 0) {
        fill(statement, place(target), kind === 'insert' ? 'insert_select' : kind);
      }
    }
  }

  for (const table of tables.values()) {
    const name = pathName(system, root, ...table.parts);
    result.assets.push({
      qualified_name: name,
      node_type: table.view ? 'view' : 'table',
      name: table.parts.at(-1)!,
      origin: 'scanned',
      last_scanned_at: table.scannedAt,
      place: { file: table.file, line: table.line },
      columns: [...table.columns.values()],
      definition: [table.definition, ...table.changes].join(';\n\n'),
      ...given('description', table.description),
      ...(table.elsewhere.size > 0 && { facts: { also_defined_in: [...table.elsewhere].slice(0, 5).join(', ') } }),
      freshness: { basis: 'not_measured' },
      relations: [{ table: table.parts.at(-1)!, schema: table.parts.at(-2) ?? '', database: root, rank: RANK.ddl }],
      schema: table.schema,
    });
  }
  const nameOf = (end: Table | Ref): Ref =>
    'kind' in end ? end : { kind: 'name', name: pathName(system, root, ...end.parts) };
  for (const { to, reads, outputs, file, line } of flows) {
    const flow: FlowDraft = {
      to: nameOf(to),
      line,
      outputs,
      reads: reads.map(({ from, basis }) => ({ ref: nameOf(from), basis, line })),
    };
    const ends = [flow.to, ...flow.reads.map(({ ref }) => ref)];
    if (!ends.some((ref) => ref.kind === 'table' && dropped.has(ref.parts.join('.').toLowerCase())))
      result.flows.push({ ...flow, file });
  }
}

function put(table: Table, { references, primaryKey, comment, ...column }: ColumnDefinition): void {
  const key = column.name.toLowerCase();
  const before = table.columns.get(key);
  table.columns.set(key, {
    ...before,
    ...column,
    ...(primaryKey && { primary_key: true, nullable: false }),
    ...given('description', comment),
    ...(references && { references: { table: references.table.parts, ...given('column', references.column) } }),
  });
}

function alter(table: Table, { columns = [], dropped = [], renamed = [], text }: SqlStatement, flows: Flow[]): void {
  for (const column of columns) put(table, column);
  for (const name of dropped) table.columns.delete(name.toLowerCase());
  for (const { from, to } of renamed) {
    const entries = [...table.columns].map(([key, column]) =>
      key === from.toLowerCase() ? ([to.toLowerCase(), { ...column, name: to }] as const) : ([key, column] as const),
    );
    table.columns.clear();
    for (const [key, column] of entries) table.columns.set(key, column);
    // A view keeps reading the column under its new name.
    for (const flow of flows) {
      const reads = new Set(flow.reads.flatMap((read, i) => (read.from === table ? [i] : [])));
      if (reads.size === 0) continue;
      flow.outputs = flow.outputs.map((output) => ({
        ...output,
        sources: output.sources.map((source) =>
          reads.has(source.read) && source.column.toLowerCase() === from.toLowerCase()
            ? { ...source, column: to }
            : source,
        ),
      }));
    }
  }
  if (table.changes.length < MOST_CHANGES) table.changes.push(text.slice(0, 2000));
}

function comment(table: Table, { columns = [], comment: text, text: written }: SqlStatement): void {
  if (columns.length === 0) table.description = text;
  for (const column of columns) {
    const before = table.columns.get(column.name.toLowerCase());
    if (before) put(table, { ...column, name: before.name, ...given('comment', column.comment ?? text) });
  }
  if (table.changes.length < MOST_CHANGES) table.changes.push(written.slice(0, 2000));
}

/** `CREATE TABLE x (LIKE y)` and `PARTITION OF y` have the columns of y. */
function copyLike({ text }: SqlStatement, table: Table, find: (name: TableName) => Table | undefined): void {
  const head = text.slice(0, 2000);
  const written = /\(\s*LIKE\s+([\w."`]+)|\bPARTITION\s+OF\s+([\w."`]+)|\bLIKE\s+([\w."`]+)\s*$/i.exec(head);
  const name = written?.[1] ?? written?.[2] ?? written?.[3];
  const model = name && find({ parts: name.split('.').map((part) => part.replace(/["`]/g, '')) });
  if (!model) return;
  const own = [...table.columns];
  table.columns.clear();
  for (const [key, column] of [...model.columns, ...own]) table.columns.set(key, column);
}

function remove(flows: Flow[], table: Table): void {
  for (let i = flows.length - 1; i >= 0; i--) {
    const { to, reads } = flows[i]!;
    if (to === table || reads.some(({ from }) => from === table)) flows.splice(i, 1);
  }
}

function schemaSetBy(text: string): string | undefined {
  const found =
    /^\s*use\s+(?:schema\s+|database\s+)?["`[]?([\w$-]+)/i.exec(text) ??
    /^\s*set\s+(?:session\s+|local\s+)?(?:search_path|schema)\s*(?:=|\bto\b)?\s*["'`]?([\w$]+)/i.exec(text);
  return found?.[1];
}
