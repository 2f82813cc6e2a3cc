import { lexicalRules } from './lexical.ts';
import type { Meaning } from './meaning.ts';
import { stringsOf, tableName } from './postgres-query.ts';
import type { ColumnDefinition, TableName } from './statement.ts';
import { nextToken } from './tokens.ts';
import { type Node, nodeOf, taggedIn, textOf } from './tree.ts';

/** Reads a part of the statement's text from one of the parser's locations on. */
export interface SourceText {
  readonly text: string;
  /** UTF-16 offset of a location, which counts UTF-8 bytes. */
  offset(location: unknown): number | undefined;
}

export function sourceText(text: string): SourceText {
  const ascii = !/[^\x00-\x7f]/.test(text);
  return {
    text,
    offset(location) {
      if (location === undefined) return 0;
      if (typeof location !== 'number' || location < 0) return undefined;
      return ascii ? location : Buffer.from(text).subarray(0, location).toString().length;
    },
  };
}

/** Columns of CREATE TABLE, with what its table constraints say of them. */
export function tableColumns(elements: unknown, source: SourceText): ColumnDefinition[] {
  const constraints = taggedIn(elements, 'Constraint');
  const columns = taggedIn(elements, 'ColumnDef').map((definition) => columnOf(definition, source));
  return columns.map((column) => constraints.reduce((changed, constraint) => constrain(changed, constraint), column));
}

function constrain(column: ColumnDefinition, constraint: Node): ColumnDefinition {
  const { contype } = constraint;
  if (contype === 'CONSTR_PRIMARY' && stringsOf(constraint.keys).includes(column.name)) {
    return { ...column, primaryKey: true, nullable: false };
  }
  const position = contype === 'CONSTR_FOREIGN' ? stringsOf(constraint.fk_attrs).indexOf(column.name) : -1;
  return position < 0 ? column : { ...column, references: reference(constraint, position) };
}

function reference(constraint: Node, position: number): { table: TableName; column?: string } {
  const column = stringsOf(constraint.pk_attrs)[position];
  return { table: tableName(nodeOf(constraint.pktable) ?? {}), ...(column !== undefined && { column }) };
}

function columnOf(definition: Node, source: SourceText): ColumnDefinition {
  const constraints = taggedIn(definition.constraints, 'Constraint');
  const find = (type: string) => constraints.find(({ contype }) => contype === type);
  const primaryKey = find('CONSTR_PRIMARY') !== undefined;
  const foreign = find('CONSTR_FOREIGN');
  const value = find('CONSTR_DEFAULT');
  const type = clauseAt(nodeOf(definition.typeName)?.location, source);
  const nullable = !primaryKey && find('CONSTR_NOTNULL') === undefined && !find('CONSTR_IDENTITY');
  const written = value && clauseAt(value.location, source)?.replace(/^default\s+/i, '');
  return {
    name: textOf(definition.colname) ?? '',
    ...(type && { type }),
    nullable: nullable && !/^(?:small|big)?serial\d?$/i.test(type ?? ''),
    ...(primaryKey && { primaryKey }),
    ...(foreign && { references: reference(foreign, 0) }),
    ...(written && { default: written }),
  };
}

const CLAUSE_END =
  /^(?:NOT|NULL|DEFAULT|PRIMARY|UNIQUE|REFERENCES|CHECK|CONSTRAINT|COLLATE|GENERATED|STORAGE|COMPRESSION|DEFERRABLE|INITIALLY|OPTIONS|USING)$/i;

/** The text of a type or default as it is written: from its location to the next clause of the column. */
function clauseAt(location: unknown, source: SourceText): string | undefined {
  const start = source.offset(location);
  if (start === undefined) return undefined;
  const { text } = source;
  const rules = lexicalRules('postgres');
  let depth = 0;
  let end = start;
  for (let token = nextToken(text, start, rules); token; token = nextToken(text, token.end, rules)) {
    const piece = text.slice(token.start, token.end);
    if (
      depth === 0 &&
      token.start > start &&
      (/^[,);]$/.test(piece) ||
        (token.kind === 'word' && CLAUSE_END.test(piece) && !isSecond(text, start, token.start)))
    )
      break;
    if (piece === '(') depth++;
    else if (piece === ')') depth--;
    end = token.end;
  }
  return text.slice(start, end).replace(/\s+/g, ' ').trim() || undefined;
}

/** `DEFAULT NULL`: what follows the keyword is its value. */
function isSecond(text: string, start: number, at: number): boolean {
  return /^default\s*$/i.test(text.slice(start, at));
}

/** ALTER TABLE: columns added and dropped, and the keys that are added to columns. */
export function alterations(commands: unknown, source: SourceText): Pick<Meaning, 'columns' | 'dropped'> {
  const columns: ColumnDefinition[] = [];
  const dropped: string[] = [];
  for (const command of taggedIn(commands, 'AlterTableCmd')) {
    const definition = nodeOf(nodeOf(command.def)?.ColumnDef);
    const constraint = nodeOf(nodeOf(command.def)?.Constraint);
    if (command.subtype === 'AT_AddColumn' && definition) columns.push(columnOf(definition, source));
    else if (command.subtype === 'AT_DropColumn') dropped.push(textOf(command.name) ?? '');
    else if (command.subtype === 'AT_AddConstraint' && constraint) {
      const names = stringsOf(constraint.contype === 'CONSTR_FOREIGN' ? constraint.fk_attrs : constraint.keys);
      columns.push(
        ...names.map((name) => constrain({ name }, constraint)).filter((column) => Object.keys(column).length > 1),
      );
    } else if (command.subtype === 'AT_AlterColumnType' && definition) {
      const type = clauseAt(nodeOf(definition.typeName)?.location, source);
      columns.push({ name: textOf(command.name) ?? '', ...(type && { type }) });
    } else if (command.subtype === 'AT_SetNotNull' || command.subtype === 'AT_DropNotNull') {
      columns.push({ name: textOf(command.name) ?? '', nullable: command.subtype === 'AT_DropNotNull' });
    }
  }
  return { ...(columns.length > 0 && { columns }), ...(dropped.length > 0 && { dropped }) };
}

/** What a COMMENT ON says of a table, view or column. */
export function commentOf(statement: Node): Meaning {
  const names = stringsOf(nodeOf(nodeOf(statement.object)?.List)?.items);
  const text = textOf(statement.comment) ?? '';
  const table = /^OBJECT_(?:TABLE|VIEW|MATVIEW|FOREIGN_TABLE)$/.test(String(statement.objtype));
  if (table) return { kind: 'comment', targets: [{ parts: names }], comment: text };
  if (statement.objtype === 'OBJECT_COLUMN') {
    return {
      kind: 'comment',
      targets: [{ parts: names.slice(0, -1) }],
      columns: [{ name: names.at(-1)!, comment: text }],
    };
  }
  return { kind: 'comment' };
}
