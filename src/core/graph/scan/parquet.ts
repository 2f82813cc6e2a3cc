import { basename } from 'node:path/posix';
import { openParquet, type ParquetFile } from '../../util/parquet.ts';
import type { Fragment, Scanner } from '../fragment.ts';
import { pathName } from '../names.ts';
import { modified } from './csv.ts';

type Field = ParquetFile['columns'][number];

/** Parquet files: columns and row count from the footer; no data page is read. */
export const parquetScanner: Scanner = {
  name: 'parquet-1',
  claims: ({ path }) => /\.(?:parquet|pq)$/i.test(path),
  async scan(file) {
    try {
      const { metadata, columns } = await openParquet(file.absolute);
      const writer = metadata.created_by;
      return {
        assets: [
          {
            qualified_name: pathName('file', file.path),
            node_type: 'file',
            name: basename(file.path),
            columns: columns.map((field) => ({
              name: field.element.name,
              type: typeOf(field),
              nullable: field.element.repetition_type !== 'REQUIRED',
            })),
            facts: {
              format: 'parquet',
              row_count: Number(metadata.num_rows),
              size_bytes: file.size,
              ...(writer && { written_by: writer.slice(0, 100) }),
            },
            freshness: modified(file),
          },
        ],
      } satisfies Fragment;
    } catch (error) {
      return { problems: [{ message: `Not a readable Parquet file: ${(error as Error).message.slice(0, 200)}` }] };
    }
  },
};

function typeOf({ element, children }: Field): string {
  if (element.repetition_type === 'REPEATED') return 'list';
  const { logical_type: logical, converted_type: converted } = element;
  if (converted === 'LIST' || converted === 'MAP') return converted.toLowerCase();
  if (children.length > 0) return 'struct';
  if (logical?.type === 'DECIMAL') return `decimal(${logical.precision}, ${logical.scale})`;
  if (logical?.type === 'STRING' || converted === 'UTF8') return 'text';
  return (logical?.type ?? converted ?? element.type ?? 'unknown').toLowerCase();
}
