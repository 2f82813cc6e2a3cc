import type { Scanner } from '../fragment.ts';

/** DuckDB files: known, but their format has no reader here. */
export const duckdbScanner: Scanner = {
  name: 'duckdb-1',
  claims: ({ path }) => /\.(?:duckdb|ddb)$/i.test(path),
  async scan() {
    const message =
      'DuckDB files cannot be read here. To have its tables listed, run EXPORT DATABASE in DuckDB and keep its schema.sql in the workspace.';
    return { problems: [{ message }] };
  },
};
