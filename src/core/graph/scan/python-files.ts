import { basename } from 'node:path/posix';
import type { Ref, Scanner } from '../fragment.ts';
import { pathName } from '../names.ts';
import { airflowFragment, isAirflow } from './airflow.ts';
import { dataAccess } from './data-access.ts';
import { tokenizePython } from './python.ts';
import { constantsIn } from './python-calls.ts';
import { described, given } from './text.ts';

/** Words without which a Python file neither reads nor writes data; most files are let go by them at once. */
const TELLING =
  /\b(?:pandas|polars|pyspark|spark|duckdb|sqlite3|sqlalchemy|psycopg|read_\w+|to_\w+|cursor|csv|airflow)\b/;

/** Python files: Airflow DAGs, and scripts that read or write data. */
export const pythonScanner: Scanner = {
  name: 'python-1',
  claims: ({ path }) => /\.py$/i.test(path),
  async scan(file, context) {
    const text = await file.text();
    if (!TELLING.test(text)) return {};
    const tokens = tokenizePython(text);
    if (isAirflow(text)) return airflowFragment(file, text, tokens, context);
    const qualified = pathName('file', file.path);
    const self: Ref = { kind: 'name', name: qualified };
    const { edges, problems } = await dataAccess(tokens, file.path, self, context, constantsIn(tokens));
    // SQL in a script that names nothing known is not worth an asset.
    if (edges.length === 0) return {};
    const first = tokens.find(({ type }) => type !== 'end');
    return {
      assets: [
        {
          qualified_name: qualified,
          node_type: 'script',
          name: basename(file.path),
          line: 1,
          ...given('description', first?.type === 'string' ? described(first.text) : undefined),
        },
      ],
      edges,
      ...given('problems', problems),
    };
  },
};
