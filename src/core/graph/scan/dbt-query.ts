import { basename } from 'node:path/posix';
import type { DbtPart, DbtQuery, FlowRead, Fragment, FragmentProblem, ScanContext, Scanner } from '../fragment.ts';
import { REFERENCE, renderTemplate, UNKNOWN } from './dbt-template.ts';
import { type JinjaNode, parseTemplate } from './jinja.ts';
import { definitionOf, given, leadingComment } from './text.ts';

type QueryKind = Extract<DbtPart, { query: DbtQuery }>['kind'];

/** Models, snapshots, analyses and singular tests of a dbt project, from their templates. */
export const dbtQueryScanner: Scanner = {
  name: 'dbt-query-1',
  claims: ({ path, dbt }) =>
    path.endsWith('.sql') && dbt !== undefined && ['model', 'snapshot', 'analysis', 'test'].includes(dbt.role),
  async scan(file, context) {
    const text = await file.text();
    const template = parseTemplate(text);
    const name = basename(file.path, '.sql');
    const parts: DbtPart[] = [];
    const problems: FragmentProblem[] = [...template.problems];
    // A snapshot file may hold several snapshots; a generic test, none of our business, stands in a block of its own.
    const snapshots = template.nodes.filter((node) => node.kind === 'block' && node.tag === 'snapshot');
    const units =
      snapshots.length > 0
        ? (snapshots as Extract<JinjaNode, { kind: 'block' }>[]).map((node) => ({ ...node, kind: 'snapshot' as const }))
        : [{ kind: file.dbt!.role as QueryKind, name, body: template.nodes, line: 1 }];
    for (const { kind, name, body, line } of units) {
      if (body.every((node) => node.kind === 'block' || (node.kind === 'text' && node.text.trim() === ''))) continue;
      const read = await readQuery(body, context);
      problems.push(...read.problems);
      const description = leadingComment(text, '--');
      parts.push({
        kind,
        name,
        line,
        definition: definitionOf(text),
        query: read.query,
        ...given('description', description?.includes('{{') ? undefined : description),
      });
    }
    return { dbt: parts, ...given('problems', problems) } satisfies Fragment;
  },
};

async function readQuery(
  nodes: readonly JinjaNode[],
  { parseSql, signal }: ScanContext,
): Promise<{ query: DbtQuery; problems: FragmentProblem[] }> {
  const { sql, lines, refs, config, problems } = renderTemplate(nodes);
  const { statements, problems: unread } = await parseSql(sql, { signal });
  const select = statements.findLast(({ kind }) => kind === 'select');
  const reads: FlowRead[] = refs.map(({ ref, line }) => ({
    ref,
    line,
    basis: ref.kind === 'dbt' ? 'dbt_ref' : 'dbt_source',
  }));
  for (const { parts } of statements.flatMap((statement) => statement.reads)) {
    if (!isPlaceholder(parts.at(-1)!)) reads.push({ ref: { kind: 'table', parts }, basis: 'sql' });
  }
  const readOf = (parts: readonly string[]): number => {
    const place = REFERENCE.exec(parts.at(-1)!.toLowerCase())?.[1];
    if (place !== undefined) return Number(place);
    return reads.findIndex(({ ref }) => ref.kind === 'table' && ref.parts.join('\0') === parts.join('\0'));
  };
  const outputs = (select?.lineage ?? [])
    .filter(({ column }) => !column.includes(UNKNOWN))
    .map(({ column, sources, unresolved = [] }) => ({
      name: column,
      sources: sources
        .map((source) => ({ read: readOf(source.table.parts), column: source.column }))
        .filter((source) => source.read >= 0 && source.column !== UNKNOWN),
      ...given(
        'unresolved',
        unresolved.filter((name) => name !== UNKNOWN),
      ),
    }));
  return {
    query: { config, reads, outputs },
    problems: [
      ...problems,
      ...unread.map(({ line, message }) => ({ line: lines[line - 1] ?? 1, message: `Not read as SQL: ${message}` })),
    ],
  };
}

function isPlaceholder(name: string): boolean {
  return REFERENCE.test(name.toLowerCase()) || name === UNKNOWN || name === 'loci_this';
}
