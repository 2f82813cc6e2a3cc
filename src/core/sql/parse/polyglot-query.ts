import {
  type ColumnName,
  type CommonTable,
  type Expression,
  NOTHING,
  type Output,
  type Query,
  type Relation,
} from './query.ts';
import type { TableName } from './statement.ts';
import { type Node, nodeOf, nodesOf, tagged, textOf, together, walk } from './tree.ts';

const SET_OPERATIONS = new Set(['union', 'intersect', 'except']);
const QUERIES = new Set(['select', 'subquery', 'values', ...SET_OPERATIONS]);
/** Writing statements that some dialects allow inside a query. */
const WRITES = new Set(['insert', 'update', 'delete', 'merge']);

/** The query that a node of polyglot's tree is, if it is one. */
export function queryOf(node: unknown): Query | undefined {
  const { kind, data } = tagged(node) ?? { kind: '', data: {} };
  if (kind === 'select') return withDisplaced(selectOf(data), data);
  if (kind === 'subquery' || kind === 'paren') return queryOf(data.this);
  if (kind === 'values') return { ctes: [], body: { kind: 'rows', rows: rowsOf(data.expressions) } };
  if (SET_OPERATIONS.has(kind)) {
    const [left, right] = [queryOf(data.left), queryOf(data.right)];
    if (!left || !right) return undefined;
    const body = { kind: 'set' as const, left, right, leftOnly: kind !== 'union', byName: data.by_name === true };
    return { ctes: ctesOf(data.with), body };
  }
  if (WRITES.has(kind)) return writeOf(data);
  return undefined;
}

/** Nodes that hold a query in parentheses of their own: a set operation inside is theirs. */
const ENCLOSING = new Set([...QUERIES, 'in', 'exists', 'any', 'all', 'array', 'paren', 'lateral']);

/**
 * The parser takes `WHERE a > (SELECT …) UNION SELECT …` for a comparison with the union, since its right side starts with
 * a query. What follows such an operand belongs to the whole select.
 */
function withDisplaced(select: Query, data: Node): Query {
  const operations: { kind: string; data: Node }[] = [];
  const clauses = [
    data.expressions,
    data.where_clause,
    data.having,
    data.qualify,
    nodesOf(data.joins).map(({ on }) => on),
  ];
  walk(clauses, (key, node) => {
    if (!SET_OPERATIONS.has(key)) return ENCLOSING.has(key);
    for (let at = { kind: key, data: node }; SET_OPERATIONS.has(at.kind); ) {
      operations.unshift(at);
      at = tagged(at.data.left) ?? { kind: '', data: {} };
    }
    return true;
  });
  return operations.reduce((left, { kind, data: operation }): Query => {
    const right = queryOf(operation.right);
    if (!right) return left;
    const inner = { ctes: [], body: left.body };
    return { ctes: left.ctes, body: { kind: 'set', left: inner, right, leftOnly: kind !== 'union', byName: false } };
  }, select);
}

function selectOf(data: Node): Query {
  const from: Relation[] = [];
  const conditions: Expression[] = [];
  for (const item of nodesOf(nodeOf(data.from)?.expressions)) from.push(...relationsOf(item));
  from.push(...joinsOf(data.joins, conditions));
  for (const view of nodesOf(data.lateral_views)) {
    from.push({
      kind: 'derived',
      from: [],
      expression: expressionOf(view.this),
      alias: nameOf(view.table_alias),
      columns: namesOf(view.column_aliases),
    });
  }
  const others = [
    data.prewhere,
    data.where_clause,
    data.group_by,
    data.having,
    data.qualify,
    data.order_by,
    data.limit,
    data.offset,
    data.distinct_on,
    data.top,
    data.windows,
    data.connect,
  ];
  return {
    ctes: ctesOf(data.with),
    body: {
      kind: 'select',
      from,
      outputs: outputsOf(data.expressions),
      conditions: together(...conditions, ...others.map(expressionOf)),
    },
  };
}

