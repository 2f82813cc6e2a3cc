import { basename } from 'node:path/posix';
import type { ColumnDraft, Fragment, FragmentProblem, ScannedFile, Scanner } from '../fragment.ts';
import { pathName } from '../names.ts';
import { modified, rowFacts } from './csv.ts';
import { countRecords, readHead } from './file-head.ts';
import { fieldsOf, given, listOf } from './text.ts';
import { guessType, type TypeGuess } from './values.ts';

const SAMPLED_RECORDS = 1000;
const MOST_COLUMNS = 2000;
const MOST_PROBLEMS = 5;

/** JSON Lines files: the fields of their first records, and how many records there are. */
export const jsonLinesScanner: Scanner = {
  name: 'json-lines-1',
  claims: ({ path }) => /\.(?:jsonl|ndjson|jsonlines)$/i.test(path),
  async scan(file, { signal }) {
    const { text, whole } = await readHead(file.absolute, file.path);
    const lines = text.split('\n');
    if (!whole) lines.pop();
    const records: unknown[] = [];
    const problems: FragmentProblem[] = [];
    for (const [i, line] of lines.entries()) {
      if (records.length === SAMPLED_RECORDS || problems.length === MOST_PROBLEMS) break;
      if (line.trim() === '') continue;
      try {
        records.push(JSON.parse(line));
      } catch (error) {
        problems.push({ line: i + 1, message: `Not JSON: ${(error as Error).message.slice(0, 150)}` });
      }
    }
    const rows = await countRecords(file, { signal });
    return { ...dataFile(file, 'jsonl', records, rowFacts(rows, 0)), ...given('problems', problems) };
  },
};

/** A JSON file that holds a list of objects, or GeoJSON features; undefined for any other JSON. */
export function recordsFragment(file: ScannedFile, value: unknown): Fragment | undefined {
  const features = fieldsOf(value).type === 'FeatureCollection' ? listOf(fieldsOf(value).features) : undefined;
  const records = features?.map((feature) => fieldsOf(feature).properties) ?? value;
  if (!Array.isArray(records) || records.length === 0) return undefined;
  const objects = records.slice(0, SAMPLED_RECORDS).filter((record) => Object.keys(fieldsOf(record)).length > 0);
  if (objects.length === 0) return undefined;
  return dataFile(file, features ? 'geojson' : 'json', objects, { row_count: records.length });
}

function dataFile(
  file: ScannedFile,
  format: string,
  records: readonly unknown[],
  rows: Record<string, string | number>,
): Fragment {
  const columns = columnsOf(records);
  return {
    assets: [
      {
        qualified_name: pathName('file', file.path),
        node_type: 'file',
        name: basename(file.path),
        columns: columns.slice(0, MOST_COLUMNS),
        ...(columns.length > MOST_COLUMNS && { column_count: columns.length }),
        facts: { format, ...rows, size_bytes: file.size },
        freshness: modified(file),
        line: 1,
      },
    ],
  };
}

function columnsOf(records: readonly unknown[]): ColumnDraft[] {
  const guesses = new Map<string, { guess: TypeGuess; count: number }>();
  for (const record of records) {
    for (const [name, value] of Object.entries(fieldsOf(record))) {
      const seen = guesses.get(name) ?? { guess: guessType(), count: 0 };
      seen.guess.add(value);
      seen.count++;
      guesses.set(name, seen);
    }
  }
  return [...guesses].map(([name, { guess, count }]) => ({
    name,
    ...given('type', guess.type()),
    nullable: guess.empty || count < records.length,
  }));
}
