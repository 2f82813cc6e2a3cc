/** Reading JSON of unknown shape: a value of another type counts as absent. */
export type Json = Readonly<Record<string, unknown>>;

const NOTHING: Json = Object.freeze({});
const LONGEST_LABEL = 300;

export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : NOTHING;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A string with something in it. */
export function name(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A name or id that is shown: cut where somebody made it far too long. */
export function label(value: unknown): string | undefined {
  return name(value)?.slice(0, LONGEST_LABEL);
}

/** A finite number of zero or more. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Milliseconds since 1970, from a number or an ISO date. */
export function time(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : value;
  return typeof ms === 'number' && Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? ms : undefined;
}

/** A field of a map whose keys come from outside: never one inherited from `Object.prototype`. */
export function field(map: Json, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The object without its undefined fields, so that an absent value is absent. */
export function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** The JSON text of a value; empty when it nests too deep to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
