/** What a column's values have in common, gathered value by value. */
export interface TypeGuess {
  add(value: unknown): void;
  /** `integer`, `number`, `boolean`, `date`, `timestamp`, `json` or `text`; undefined when no value was seen. */
  type(): string | undefined;
  readonly empty: boolean;
}

const PATTERNS: readonly (readonly [string, RegExp])[] = [
  // A leading zero is part of a code, not of a number.
  ['integer', /^[-+]?(?:0|[1-9]\d{0,17})$/],
  ['number', /^[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i],
  ['boolean', /^(?:true|false)$/i],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['timestamp', /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[-+]\d{2}:?(?:\d{2})?))?$/],
];
/** Longest text that can be anything but text. */
const LONGEST = 40;

export function guessType(): TypeGuess {
  const seen = new Set<string>();
  let empty = false;
  return {
    add(value) {
      if (value === null || value === undefined || value === '') empty = true;
      else seen.add(typeOf(value));
    },
    type() {
      if (seen.size <= 1) return [...seen][0];
      const all = (...types: string[]) => [...seen].every((type) => types.includes(type));
      if (all('integer', 'number')) return 'number';
      if (all('date', 'timestamp')) return 'timestamp';
      return 'text';
    },
    get empty() {
      return empty;
    },
  };
}

function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'string') return 'json';
  if (value.length > LONGEST) return 'text';
  return PATTERNS.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text';
}