/** A writing statement in a WITH clause: it gives the columns of its target that RETURNING names. */
function writeOf(data: Node): Query {
  const query = queryOf(data.query);
  const from: Relation[] = [...relationsOf({ table: data.table })];
  if (query) from.push({ kind: 'query', query, alias: ' ' });
  return {
    ctes: ctesOf(data.with),
    body: { kind: 'select', from, outputs: outputsOf(data.returning), conditions: expressionOf(data.where_clause) },
  };
}

export function ctesOf(clause: unknown): CommonTable[] {
  return nodesOf(nodeOf(clause)?.ctes).flatMap((cte) => {
    const query = queryOf(cte.this);
    const name = nameOf(cte.alias);
    return query && name ? [{ name, columns: namesOf(cte.columns), query }] : [];
  });
}

/** The relations of JOIN clauses; their ON goes to `conditions`. */
export function joinsOf(joins: unknown, conditions: Expression[]): Relation[] {
  return nodesOf(joins).flatMap((join) => {
    conditions.push(expressionOf(join.on), expressionOf(join.match_condition));
    const using = /Natural/.test(String(join.kind)) ? ['*'] : namesOf(join.using);
    const relations = relationsOf(join.this);
    const pivots = nodesOf(join.pivots);
    if (pivots.length > 0) return [{ kind: 'derived', from: relations, expression: expressionOf(pivots) }];
    return relations.map((relation) => (using.length > 0 ? { ...relation, using } : relation));
  });
}

export function relationsOf(item: unknown): Relation[] {
  const { kind, data } = tagged(item) ?? { kind: '', data: {} };
  const alias = nameOf(data.alias);
  const columns = namesOf(data.column_aliases);
  if (kind === 'table') {
    const name = tableName(data);
    return name.parts.length > 0 ? [{ kind: 'table', name, alias, columns }] : [];
  }
  if (kind === 'alias') {
    return relationsOf(data.this).map((relation) => ({
      ...relation,
      alias,
      columns: unnested(data.this, columns, alias),
    }));
  }
  if (kind === 'paren') return relationsOf(data.this);
  if (kind === 'subquery') {
    const query = queryOf(data.this);
    // `(a JOIN b) AS x` is a subquery to the parser, and no query.
    return query
      ? [{ kind: 'query', query, alias, columns }]
      : relationsOf(data.this).map((inner) => ({ ...inner, ...(alias && { alias }) }));
  }
  if (kind === 'values') return [{ kind: 'query', query: queryOf({ values: data })!, alias, columns }];
  if (kind === 'joined_table') {
    const conditions: Expression[] = [];
    return withConditions([...relationsOf(data.left), ...joinsOf(data.joins, conditions)], conditions);
  }
  if (kind === 'pivot' || kind === 'unpivot') {
    return [
      {
        kind: 'derived',
        from: relationsOf(data.this),
        expression: expressionOf({ ...data, this: null }),
        alias,
        columns,
      },
    ];
  }
  if (kind === '') return [];
  return [
    { kind: 'derived', from: [], expression: expressionOf(item), alias, columns: unnested(item, columns, alias) },
  ];
}

/** `UNNEST(…) AS x` has the one column `x`. */
function unnested(item: unknown, columns: readonly string[], alias: string | undefined): readonly string[] {
  return columns.length === 0 && alias && tagged(item)?.kind === 'unnest' ? [alias] : columns;
}

/** Keeps the queries in the conditions of nested joins: their tables are read. */
function withConditions(relations: Relation[], conditions: readonly Expression[]): Relation[] {
  const queries = conditions.flatMap((condition) => condition.queries);
  const hidden = queries.map((query): Relation => ({ kind: 'query', query, alias: ' ' }));
  return [...relations, ...hidden];
}

export function tableName(table: unknown): TableName {
  const data = nodeOf(table) ?? {};
  return { parts: [data.catalog, data.schema, data.name].flatMap((part) => nameOf(part) ?? []) };
}

