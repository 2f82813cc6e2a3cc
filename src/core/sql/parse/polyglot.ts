import type { Meaning } from './meaning.ts';
import { ctesOf, expressionOf, joinsOf, nameOf, namesOf, queryOf, relationsOf, tableName } from './polyglot-query.ts';
import { alterTable, createTable, describe, type Writer } from './polyglot-table.ts';
import type { Expression, Relation } from './query.ts';
import type { Dialect } from './statement.ts';
import { SyntaxProblem } from './syntax-problem.ts';
import { type Node, nodeOf, nodesOf, tagged, textOf, together, walk } from './tree.ts';

export type PolyglotTree = readonly { readonly kind: string; readonly data: Node }[];

export interface Polyglot {
  /** @throws SyntaxProblem */
  parse(text: string): PolyglotTree;
  readonly write: Writer;
}

/** Nodes that are no statements: what the parser makes of text that only looks like an expression. */
const EXPRESSIONS = new Set([
  'alias',
  'column',
  'identifier',
  'literal',
  'paren',
  'function',
  'var',
  'raw',
  'parameter',
  'boolean',
  'null',
  'dot',
  'and',
  'or',
  'eq',
  'add',
  'sub',
  'mul',
  'div',
  'neg',
  'tuple',
  'array',
  'cast',
  'case',
  'star',
  'interval',
]);

