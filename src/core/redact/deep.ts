import { isSecretField } from './assignments.ts';
import { redact } from './redact.ts';

/** Redacts every text inside a JSON value, also those whose field's name says that they are secret. */
export function redactDeep<T>(value: T): { value: T; count: number } {
  let count = 0;
  const clean = (inner: unknown, key: string): unknown => {
    if (typeof inner === 'string') {
      if (isSecretField(key, inner)) {
        count++;
        return '[redacted:secret]';
      }
      const { text, count: found } = redact(inner);
      count += found;
      return text;
    }
    if (Array.isArray(inner)) return inner.map((item) => clean(item, key));
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, item]) => [name, clean(item, name)]));
  };
  return { value: clean(value, '') as T, count };
}
