import { parsePostgres } from '../parse/postgres.ts';
import { stringsOf } from '../parse/postgres-query.ts';
import { type Node, nodeOf, nodesOf, tagged, walk } from '../parse/tree.ts';
import { type Judgement, read, unclear, write } from './judgement.ts';
import { postgresReads } from './postgres-functions.ts';

/**
 * Nodes of the parse tree that a statement which only reads is made of. What is not listed is refused, whatever later
 * versions of the grammar bring.
 */
const READING = new Set(
  `SelectStmt ResTarget ColumnRef A_Star A_Const A_Expr BoolExpr BooleanTest NullTest FuncCall NamedArgExpr WindowDef SortBy
  SubLink CaseExpr CaseWhen CoalesceExpr MinMaxExpr NullIfExpr A_ArrayExpr A_Indices A_Indirection RowExpr TypeCast TypeName
  CollateClause ParamRef SQLValueFunction GroupingFunc GroupingSet RangeVar RangeSubselect RangeFunction RangeTableSample
  RangeTableFunc RangeTableFuncCol JoinExpr Alias List String Integer Float Boolean BitString WithClause CommonTableExpr
  CTESearchClause CTECycleClause ColumnDef SetToDefault XmlExpr XmlSerialize
  JsonTable JsonTableColumn JsonTablePathSpec JsonFuncExpr JsonArgument JsonValueExpr JsonFormat JsonOutput JsonReturning
  JsonBehavior JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonKeyValue JsonObjectAgg JsonArrayAgg
  JsonAggConstructor JsonIsPredicate JsonParseExpr JsonScalarExpr JsonSerializeExpr`.split(/\s+/),
);

/** Judges one statement by PostgreSQL's own parse tree. */
export async function judgePostgres(text: string): Promise<Judgement> {
  let statements: Awaited<ReturnType<typeof parsePostgres>>;
  try {
    statements = await parsePostgres(text);
  } catch (error) {
    return unclear(`PostgreSQL's parser does not accept it: ${(error as Error).message}`);
  }
  const [statement, ...others] = statements;
  if (!statement) return unclear('it holds no statement');
  if (others.length > 0) return write('it holds several statements');
  const { kind, data } = statement;
  if (kind === 'SelectStmt') return judgeQuery(data);
  if (kind === 'VariableShowStmt') return read([], true);
  const query = kind === 'ExplainStmt' ? tagged(data.query) : undefined;
  // EXPLAIN ANALYZE runs what it explains.
  if (query) return query.kind === 'SelectStmt' ? judgeQuery(query.data) : write(`it explains ${named(query.kind)}`);
  return write(`it is ${named(kind)}`);
}

function judgeQuery(select: Node): Judgement {
  const functions: string[][] = [];
  let reason: string | undefined;
  walk({ SelectStmt: select }, (key, node) => {
    reason ??= refusal(key, node);
    if (key === 'FuncCall') functions.push(stringsOf(node.funcname));
    // A sampling method is a function too.
    if (key === 'RangeTableSample') functions.push(stringsOf(node.method));
    return reason !== undefined;
  });
  const refused = functions.find((name) => postgresReads(name) === false);
  reason ??= refused && `it calls ${refused.join('.')}`;
  return reason === undefined ? read(functions, Array.isArray(select.sortClause)) : write(reason);
}

/** Why a node may not be part of a read. Keys in lower case are fields of a node, those in upper case kinds of nodes. */
function refusal(key: string, node: Node): string | undefined {
  if (key === 'intoClause') return 'it creates a table (SELECT INTO)';
  if (Array.isArray(node.lockingClause)) return 'it locks rows (FOR UPDATE or FOR SHARE)';
  if (/^[A-Z]/.test(key) && !READING.has(key)) return `it contains ${named(key)}`;
  if (nodesOf(node.ctes).some((item) => tagged(nodeOf(item.CommonTableExpr)?.ctequery)?.kind !== 'SelectStmt')) {
    return 'a WITH clause of it writes';
  }
  return undefined;
}

/** `InsertStmt` as "an INSERT". */
function named(kind: string): string {
  const words = kind
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
  return `${/^[AEIO]/.test(words) ? 'an' : 'a'} ${words}`;
}