const BARE_INSERT = /^\s*INSERT(?=\s+(?!INTO\b|OVERWRITE\b)[\w"[`])/i;

/** The same statement in words that the parser knows: INTO may be left out; how T-SQL stores a key changes no column. */
function reword(text: string, dialect: Dialect): string {
  const inserted = text.replace(BARE_INSERT, '$& INTO');
  return dialect === 'tsql' ? inserted.replace(/\b(?:NON)?CLUSTERED\b/gi, (word) => ' '.repeat(word.length)) : inserted;
}

/** The parser of all dialects, loaded on first use. */
export async function loadPolyglot(dialect: Dialect): Promise<Polyglot> {
  const { parse, generate, generateDataType } = await import('@polyglot-sql/sdk');
  const name = dialect as Parameters<typeof parse>[1];
  return {
    parse(text) {
      let result = parse(text, name);
      const reworded = result.success ? text : reword(text, dialect);
      if (reworded !== text) result = parse(reworded, name);
      if (!result.success) throw new SyntaxProblem(cleanMessage(result.error), result.errorStart ?? undefined);
      return nodesOf(result.ast).map((node) => {
        const statement = tagged(node);
        if (!statement || EXPRESSIONS.has(statement.kind)) throw new SyntaxProblem('This statement is not understood');
        NORMALIZED[dialect]?.(statement);
        return statement;
      });
    },
    write: {
      type: (type) => generateDataType(type as never, name).sql ?? undefined,
      expression: (expression) => generate([expression], name).sql?.[0],
    },
  };
}

/** T-SQL writes `SELECT total = a + b` for `SELECT a + b AS total`. */
function nameAssignedOutputs({ kind, data }: PolyglotTree[number]): void {
  walk({ [kind]: data }, (key, node) => {
    const outputs = key === 'select' && Array.isArray(node.expressions) ? (node.expressions as unknown[]) : [];
    outputs.forEach((output, i) => {
      const { left, right } = nodeOf(nodeOf(output)?.eq) ?? {};
      const name = nodeOf(nodeOf(left)?.column);
      if (name && !name.table) outputs[i] = { alias: { this: right, alias: name.name } };
    });
    return false;
  });
}

/** BigQuery writes a whole qualified name in one pair of backticks. */
function splitTableNames({ kind, data }: PolyglotTree[number]): void {
  walk({ [kind]: data }, (_, node) => {
    const whole = nodeOf(node.name);
    const isTable = whole && 'schema' in node && 'catalog' in node && !node.schema;
    const parts = isTable && typeof whole.name === 'string' ? whole.name.split('.') : [];
    if (parts.length > 1) {
      const [name, schema, ...catalog] = parts.reverse();
      // A project's name may hold dots: `example.com:project.dataset.table`.
      Object.assign(node, { name, schema, catalog: catalog.reverse().join('.') || null });
    }
    return false;
  });
}

/** What is written differently in a dialect and means the same, put into the common form. */
const NORMALIZED: Partial<Record<Dialect, (statement: PolyglotTree[number]) => void>> = {
  tsql: nameAssignedOutputs,
  bigquery: splitTableNames,
};

function cleanMessage(message: string | undefined): string {
  return (message ?? 'Syntax error').replace(/^Parse error at line \d+, column \d+: /, '');
}

/** What a statement means for tables and columns. */
export function polyglotMeaning({ kind, data }: PolyglotTree[number], write: Writer): Meaning {
  const query = queryOf({ [kind]: data });
  switch (kind) {
    case 'select':
    case 'union':
    case 'intersect':
    case 'except':
    case 'values':
    case 'subquery': {
      const into = nodeOf(nodeOf(data.into)?.this);
      if (!into) return { kind: 'select', ...(query && { query }) };
      return { kind: 'create_table', targets: [tableName(tagged(into)?.data ?? into)], ...(query && { query }) };
    }
    case 'insert':
      return insertOf(data);
    case 'update':
      return updateOf(data);
    case 'delete':
      return deleteOf(data);
    case 'merge':
      return mergeOf(data);
    case 'create_table':
      return createTableOf(data, write);
    case 'create_view':
      return viewOf(data);
    case 'alter_table':
      return alterTable(data, write);
    case 'comment':
      return describe(data);
    case 'drop_table':
      return { kind: 'drop', targets: nodesOf(data.names).map(tableName) };
    case 'drop_view':
      return { kind: 'drop', targets: [tableName(data.name)] };
    default:
      return { kind: 'other', conditions: expressionOf({ [kind]: data }) };
  }
}

function insertOf(data: Node): Meaning {
  const query = queryOf(data.query);
  const ctes = ctesOf(data.with);
  const rows = expressionOf(data.values);
  return {
    kind: 'insert',
    targets: [tableName(data.table)],
    ...(query && { query: { ...query, ctes: [...ctes, ...query.ctes] } }),
    names: namesOf(data.columns),
    conditions: rows,
  };
}

function updateOf(data: Node): Meaning {
  const conditions: Expression[] = [];
  const from: Relation[] = [
    ...relationsOf({ table: data.table }),
    ...nodesOf(data.extra_tables).flatMap((table) => relationsOf({ table })),
    ...joinsOf(data.table_joins, conditions),
    ...nodesOf(nodeOf(data.from_clause)?.expressions).flatMap(relationsOf),
    ...joinsOf(data.from_joins, conditions),
  ];
  const values = (Array.isArray(data.set) ? data.set : []).flatMap((pair: unknown) =>
    Array.isArray(pair) ? [{ name: nameOf(pair[0])?.split('.').at(-1) ?? '', expression: expressionOf(pair[1]) }] : [],
  );
  const named = tableName(data.table);
  // T-SQL's `UPDATE o SET … FROM orders o` names its target by an alias.
  const meant = from.slice(1).find(({ alias }) => named.parts.length === 1 && alias === named.parts[0]);
  const aliased = meant?.kind === 'table' ? meant.name : undefined;
  return {
    kind: 'update',
    targets: [aliased ?? named],
    assignments: {
      ctes: ctesOf(data.with),
      from: aliased ? from.slice(1) : from,
      values,
      conditions: together(...conditions, expressionOf(data.where_clause)),
    },
  };
}

function deleteOf(data: Node): Meaning {
  const conditions: Expression[] = [];
  const using = nodesOf(data.using).flatMap((table) => relationsOf({ table }));
  const from = [...relationsOf({ table: data.table }), ...using, ...joinsOf(data.joins, conditions)];
  return {
    kind: 'delete',
    targets: [tableName(data.table)],
    assignments: {
      ctes: ctesOf(data.with),
      from,
      values: [],
      conditions: together(...conditions, expressionOf(data.where_clause)),
    },
  };
}

function mergeOf(data: Node): Meaning {
  const target = relationsOf(data.this);
  const table = target.find((relation) => relation.kind === 'table');
  const values: { name: string; expression: Expression }[] = [];
  walk(data.whens, (kind, node) => {
    if (kind !== 'then') return false;
    const [verb, columns, inserted] = nodesOf(nodeOf(node.tuple)?.expressions);
    const list = nodesOf(nodeOf(columns?.tuple)?.expressions);
    const row = nodesOf(nodeOf(inserted?.tuple)?.expressions);
    if (textOf(nodeOf(verb?.var)?.this) === 'UPDATE') {
      for (const { eq } of list) {
        const pair = nodeOf(eq);
        values.push({ name: nameOf(pair?.left)?.split('.').at(-1) ?? '', expression: expressionOf(pair?.right) });
      }
    } else {
      values.push(...list.map((column, i) => ({ name: nameOf(column) ?? '', expression: expressionOf(row[i]) })));
    }
    return true;
  });
  return {
    kind: 'merge',
    targets: table?.kind === 'table' ? [table.name] : [],
    assignments: {
      ctes: ctesOf(nodeOf(data.with_)?.with ?? data.with_),
      from: [...target, ...relationsOf(data.using)],
      values,
      conditions: expressionOf(data.on),
    },
  };
}

function createTableOf(data: Node, write: Writer): Meaning {
  const table = createTable(data, write);
  const query = queryOf(data.as_select);
  if (!query) return table;
  const names = table.columns?.map(({ name }) => name) ?? [];
  const { columns, ...rest } = table;
  return {
    ...rest,
    ...(names.length > 0 && { columns: columns! }),
    names,
    query: { ...query, ctes: [...ctesOf(data.with_cte), ...query.ctes] },
  };
}

function viewOf(data: Node): Meaning {
  const query = queryOf(data.query);
  const comment = textOf(data.comment);
  const columns = nodesOf(data.columns);
  return {
    kind: 'create_view',
    targets: [tableName(data.name)],
    ...(query && { query }),
    names: columns.flatMap((column) => nameOf(column.name) ?? []),
    ...(comment !== undefined && { comment }),
  };
}
