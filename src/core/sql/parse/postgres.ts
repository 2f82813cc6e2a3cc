import type { Meaning } from './meaning.ts';
import { ctesOf, expressionOf, fromOf, queryOf, selectOf, stringsOf, tableName } from './postgres-query.ts';
import { alterations, commentOf, type SourceText, sourceText, tableColumns } from './postgres-table.ts';
import type { Relation } from './query.ts';
import type { TableName } from './statement.ts';
import { SyntaxProblem } from './syntax-problem.ts';
import { type Node, nodeOf, nodesOf, tagged, taggedIn, textOf, together } from './tree.ts';

/** The statements of a text as PostgreSQL's parser gives them. */
export type PostgresTree = readonly { readonly kind: string; readonly data: Node }[];

/** Parses with PostgreSQL's own parser, loaded on first use. @throws SyntaxProblem */
export async function parsePostgres(text: string): Promise<PostgresTree> {
  const { parse, hasSqlDetails } = await import('libpg-query');
  try {
    const { stmts = [] } = (await parse(text)) as unknown as { stmts?: { stmt?: unknown }[] };
    return stmts.flatMap(({ stmt }) => tagged(stmt) ?? []);
  } catch (error) {
    const details = hasSqlDetails(error) ? error.sqlDetails : undefined;
    throw new SyntaxProblem((error as Error).message, details && Math.max(0, details.cursorPosition));
  }
}

/** What a statement of PostgreSQL means for tables and columns. `text` is the one that was parsed. */
export function postgresMeaning({ kind, data }: PostgresTree[number], text: string): Meaning {
  const source = sourceText(text);
  const relation = nodeOf(data.relation);
  const target = relation ? [tableName(relation)] : [];
  switch (kind) {
    case 'SelectStmt': {
      const into = nodeOf(nodeOf(data.intoClause)?.rel);
      return into
        ? { kind: 'create_table', targets: [tableName(into)], query: selectOf(data) }
        : { kind: 'select', query: selectOf(data) };
    }
    case 'InsertStmt':
      return insertOf(data, target);
    case 'UpdateStmt':
    case 'DeleteStmt':
    case 'MergeStmt':
      return changeOf(kind, data, target);
    case 'CreateStmt':
    case 'CreateForeignTableStmt':
      return createTable(nodeOf(data.base) ?? nodeOf(data.base_stmt) ?? data, source);
    case 'ViewStmt':
      return viewOf(data);
    case 'CreateTableAsStmt':
      return createTableAs(data);
    case 'AlterTableStmt':
      return { kind: 'alter_table', targets: target, ...alterations(data.cmds, source) };
    case 'RenameStmt':
      return renameOf(data, target);
    case 'CommentStmt':
      return commentOf(data);
    case 'DropStmt':
      return dropOf(data);
    case 'ExplainStmt':
    case 'DeclareCursorStmt': {
      const query = tagged(data.query);
      return { kind: 'other', conditions: query ? expressionOf({ [query.kind]: query.data }) : together() };
    }
    default:
      return { kind: 'other' };
  }
}

function insertOf(data: Node, targets: TableName[]): Meaning {
  const source = tagged(data.selectStmt);
  const names = taggedIn(data.cols, 'ResTarget').flatMap(({ name }) => textOf(name) ?? []);
  if (!source) return { kind: 'insert', targets };
  const query = queryOf(source);
  return { kind: 'insert', targets, query: { ...query, ctes: [...ctesOf(data), ...query.ctes] }, names };
}

/** UPDATE, DELETE and MERGE: the target is one of the relations their expressions see. */
function changeOf(kind: string, data: Node, targets: TableName[]): Meaning {
  const { from, conditions } = fromOf(data.fromClause ?? data.usingClause ?? [data.sourceRelation]);
  const own = fromOf([{ RangeVar: data.relation }]).from as Relation[];
  const clauses = taggedIn(data.mergeWhenClauses, 'MergeWhenClause');
  const sets = taggedIn(data.targetList, 'ResTarget').flatMap(assigned);
  const merged = clauses.flatMap((clause) => {
    const values = nodesOf(clause.values);
    return taggedIn(clause.targetList, 'ResTarget').flatMap((column, i) =>
      assigned(values[i] ? { ...column, val: values[i] } : column),
    );
  });
  return {
    kind: kind === 'UpdateStmt' ? 'update' : kind === 'DeleteStmt' ? 'delete' : 'merge',
    targets,
    assignments: {
      ctes: ctesOf(data),
      from: [...own, ...from],
      values: [...sets, ...merged],
      conditions: together(
        conditions,
        ...[data.whereClause, data.joinCondition, ...clauses.map(({ condition }) => condition)].map(expressionOf),
      ),
    },
  };
}

function assigned({ name, val }: Node) {
  return typeof name === 'string' ? [{ name, expression: expressionOf(val) }] : [];
}

function createTable(data: Node, source: SourceText): Meaning {
  return {
    kind: 'create_table',
    targets: [tableName(nodeOf(data.relation) ?? {})],
    columns: tableColumns(data.tableElts, source),
  };
}

function viewOf(data: Node): Meaning {
  const query = tagged(data.query);
  return {
    kind: 'create_view',
    targets: [tableName(nodeOf(data.view) ?? {})],
    ...(query && { query: queryOf(query) }),
    names: stringsOf(data.aliases),
  };
}

function createTableAs(data: Node): Meaning {
  const into = nodeOf(data.into) ?? {};
  const query = tagged(data.query);
  return {
    kind: data.objtype === 'OBJECT_MATVIEW' ? 'create_view' : 'create_table',
    targets: [tableName(nodeOf(into.rel) ?? {})],
    ...(query && query.kind !== 'ExecuteStmt' && { query: queryOf(query) }),
    names: stringsOf(into.colNames),
  };
}

function renameOf(data: Node, targets: TableName[]): Meaning {
  const to = textOf(data.newname) ?? '';
  if (data.renameType === 'OBJECT_COLUMN') {
    return { kind: 'alter_table', targets, renamed: [{ from: textOf(data.subname) ?? '', to }] };
  }
  const renames = /^OBJECT_(?:TABLE|VIEW|MATVIEW|FOREIGN_TABLE)$/.test(String(data.renameType));
  if (!renames || !targets[0]) return { kind: 'other' };
  return { kind: 'alter_table', targets, renamedTo: { parts: [...targets[0].parts.slice(0, -1), to] } };
}

function dropOf(data: Node): Meaning {
  if (!/^OBJECT_(?:TABLE|VIEW|MATVIEW|FOREIGN_TABLE)$/.test(String(data.removeType))) return { kind: 'other' };
  const targets = taggedIn(data.objects, 'List').map(({ items }) => ({ parts: stringsOf(items) }));
  return { kind: 'drop', targets };
}