function outputsOf(list: unknown): Output[] {
  return nodesOf(list).map((item, i): Output => {
    const { kind, data } = tagged(item) ?? { kind: '', data: {} };
    if (kind === 'star') return starOf(data);
    const name = kind === 'alias' ? nameOf(data.alias) : implicitName(item);
    return { kind: 'column', name: name ?? `_col_${i}`, expression: expressionOf(kind === 'alias' ? data.this : item) };
  });
}

function starOf(data: Node): Output {
  return {
    kind: 'star',
    qualifier: nameOf(data.table)?.split('.') ?? [],
    except: namesOf(data.except),
    replace: nodesOf(data.replace).map((item) => ({
      name: nameOf(item.alias) ?? '',
      expression: expressionOf(item.this),
    })),
    rename: (Array.isArray(data.rename) ? data.rename : []).flatMap((pair: unknown) =>
      Array.isArray(pair) ? [{ from: nameOf(pair[0]) ?? '', to: nameOf(pair[1]) ?? '' }] : [],
    ),
  };
}

/** The name of an output without an alias, where dialects agree on one. */
function implicitName(item: unknown): string | undefined {
  const { kind, data } = tagged(item) ?? { kind: '', data: {} };
  if (kind === 'column') return nameOf(data.name);
  if (kind === 'dot') return nameOf(data.field);
  return kind === 'paren' ? implicitName(data.this) : undefined;
}

/** Column names and queries anywhere in a part of the tree. */
export function expressionOf(value: unknown): Expression {
  const columns: ColumnName[] = [];
  const queries: Query[] = [];
  walk(value, (kind, node) => {
    if (kind === 'column') {
      const name = nameOf(node.name);
      if (name !== undefined) columns.push([...(nameOf(node.table)?.split('.') ?? []), name]);
      return name !== undefined;
    }
    if (kind === 'lambda') {
      const { columns: inner, queries: nested } = withoutParameters(node);
      columns.push(...inner);
      queries.push(...nested);
      return true;
    }
    if (kind === 'dot') {
      const name = dottedName(node);
      if (name) columns.push(name);
      return name !== undefined;
    }
    const query = QUERIES.has(kind) || WRITES.has(kind) ? queryOf({ [kind]: node }) : undefined;
    if (query) queries.push(query);
    return query !== undefined;
  });
  return columns.length + queries.length > 0 ? { columns, queries } : NOTHING;
}

/** What the body of `x -> x + a` names besides its own parameters. */
function withoutParameters(lambda: Node): Expression {
  const own = new Set(namesOf(lambda.parameters).map((name) => name.toLowerCase()));
  const { columns, queries } = expressionOf(lambda.body);
  return { columns: columns.filter(([first]) => !own.has(first!.toLowerCase())), queries };
}

/** `a.b.c` of nested dots over a column; undefined when something else is dotted. */
function dottedName(node: Node): string[] | undefined {
  const { kind, data } = tagged(node.this) ?? { kind: '', data: {} };
  const field = nameOf(node.field);
  if (field === undefined) return undefined;
  if (kind === 'column') return [...(nameOf(data.table)?.split('.') ?? []), nameOf(data.name) ?? '', field];
  const inner = kind === 'dot' ? dottedName(data) : undefined;
  return inner && [...inner, field];
}

function rowsOf(list: unknown): Expression[][] {
  return nodesOf(list).map((row) =>
    Array.isArray(row.expressions) ? row.expressions.map(expressionOf) : [expressionOf(row)],
  );
}

/** The text of an identifier, in any of the forms the tree has for it. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const node = nodeOf(value);
  return (
    textOf(node?.name) ??
    (node?.identifier
      ? nameOf(node.identifier)
      : node?.column
        ? nameOf(node.column)
        : node?.name
          ? nameOf(node.name)
          : undefined)
  );
}

export function namesOf(list: unknown): string[] {
  return Array.isArray(list) ? list.flatMap((item) => nameOf(item) ?? []) : [];
}
