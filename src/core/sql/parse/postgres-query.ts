import type { ColumnName, CommonTable, Expression, Output, Query, Relation } from './query.ts';
import type { TableName } from './statement.ts';
import { type Node, nodeOf, nodesOf, tagged, taggedIn, textOf, together, walk } from './tree.ts';

/** Statements of which one may stand in a WITH clause. */
const WRITES = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** A query of PostgreSQL's own parse tree. */
export function queryOf(statement: { readonly kind: string; readonly data: Node }): Query {
  const { kind, data } = statement;
  return kind === 'SelectStmt' ? selectOf(data) : { ctes: ctesOf(data), body: returningOf(data) };
}

export function selectOf(select: Node): Query {
  const ctes = ctesOf(select);
  const operation = textOf(select.op);
  if (operation && operation !== 'SETOP_NONE') {
    return {
      ctes,
      body: {
        kind: 'set',
        left: selectOf(nodeOf(select.larg) ?? {}),
        right: selectOf(nodeOf(select.rarg) ?? {}),
        leftOnly: operation !== 'SETOP_UNION',
        byName: false,
      },
    };
  }
  if (Array.isArray(select.valuesLists)) {
    const rows = taggedIn(select.valuesLists, 'List').map(({ items }) => nodesOf(items).map(expressionOf));
    return { ctes, body: { kind: 'rows', rows } };
  }
  const { from, conditions } = fromOf(select.fromClause);
  const others = [select.whereClause, select.groupClause, select.havingClause, select.windowClause, select.sortClause];
  const limits = [select.limitCount, select.limitOffset, select.distinctClause];
  return {
    ctes,
    body: {
      kind: 'select',
      from,
      outputs: outputsOf(select.targetList),
      conditions: together(conditions, ...[...others, ...limits].map(expressionOf)),
    },
  };
}

/** What a writing statement in a WITH clause gives to the query around it. */
function returningOf(data: Node): Query['body'] {
  const target = relationOf({ RangeVar: data.relation });
  const { from, conditions } = fromOf(data.fromClause ?? data.usingClause);
  const source = tagged(data.selectStmt);
  const read: Relation[] = source ? [{ kind: 'query', query: queryOf(source), alias: ' ' }] : [];
  return {
    kind: 'select',
    from: [...target, ...from, ...read],
    outputs: outputsOf(nodeOf(data.returningClause)?.exprs ?? data.returningList),
    conditions: together(conditions, expressionOf(data.targetList), expressionOf(data.whereClause)),
  };
}

export function ctesOf(statement: Node): CommonTable[] {
  return taggedIn(nodeOf(statement.withClause)?.ctes, 'CommonTableExpr').flatMap((cte) => {
    const query = tagged(cte.ctequery);
    if (!query) return [];
    return [{ name: textOf(cte.ctename) ?? '', columns: stringsOf(cte.aliascolnames), query: queryOf(query) }];
  });
}

/** The relations of a FROM list, joins taken apart, and the conditions of the joins. */
export function fromOf(list: unknown): { from: Relation[]; conditions: Expression } {
  const conditions: Expression[] = [];
  const visit = (item: Node, using: readonly string[]): Relation[] => {
    const join = nodeOf(item.JoinExpr);
    if (!join) return relationOf(item).map((relation) => ({ ...relation, ...(using.length > 0 && { using }) }));
    conditions.push(expressionOf(join.quals));
    const shared = join.isNatural ? ['*'] : stringsOf(join.usingClause);
    const parts = [...visit(nodeOf(join.larg) ?? {}, using), ...visit(nodeOf(join.rarg) ?? {}, shared)];
    const alias = aliasOf(join);
    if (!alias.alias) return parts;
    const star: Output = { kind: 'star', qualifier: [], except: [], replace: [], rename: [] };
    const body = { kind: 'select' as const, from: parts, outputs: [star], conditions: together() };
    return [{ kind: 'query', query: { ctes: [], body }, ...alias }];
  };
  const from = nodesOf(list).flatMap((item) => visit(item, []));
  return { from, conditions: together(...conditions) };
}

function relationOf(item: Node): Relation[] {
  const { kind, data } = tagged(item) ?? { kind: '', data: {} };
  if (kind === 'RangeVar') return [{ kind: 'table', name: tableName(data), ...aliasOf(data) }];
  if (kind === 'RangeSubselect') {
    const query = tagged(data.subquery);
    return query ? [{ kind: 'query', query: queryOf(query), ...aliasOf(data) }] : [];
  }
  if (kind === 'RangeTableSample') return relationOf(nodeOf(data.relation) ?? {});
  if (kind === '') return [];
  const { alias, columns = [] } = aliasOf(data);
  // A function that gives single values has one column, called as its alias.
  const scalar = alias && columns.length === 0 && /^(?:unnest|generate_series)$/.test(functionIn(data) ?? '');
  return [{ kind: 'derived', from: [], expression: expressionOf(item), alias, columns: scalar ? [alias] : columns }];
}

