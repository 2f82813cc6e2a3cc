import { basename } from 'node:path/posix';
import { UserError } from '../../errors.ts';
import { parseNotebook } from '../../search/formats/notebook-cells.ts';
import type { EdgeDraft, Fragment, FragmentProblem, Ref, Scanner } from '../fragment.ts';
import { pathName } from '../names.ts';
import { modified } from './csv.ts';
import { dataAccess } from './data-access.ts';
import { type PythonToken, tokenizePython } from './python.ts';
import { constantsIn } from './python-calls.ts';
import { sqlEdges } from './sql-edges.ts';
import { described, given } from './text.ts';

const CELL_MAGIC = /^%%(?:sql|bigquery|duckdb|spark\.sql)\b[^\n]*\n/;
const LINE_MAGIC = /^[ \t]*(?:\w+[ \t]*=[ \t]*)?%(?:sql|duckdb)[ \t]+(\S[^\n]*)/gm;
/** Lines that are no Python: magics and shell commands. */
const MAGIC = /^[ \t]*[%!].*$/gm;

/** Jupyter notebooks: what their code reads and writes, and what they say they are about. */
export const notebookScanner: Scanner = {
  name: 'notebook-1',
  claims: ({ path }) => /\.ipynb$/i.test(path),
  async scan(file, context) {
    const qualified = pathName('jupyter', file.path);
    const self: Ref = { kind: 'name', name: qualified };
    const text = await file.text();
    let notebook: ReturnType<typeof parseNotebook>;
    try {
      notebook = parseNotebook(text, file.path);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return { problems: [{ line: 1, message: error.message }] };
    }
    const edges: EdgeDraft[] = [];
    const problems: FragmentProblem[] = [];
    const prose: string[] = [];
    const tokens: PythonToken[] = [];
    const sqlLanguage = /sql/i.test(notebook.language);
    for (const [i, cell] of notebook.cells.entries()) {
      if (cell.kind !== 'code') {
        prose.push(cell.source);
        continue;
      }
      // A cell has no line of its own in the file; counted from 1, it is what the notebook shows.
      const line = i + 1;
      const magic = CELL_MAGIC.exec(cell.source);
      const scripts = magic
        ? [cell.source.slice(magic[0].length)]
        : sqlLanguage || /sql/i.test(cell.language)
          ? [cell.source]
          : [...cell.source.matchAll(LINE_MAGIC)].map(([, sql]) => sql!);
      for (const sql of scripts) {
        const found = await sqlEdges(sql, self, { ...context, line });
        edges.push(...found.edges.map((edge) => ({ ...edge, line })));
        problems.push(...found.problems);
      }
      if (!magic && !sqlLanguage) {
        tokens.push(...tokenizePython(cell.source.replace(MAGIC, '')).map((token) => ({ ...token, line })));
      }
    }
    const access = await dataAccess(tokens, file.path, self, context, constantsIn(tokens));
    const title = /^[ \t]*#[ \t]+(.+)$/m.exec(prose.join('\n'))?.[1]?.trim();
    const about = described(
      prose
        .join('\n\n')
        .replace(/^[ \t]*#[ \t]+.*$/m, '')
        .slice(0, 1500),
    );
    return {
      assets: [
        {
          qualified_name: qualified,
          node_type: 'notebook',
          name: basename(file.path),
          ...given('description', [title, about].filter(Boolean).join('. ')),
          facts: { cells: notebook.cells.length, ...(notebook.language && { language: notebook.language }) },
          freshness: modified(file),
          line: 1,
        },
      ],
      edges: [...edges, ...access.edges],
      ...given('problems', [...problems, ...access.problems]),
    } satisfies Fragment;
  },
};
