import { basename } from 'node:path/posix';
import type { ColumnDraft, Fragment, ScannedFile, Scanner } from '../fragment.ts';
import { pathName } from '../names.ts';
import { readDelimited } from './delimited.ts';
import { countRecords, readHead } from './file-head.ts';
import { given } from './text.ts';
import { guessType } from './values.ts';

/** Rows that types are guessed from, and columns that are listed. */
const SAMPLED_ROWS = 1000;
const MOST_COLUMNS = 2000;

/** CSV and TSV files: columns, types guessed from the first rows, row count. Seeds of a dbt project too. */
export const csvScanner: Scanner = {
  name: 'csv-1',
  claims: ({ path }) => /\.(?:csv|tsv|tab)$/i.test(path),
  async scan(file, { signal }) {
    const { text, whole } = await readHead(file.absolute, file.path);
    const { delimiter, rows, unclosed } = readDelimited(text, { most: SAMPLED_ROWS + 1, ends: whole });
    const [header = [], ...data] = rows;
    const problems = [
      ...(unclosed ? [{ line: 1, message: 'A quoted field never ends; what follows it is not read.' }] : []),
      ...(header.length === 0
        ? [{ line: 1, message: 'The file is empty, or its first row is longer than what is read of it.' }]
        : []),
    ];
    const columns = columnsOf(header, data);
    const rowsInFile = unclosed ? undefined : await countRecords(file, { signal, delimiter });
    const name = basename(file.path);
    if (file.dbt?.role === 'seed') {
      const count = rowsInFile?.exact ? rowsInFile.count - 1 : undefined;
      const seed = { kind: 'seed' as const, name: name.replace(/\.csv$/i, ''), columns, ...given('rows', count) };
      return { dbt: [seed], ...given('problems', problems) } satisfies Fragment;
    }
    return {
      assets: [
        {
          qualified_name: pathName('file', file.path),
          node_type: 'file',
          name,
          columns,
          ...(header.length > MOST_COLUMNS && { column_count: header.length }),
          facts: { format: /\.csv$/i.test(name) ? 'csv' : 'tsv', ...rowFacts(rowsInFile, 1), size_bytes: file.size },
          freshness: modified(file),
          line: 1,
        },
      ],
      ...given('problems', problems),
    } satisfies Fragment;
  },
};

/** Row count as facts: exact, or estimated from the file's size; nothing when it could not be measured. */
export function rowFacts(rows: { count: number; exact: boolean } | undefined, headers: number) {
  if (!rows) return {};
  const count = Math.max(0, rows.count - headers);
  return rows.exact ? { row_count: count } : { row_count: count, row_count_basis: 'estimated_from_size' };
}

/** A data file is as fresh as its last change. */
export function modified(file: Pick<ScannedFile, 'mtimeMs'>) {
  return { changed_at: new Date(file.mtimeMs).toISOString(), basis: 'file_modified' as const };
}

function columnsOf(header: readonly string[], rows: readonly (readonly string[])[]): ColumnDraft[] {
  return header.slice(0, MOST_COLUMNS).map((title, i) => {
    const guess = guessType();
    for (const row of rows) guess.add(row[i]);
    const type = guess.type();
    return {
      name: title.trim() || `column_${i + 1}`,
      ...given('type', type),
      ...(rows.length > 0 && { nullable: guess.empty }),
    };
  });
}
