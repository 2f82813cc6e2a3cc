import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';

/** A Parquet file on disk: what its footer says, and its rows. */
export interface ParquetFile {
  readonly metadata: FileMetaData;
  /** Its columns; those of structs and lists are below them. */
  readonly columns: ReturnType<typeof parquetSchema>['children'];
  /** Rows of one row group as objects by column name. */
  rows(group: number): Promise<Record<string, unknown>[]>;
}

/** Opens a Parquet file; only its footer is read until rows are asked for. Throws what the reader throws for a damaged file. */
export async function openParquet(path: string): Promise<ParquetFile> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const starts = [0];
  for (const group of metadata.row_groups) starts.push(starts.at(-1)! + Number(group.num_rows));
  return {
    metadata,
    columns: parquetSchema(metadata).children,
    async rows(group) {
      const { compressors } = await import('hyparquet-compressors');
      const [rowStart, rowEnd] = [starts[group]!, starts[group + 1]!];
      return parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd });
    },
  };
}
