import { type ParseOptions, parseSql } from '../../../../src/core/sql/parse/parse-sql.ts';
import type { SqlStatement, TableName } from '../../../../src/core/sql/parse/statement.ts';

export const nameOf = ({ parts }: TableName): string => parts.join('.');

/** Lineage as `column: table.column, …`, `?` before what is unresolved. */
export function lineageOf(statement: SqlStatement | undefined): string[] {
  return (statement?.lineage ?? []).map(({ column, sources, unresolved = [] }) =>
    `${column}: ${[...sources.map((source) => `${nameOf(source.table)}.${source.column}`), ...unresolved.map((name) => `?${name}`)].join(', ')}`.trim(),
  );
}

/** The only statement of a text, which must parse. */
export async function statementOf(text: string, options: ParseOptions = {}): Promise<SqlStatement> {
  const { statements, problems } = await parseSql(text, options);
  if (problems.length > 0 || statements.length !== 1) throw new Error(JSON.stringify({ text, problems, statements }));
  return statements[0]!;
}

/** Columns of some tables, for `*` and names without a qualifier. */
export const tables = (columns: Record<string, readonly string[]>) => ({
  columnsOf: (table: TableName) => columns[nameOf(table).toLowerCase()],
});
