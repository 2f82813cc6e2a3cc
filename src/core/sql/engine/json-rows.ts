import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { UserError } from '../../errors.ts';
import { decodeText } from '../../search/formats/decode.ts';
import type { Row } from './table-loader.ts';

/** Rows of a JSON file: its array of objects, or the only array of objects that its object holds. */
export async function* jsonRows(path: string): AsyncIterable<Row> {
  const { text } = decodeText(await readFile(path), path);
  const value = JSON.parse(text) as unknown;
  for (const item of listIn(value)) yield rowOf(item);
}

function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [value];
  const lists = Object.values(value).filter(
    (part) => Array.isArray(part) && part.some((item) => typeof item === 'object'),
  );
  return lists.length === 1 ? (lists[0] as unknown[]) : [value];
}

/** Rows of a file with one JSON value a line. @throws UserError with the line that is none */
export async function* jsonLines(path: string): AsyncIterable<Row> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number++;
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new UserError('unreadable', `${path} line ${number} is not JSON.`, 'Fix the line, or query another file.');
    }
    yield rowOf(value);
  }
}

function rowOf(value: unknown): Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [['value', value]];
}