/** Name of the only function of a FROM item. */
function functionIn(range: Node): string | undefined {
  const [first, ...others] = taggedIn(range.functions, 'List');
  const call = others.length === 0 ? nodeOf(nodesOf(first?.items)[0]?.FuncCall) : undefined;
  return stringsOf(call?.funcname).at(-1);
}

export function tableName(range: Node): TableName {
  return { parts: [range.catalogname, range.schemaname, range.relname].flatMap((part) => textOf(part) ?? []) };
}

function aliasOf(data: Node): { alias?: string; columns?: string[] } {
  const alias = nodeOf(data.alias);
  const name = textOf(alias?.aliasname);
  if (!name) return {};
  return { alias: name, columns: alias?.colnames ? stringsOf(alias.colnames) : stringsOfDefinitions(data.coldeflist) };
}

function stringsOfDefinitions(list: unknown): string[] {
  return taggedIn(list, 'ColumnDef').flatMap(({ colname }) => textOf(colname) ?? []);
}

function outputsOf(list: unknown): Output[] {
  return taggedIn(list, 'ResTarget').map(({ name, val }): Output => {
    const column = columnName(val);
    if (column?.at(-1) === '*') {
      return { kind: 'star', qualifier: column.slice(0, -1), except: [], replace: [], rename: [] };
    }
    return { kind: 'column', name: textOf(name) ?? implicitName(val), expression: expressionOf(val) };
  });
}

/** The name that PostgreSQL gives to an output without one. */
function implicitName(value: unknown): string {
  const { kind, data } = tagged(value) ?? { kind: '', data: {} };
  if (kind === 'ColumnRef') return columnName(value)!.at(-1)!;
  if (kind === 'FuncCall') return stringsOf(data.funcname).at(-1) ?? '?column?';
  if (kind === 'A_Indirection') return stringsOf(data.indirection).at(-1) ?? implicitName(data.arg);
  if (kind === 'CollateClause') return implicitName(data.arg);
  if (kind === 'TypeCast') {
    const inner = implicitName(data.arg);
    return inner === '?column?' ? (stringsOf(nodeOf(data.typeName)?.names).at(-1) ?? inner) : inner;
  }
  if (kind === 'SubLink') {
    const select = nodeOf(nodeOf(data.subselect)?.SelectStmt);
    const first = nodeOf(nodesOf(select?.targetList)[0]?.ResTarget);
    if (data.subLinkType === 'EXPR_SUBLINK' && first) return textOf(first.name) ?? implicitName(first.val);
    return data.subLinkType === 'EXISTS_SUBLINK'
      ? 'exists'
      : data.subLinkType === 'ARRAY_SUBLINK'
        ? 'array'
        : '?column?';
  }
  return IMPLICIT[kind] ?? '?column?';
}

const IMPLICIT: Readonly<Record<string, string>> = {
  CaseExpr: 'case',
  CoalesceExpr: 'coalesce',
  A_ArrayExpr: 'array',
  RowExpr: 'row',
  GroupingFunc: 'grouping',
};

/** Column names and queries anywhere in a part of the tree. */
export function expressionOf(value: unknown): Expression {
  const columns: ColumnName[] = [];
  const queries: Query[] = [];
  walk(value, (kind, node) => {
    if (kind === 'ColumnRef') {
      const name = columnName({ ColumnRef: node });
      if (name && name.at(-1) !== '*') columns.push(name);
      return true;
    }
    if (kind === 'A_Indirection') {
      // `(t).a` of a row: the name of a column in other words.
      const [table, ...others] = columnName(node.arg) ?? [];
      const fields = stringsOf(node.indirection);
      if (table === undefined || others.length > 0 || fields.length === 0) return false;
      columns.push([table, ...fields]);
      return true;
    }
    if (kind !== 'SelectStmt' && !WRITES.has(kind)) return false;
    queries.push(queryOf({ kind, data: node }));
    return true;
  });
  return columns.length + queries.length > 0 ? { columns, queries } : together();
}

function columnName(value: unknown): string[] | undefined {
  const fields = nodeOf(nodeOf(value)?.ColumnRef)?.fields;
  if (!fields) return undefined;
  return nodesOf(fields).map((field) => (field.A_Star ? '*' : (textOf(nodeOf(field.String)?.sval) ?? '')));
}

export function stringsOf(list: unknown): string[] {
  return taggedIn(list, 'String').flatMap(({ sval }) => textOf(sval) ?? []);
}
