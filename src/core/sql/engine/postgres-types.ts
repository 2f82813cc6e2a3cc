/** Types of PostgreSQL by the numbers that its protocol gives them; those of extensions have none that is fixed. */
const NAMES: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'bytea',
  18: 'char',
  19: 'name',
  20: 'bigint',
  21: 'smallint',
  23: 'integer',
  25: 'text',
  26: 'oid',
  114: 'json',
  142: 'xml',
  600: 'point',
  650: 'cidr',
  700: 'real',
  701: 'double precision',
  790: 'money',
  829: 'macaddr',
  869: 'inet',
  1000: 'boolean[]',
  1005: 'smallint[]',
  1007: 'integer[]',
  1009: 'text[]',
  1015: 'character varying[]',
  1016: 'bigint[]',
  1042: 'character',
  1043: 'character varying',
  1082: 'date',
  1083: 'time',
  1114: 'timestamp',
  1184: 'timestamp with time zone',
  1186: 'interval',
  1231: 'numeric[]',
  1266: 'time with time zone',
  1700: 'numeric',
  2205: 'regclass',
  2249: 'record',
  2950: 'uuid',
  3220: 'pg_lsn',
  3802: 'jsonb',
  3904: 'int4range',
  3926: 'int8range',
};

const INTEGERS = new Set([20, 21, 23, 26]);
const FLOATS = new Set([700, 701]);
const JSON_TYPES = new Set([114, 3802]);

export function typeName(oid: number): string {
  return NAMES[oid] ?? `type ${oid}`;
}

/** A value as the server writes it, as JSON has it. Exact decimals, dates and all else stay text. */
export function jsonParsed(text: string, oid: number): unknown {
  if (INTEGERS.has(oid)) return BigInt(text);
  if (FLOATS.has(oid)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (oid === 16) return text === 't';
  if (!JSON_TYPES.has(oid)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
