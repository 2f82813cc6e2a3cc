import type { Meaning } from './meaning.ts';
import { nameOf, namesOf, tableName } from './polyglot-query.ts';
import type { ColumnDefinition, TableName } from './statement.ts';
import { type Node, nodeOf, nodesOf, tagged, textOf } from './tree.ts';

/** Writes parts of the tree as SQL again. */
export interface Writer {
  type(type: unknown): string | undefined;
  expression(expression: unknown): string | undefined;
}

export function createTable(data: Node, write: Writer): Meaning {
  const constraints = nodesOf(data.constraints);
  const columns = nodesOf(data.columns).map((column) => columnOf(column, write));
  const comment = commentOf(data);
  return {
    kind: 'create_table',
    targets: [tableName(data.name)],
    columns: columns.map((column) =>
      constraints.reduce((changed, constraint) => constrain(changed, constraint), column),
    ),
    ...(comment !== undefined && { comment }),
  };
}

function commentOf(data: Node): string | undefined {
  const options = Array.isArray(data.mysql_table_options) ? data.mysql_table_options : [];
  const option = [...options, ...(Array.isArray(data.with_properties) ? data.with_properties : [])].find(
    (pair: unknown) => Array.isArray(pair) && /^comment$/i.test(String(pair[0])),
  ) as [string, string] | undefined;
  if (option) return unquoted(option[1]);
  const property = [...nodesOf(data.properties), ...nodesOf(data.post_table_properties)].find(
    (item) => item.schema_comment_property,
  );
  return literalText(nodeOf(property?.schema_comment_property)?.this);
}

function constrain(column: ColumnDefinition, constraint: Node): ColumnDefinition {
  const { kind, data } = tagged(constraint) ?? { kind: '', data: {} };
  const position = namesOf(data.columns).findIndex((name) => name.toLowerCase() === column.name.toLowerCase());
  if (position < 0) return column;
  if (kind === 'PrimaryKey') return { ...column, primaryKey: true, nullable: false };
  return kind === 'ForeignKey' ? { ...column, ...references(data.references, position) } : column;
}

function references(value: unknown, position: number): { references?: { table: TableName; column?: string } } {
  const data = nodeOf(value);
  if (!data) return {};
  const column = namesOf(data.columns)[position];
  return { references: { table: tableName(data.table), ...(column !== undefined && { column }) } };
}

function columnOf(data: Node, write: Writer): ColumnDefinition {
  const constraints = nodesOf(data.constraints);
  const reference = constraints.find((item) => item.References);
  const said = constraints.map((item) => item.Comment).find((text) => text !== undefined);
  const comment = textOf(data.comment) ?? textOf(said) ?? literalText(said);
  const type = data.no_type === true ? undefined : write.type(data.data_type);
  const value = data.default === null || data.default === undefined ? undefined : write.expression(data.default);
  const primaryKey = data.primary_key === true;
  return {
    name: nameOf(data.name) ?? '',
    ...(type && { type: data.unsigned === true ? `${type} UNSIGNED` : type }),
    nullable: !primaryKey && data.nullable !== false,
    ...(primaryKey && { primaryKey }),
    ...(reference && references(reference.References, 0)),
    ...(value && { default: value }),
    ...(comment !== undefined && { comment }),
  };
}

/** ALTER TABLE: columns added, dropped and renamed, and the keys that are added to columns. */
export function alterTable(data: Node, write: Writer): Meaning {
  const target = tableName(data.name);
  const columns: ColumnDefinition[] = [];
  const dropped: string[] = [];
  const renamed: { from: string; to: string }[] = [];
  let renamedTo: TableName | undefined;
  for (const action of nodesOf(data.actions)) {
    const { kind, data: details } = tagged(action) ?? { kind: '', data: {} };
    const name = nameOf(details.name);
    if (kind === 'AddColumn') columns.push(columnOf(nodeOf(details.column) ?? {}, write));
    else if (kind === 'DropColumn' && name) dropped.push(name);
    else if (kind === 'RenameColumn')
      renamed.push({ from: nameOf(details.old_name) ?? '', to: nameOf(details.new_name) ?? '' });
    else if (kind === 'RenameTable') renamedTo = tableName(details);
    else if (kind === 'AddConstraint') {
      const names = namesOf(tagged(details)?.data.columns);
      columns.push(
        ...names
          .map((column) => constrain({ name: column }, details))
          .filter((column) => Object.keys(column).length > 1),
      );
    }
  }
  return {
    kind: 'alter_table',
    targets: [target],
    ...(columns.length > 0 && { columns }),
    ...(dropped.length > 0 && { dropped }),
    ...(renamed.length > 0 && { renamed }),
    ...(renamedTo && { renamedTo }),
  };
}

/** What a COMMENT ON says of a table, view or column. */
export function describe(data: Node): Meaning {
  const text = literalText(data.expression) ?? '';
  const kind = String(data.kind).toUpperCase();
  const parts = partsOf(data.this);
  if (kind === 'COLUMN') {
    return {
      kind: 'comment',
      targets: [{ parts: parts.slice(0, -1) }],
      columns: [{ name: parts.at(-1) ?? '', comment: text }],
    };
  }
  return /TABLE|VIEW/.test(kind) ? { kind: 'comment', targets: [{ parts }], comment: text } : { kind: 'comment' };
}

function partsOf(value: unknown): string[] {
  const { kind, data } = tagged(value) ?? { kind: '', data: {} };
  if (kind === 'table') return [...tableName(data).parts];
  if (kind === 'dot') return [...partsOf(data.this), nameOf(data.field) ?? ''];
  if (kind === 'column') return [...(nameOf(data.table)?.split('.') ?? []), nameOf(data.name) ?? ''];
  return nameOf(value)?.split('.') ?? [];
}

function literalText(value: unknown): string | undefined {
  return textOf(nodeOf(nodeOf(value)?.literal)?.value);
}

function unquoted(text: string): string {
  return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
}
