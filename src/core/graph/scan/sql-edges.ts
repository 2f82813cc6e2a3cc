import type { EdgeDraft, FragmentProblem, Ref, ScanContext } from '../fragment.ts';
import type { SqlStatement } from '../sql.ts';
import { UNKNOWN } from './dbt-template.ts';

const MOST_PROBLEMS = 3;

/**
 * The flows of SQL that stands in another file: what it reads flows into `self`, what it writes flows out of it.
 */
export async function sqlEdges(
  sql: string,
  self: Ref,
  {
    parseSql,
    signal,
    line,
    database,
    basis = 'sql',
  }: ScanContext & { line: number; database?: { database: string; or?: string } | undefined; basis?: string },
): Promise<{ edges: EdgeDraft[]; problems: FragmentProblem[]; statements: readonly SqlStatement[] }> {
  const { statements, problems } = await parseSql(sql, { signal });
  const edges: EdgeDraft[] = [];
  const table = (parts: readonly string[]): Ref => ({
    kind: 'table',
    parts,
    ...database,
  });
  for (const { kind, reads, target, line: at } of statements) {
    const place = line + at - 1;
    for (const { parts } of reads)
      if (!isUnknown(parts)) edges.push({ from: table(parts), to: self, basis, line: place });
    const writes = ['insert', 'update', 'merge', 'create_table', 'create_view'].includes(kind);
    if (target && writes && !isUnknown(target.parts))
      edges.push({ from: self, to: table(target.parts), basis, line: place });
  }
  const unread = problems.slice(0, MOST_PROBLEMS).map((problem) => ({
    line: line + problem.line - 1,
    message: `SQL not read: ${problem.message}`,
  }));
  return { edges, problems: unread, statements };
}

function isUnknown(parts: readonly string[]): boolean {
  return parts.some((part) => part.includes(UNKNOWN));
}
