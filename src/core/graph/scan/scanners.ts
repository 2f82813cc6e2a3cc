import type { Scanner } from '../fragment.ts';
import { csvScanner } from './csv.ts';
import { dbtDocsScanner, dbtPropertiesScanner } from './dbt-properties.ts';
import { dbtQueryScanner } from './dbt-query.ts';
import { duckdbScanner } from './duckdb.ts';
import { evidenceScanner } from './evidence.ts';
import { graphqlScanner } from './graphql.ts';
import { notebookScanner } from './notebook.ts';
import { parquetScanner } from './parquet.ts';
import { prismaScanner } from './prisma.ts';
import { pythonScanner } from './python-files.ts';
import { jsonLinesScanner } from './records.ts';
import { sqlScanner } from './sql-files.ts';
import { sqliteScanner } from './sqlite.ts';
import { jsonScanner, yamlScanner } from './structured.ts';

/** Every scanner; a file belongs to the first that claims it. */
export const scanners: readonly Scanner[] = [
  dbtQueryScanner,
  dbtPropertiesScanner,
  dbtDocsScanner,
  sqlScanner,
  csvScanner,
  jsonLinesScanner,
  parquetScanner,
  sqliteScanner,
  duckdbScanner,
  notebookScanner,
  pythonScanner,
  prismaScanner,
  graphqlScanner,
  evidenceScanner,
  jsonScanner,
  yamlScanner,
];

/** Files that only part of is read, or none of their text: their size says nothing about the work. */
export function readsInPart(scanner: Scanner): boolean {
  return [csvScanner, jsonLinesScanner, parquetScanner, sqliteScanner, duckdbScanner].includes(scanner);
}
