import { breathe, throwIfAborted } from '../../util/abort.ts';
import { parseBatch } from './batch.ts';
import { dialectNamed, likelyDialects } from './dialect.ts';
import type { ColumnsOf } from './lineage.ts';
import { factsOf, type Meaning } from './meaning.ts';
import { loadPolyglot, polyglotMeaning } from './polyglot.ts';
import { parsePostgres, postgresMeaning } from './postgres.ts';
import { tableKey } from './query.ts';
import { withoutRows, withoutTableOptions } from './shorten.ts';
import { type StatementSpan, splitStatements } from './split.ts';
import type { Dialect, ParsedSql, SqlProblem, SqlStatement, StatementFacts } from './statement.ts';
import { SyntaxProblem } from './syntax-problem.ts';

export interface ParseOptions {
  /** Its name as dbt, drivers or people write it; found out from the text when left out or not known. */
  readonly dialect?: string | undefined;
  /** Columns of tables that the text does not create, for `*` and names without a qualifier. */
  readonly columnsOf?: ColumnsOf | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Statements deeper in parentheses would exhaust the parsers' stacks. */
const DEEPEST = 150;
/** Longest statement that is parsed, in UTF-16 units, once the rows of its VALUES are left out. */
const LONGEST = 1_000_000;
/** Statements that a dialect is judged by, and dialects that are tried. */
const SAMPLE = 60;
const TRIED = 7;
/** Time between pauses, in milliseconds, in which the worker can do other things. */
const SLICE = 30;

type ParseOne = (text: string) => Promise<Meaning[]>;

/**
 * Reads a SQL text statement by statement: what each does to which table, what it reads, and the lineage of its columns.
 * A statement that does not parse is a problem with its line; the rest is kept.
 */
export async function parseSql(source: string, options: ParseOptions = {}): Promise<ParsedSql> {
  const { signal } = options;
  const given = options.dialect === undefined ? undefined : dialectNamed(options.dialect);
  const { dialect, certain } = given ? { dialect: given, certain: true } : await detect(source, signal);
  const text = prepare(source, dialect);
  const parseOne = await parserOf(dialect);
  const statements: SqlStatement[] = [];
  const problems: SqlProblem[] = [];
  const created = new Map<string, readonly string[]>();
  const columnsOf: ColumnsOf = (table) => created.get(tableKey(table)) ?? options.columnsOf?.(table);
  let pause = performance.now() + SLICE;
  for (const span of splitStatements(text, dialect)) {
    if (performance.now() > pause) {
      await breathe();
      throwIfAborted(signal);
      pause = performance.now() + SLICE;
    }
    for (const parsed of await parseSpan(text, span, parseOne, dialect)) {
      if ('message' in parsed) {
        problems.push(parsed);
        continue;
      }
      const { start, end, line, meaning } = parsed;
      const facts = traced(meaning, dialect, columnsOf);
      if (facts instanceof SyntaxProblem) {
        problems.push({ line, message: facts.message });
        continue;
      }
      remember(facts, created);
      statements.push({ ...facts, start, end, line, text: source.slice(start, end) });
    }
  }
  return { dialect, certain, statements, problems };
}

function traced(meaning: Meaning, dialect: Dialect, columnsOf: ColumnsOf): StatementFacts | SyntaxProblem {
  try {
    return factsOf(meaning, dialect, columnsOf);
  } catch (error) {
    if (error instanceof SyntaxProblem) return error;
    throw error;
  }
}

type Parsed = { readonly meaning: Meaning; readonly start: number; readonly end: number; readonly line: number };

async function parseSpan(
  text: string,
  span: StatementSpan,
  parseOne: ParseOne,
  dialect: Dialect,
): Promise<(Parsed | SqlProblem)[]> {
  const { start, end, line, depth, unclosed } = span;
  if (unclosed)
    return [{ line, message: `A ${unclosed === 'name' ? 'quoted name' : unclosed} in this statement is not closed` }];
  if (depth > DEEPEST) return [{ line, message: `Parentheses nested ${depth} deep; at most ${DEEPEST} are read` }];
  const statement = withoutRows(text.slice(start, end));
  if (statement.length > LONGEST) {
    return [{ line, message: `The statement is longer than ${LONGEST.toLocaleString('en')} characters` }];
  }
  const whole = await attempt(statement, parseOne, dialect);
  const batch =
    whole instanceof Error && dialect === 'tsql'
      ? await parseBatch(statement, (piece) => attempt(piece, parseOne, dialect))
      : undefined;
  const pieces = batch ?? [{ start: 0, end: end - start, result: whole }];
  let at = line;
  let counted = 0;
  return pieces.flatMap((piece): (Parsed | SqlProblem)[] => {
    at += linesIn(statement.slice(counted, piece.start));
    counted = piece.start;
    if (piece.result instanceof Error) return [problemOf(piece.result, statement.slice(piece.start), at)];
    return piece.result.map((meaning) => ({ meaning, start: start + piece.start, end: start + piece.end, line: at }));
  });
}

async function attempt(statement: string, parseOne: ParseOne, dialect: Dialect): Promise<Meaning[] | Error> {
  try {
    return await parseOne(statement);
  } catch (error) {
    const columns = withoutTableOptions(statement, dialect);
    return columns ? await parseOne(columns).catch(() => error as Error) : (error as Error);
  }
}

function problemOf(error: Error, statement: string, line: number): SqlProblem {
  // A parser that fails otherwise (a trap of its code) has not understood the statement either.
  if (!(error instanceof SyntaxProblem)) return { line, message: 'The parser failed on this statement' };
  return { line: line + linesIn(statement.slice(0, error.offset ?? 0)), message: error.message };
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}

async function parserOf(dialect: Dialect): Promise<ParseOne> {
  if (dialect === 'postgres') {
    return async (text) => (await parsePostgres(text)).map((statement) => postgresMeaning(statement, text));
  }
  const { parse, write } = await loadPolyglot(dialect);
  return async (text) => parse(text).map((statement) => polyglotMeaning(statement, write));
}

/** The dialect among the likely ones in which most of the text's statements parse. */
async function detect(
  source: string,
  signal: AbortSignal | undefined,
): Promise<{ dialect: Dialect; certain: boolean }> {
  const { dialects, hinted } = likelyDialects(source);
  let best = { place: 0, failed: Number.POSITIVE_INFINITY };
  for (const [place, dialect] of dialects.slice(0, TRIED).entries()) {
    if (best.failed === 0) break;
    await breathe();
    throwIfAborted(signal);
    const failed = await failedShare(source, dialect);
    if (failed < best.failed) best = { place, failed };
  }
  return { dialect: dialects[best.place]!, certain: best.place < hinted };
}

/** The share of a sample of the text that does not parse, by length: dialects may not even agree on what one statement is. */
async function failedShare(source: string, dialect: Dialect): Promise<number> {
  const text = prepare(source, dialect);
  const spans = splitStatements(text, dialect);
  const step = Math.max(1, Math.floor(spans.length / SAMPLE));
  const parseOne = await parserOf(dialect);
  let failed = 0;
  let total = 0;
  for (let i = 0; i < spans.length; i += step) {
    const { start, end } = spans[i]!;
    const parsed = await parseSpan(text, spans[i]!, parseOne, dialect);
    const problems = parsed.filter((part) => 'message' in part).length;
    total += end - start;
    failed += ((end - start) * problems) / parsed.length;
  }
  return total === 0 ? 0 : failed / total;
}

/** MySQL runs what stands in comments of the form that its dumps wrap versions' features in. Offsets stay. */
function prepare(text: string, dialect: Dialect): string {
  if (dialect !== 'mysql') return text;
  let result = '';
  let done = 0;
  for (let open = text.indexOf('/*!'); open >= 0; open = text.indexOf('/*!', done)) {
    const close = text.indexOf('*/', open);
    if (close < 0) break;
    const code = text.slice(open, close).replace(/^\/\*!\d*/, (mark) => ' '.repeat(mark.length));
    result += `${text.slice(done, open)}${code}  `;
    done = close + 2;
  }
  return result + text.slice(done);
}

/** Columns of the tables and views that the text itself creates, as the statements after it see them. */
function remember(facts: StatementFacts, created: Map<string, readonly string[]>): void {
  const { kind, target, columns, lineage } = facts;
  if (!target) return;
  const key = tableKey(target);
  if (kind === 'create_table' || kind === 'create_view') {
    const names =
      columns && columns.length > 0 ? columns.map(({ name }) => name) : lineage?.map(({ column }) => column);
    if (names && names.length > 0 && !names.includes('*')) created.set(key, names);
    else created.delete(key);
  } else if (kind === 'drop') created.delete(key);
  else if (kind === 'alter_table' && created.has(key)) alter(facts, key, created);
}

function alter(facts: StatementFacts, key: string, created: Map<string, readonly string[]>): void {
  const dropped = new Set(facts.dropped?.map((name) => name.toLowerCase()));
  const known = new Set(created.get(key)!.map((name) => name.toLowerCase()));
  const added = facts.columns?.map(({ name }) => name).filter((name) => !known.has(name.toLowerCase())) ?? [];
  const names = [...created.get(key)!.filter((name) => !dropped.has(name.toLowerCase())), ...added].map(
    (name) => facts.renamed?.find(({ from }) => from.toLowerCase() === name.toLowerCase())?.to ?? name,
  );
  if (facts.renamedTo) created.delete(key);
  created.set(facts.renamedTo ? tableKey(facts.renamedTo) : key, names);
}
