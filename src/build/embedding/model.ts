import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A trained table: `values` holds one row of `dimensions` floats a word, in the vocabulary's order, then a bucket. */
export interface TrainedTable {
  readonly name: string;
  readonly version: number;
  readonly dimensions: number;
  readonly vocabulary: readonly string[];
  readonly buckets: number;
  readonly values: Float32Array;
}

/** Writes a table as `model.json`, `rows.bin` (int8), `scales.bin` (float32, one a row) and `vocab.txt`. */
export function writeModel(
  folder: string,
  { name, version, dimensions, vocabulary, buckets, values }: TrainedTable,
): void {
  const { rows, scales } = quantise(values, dimensions);
  if (scales.length !== vocabulary.length + buckets) throw new Error(`The table has ${scales.length} rows`);
  const about = {
    name,
    version,
    dimensions,
    words: vocabulary.length,
    buckets,
    description: 'Static token embedding for developer documentation and source code.',
    licence: 'MIT; what it was trained on is listed in NOTICE.md.',
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.json'), `${JSON.stringify(about, null, 2)}\n`);
  writeFileSync(join(folder, 'rows.bin'), rows);
  writeFileSync(join(folder, 'scales.bin'), new Uint8Array(scales.buffer));
  writeFileSync(join(folder, 'vocab.txt'), vocabulary.map((word) => `${word}\n`).join(''));
}

/** Rows as signed bytes: value = byte * scale, the greatest of a row at 127. */
export function quantise(values: Float32Array, dimensions: number): { rows: Int8Array; scales: Float32Array } {
  const rows = new Int8Array(values.length);
  const scales = new Float32Array(values.length / dimensions);
  for (let row = 0; row < scales.length; row++) {
    const from = values.subarray(row * dimensions, (row + 1) * dimensions);
    scales[row] = from.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
    // The scale as stored, rounded to single precision, is what a reader multiplies by.
    const scale = scales[row]!;
    if (scale === 0) continue;
    for (let i = 0; i < dimensions; i++) {
      rows[row * dimensions + i] = Math.max(-127, Math.min(127, Math.round(from[i]! / scale)));
    }
  }
  return { rows, scales };
}
