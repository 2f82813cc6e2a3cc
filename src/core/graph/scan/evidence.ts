import { basename } from 'node:path/posix';
import type { EdgeDraft, Fragment, FragmentProblem, Ref, Scanner } from '../fragment.ts';
import { pathName } from '../names.ts';
import { modified } from './csv.ts';
import { sqlEdges } from './sql-edges.ts';
import { definitionOf, described, given } from './text.ts';

const QUERY = /^```sql[ \t]+(\w+)[^\n]*\n([\s\S]*?)^```/gm;

/** Evidence pages: Markdown with named SQL queries, which may build on each other by `${name}`. */
export const evidenceScanner: Scanner = {
  name: 'evidence-1',
  claims: ({ path }) => /(?:^|\/)pages\/.*\.md$/i.test(path),
  async scan(file, context) {
    const text = await file.text();
    const queries = [...text.matchAll(QUERY)];
    if (queries.length === 0) return {};
    const names = new Set(queries.map(([, name]) => name!));
    const page = pathName('evidence', file.path);
    const self: Ref = { kind: 'name', name: page };
    const edges: EdgeDraft[] = [];
    const problems: FragmentProblem[] = [];
    let line = 1;
    let counted = 0;
    for (const query of queries) {
      for (
        let next = text.indexOf('\n', counted);
        next >= 0 && next < query.index;
        next = text.indexOf('\n', counted)
      ) {
        line++;
        counted = next + 1;
      }
      const sql = query[2]!.replace(/\$\{(\w+)\}/g, '$1').replace(/'?\$\{[^{}]*\}'?/g, "'x'");
      const found = await sqlEdges(sql, self, { ...context, line: line + 1, basis: 'page_sql' });
      const isQuery = ({ from }: EdgeDraft) =>
        from.kind === 'table' && from.parts.length === 1 && names.has(from.parts[0]!);
      edges.push(...found.edges.filter((edge) => !isQuery(edge)));
      problems.push(...found.problems);
    }
    const title = /^#\s+(.+)$/m.exec(text)?.[1] ?? /^title:\s*(.+)$/m.exec(text)?.[1];
    return {
      assets: [
        {
          qualified_name: page,
          node_type: 'dashboard',
          name: described(title) ?? basename(file.path, '.md'),
          line: 1,
          definition: definitionOf(queries.map(([, name, sql]) => `-- ${name}\n${sql!.trim()}`).join('\n\n')),
          facts: { queries: queries.length },
          freshness: modified(file),
        },
      ],
      edges,
      ...given('problems', problems),
    } satisfies Fragment;
  },
};
