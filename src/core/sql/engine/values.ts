import type { Value } from './protocol.ts';

/** Longest text of one value, in UTF-16 units; longer ones are cut and marked. */
const LONGEST = 2000;
const BYTES_SHOWN = 32;

/** A driver's value as JSON: big integers as numbers where they are exact, bytes as hex, times as ISO text. */
function jsonValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string')
    return value.length <= LONGEST ? value : `${value.slice(0, LONGEST)}… (${value.length} characters)`;
  if (value instanceof Uint8Array) return bytes(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' || part instanceof Uint8Array ? jsonValue(part) : part,
  );
  return text.length <= LONGEST
    ? (JSON.parse(text) as Value)
    : `${text.slice(0, LONGEST)}… (${text.length} characters of JSON)`;
}

function bytes(value: Uint8Array): string {
  const hex = Buffer.from(value.subarray(0, BYTES_SHOWN)).toString('hex');
  return value.length <= BYTES_SHOWN ? `\\x${hex}` : `\\x${hex}… (${value.length} bytes)`;
}

/** Collects rows up to a number of rows and bytes. */
export function collectRows(limit: number, maxBytes: number) {
  const rows: Value[][] = [];
  let bytesTaken = 0;
  return {
    rows,
    /** False when the row does not fit any more: there are further rows. */
    take(values: readonly unknown[]): boolean {
      if (rows.length >= limit) return false;
      const row = values.map(jsonValue);
      bytesTaken += JSON.stringify(row).length;
      if (rows.length > 0 && bytesTaken > maxBytes) return false;
      rows.push(row);
      return true;
    },
  };
}
