import { type Json, list } from './values.ts';

/**
 * VS Code appends a chat to its file as changes of one JSON state: 0 sets the whole, 1 sets the value at a path, 2 cuts a
 * list to a length and appends to it, 3 deletes the value at a path.
 */
export interface OpLog {
  readonly state: unknown;
  /** Changes that did not fit the state and were left out. */
  readonly rejected: number;
  apply(entry: Json): void;
}

/** A log as VS Code replays it; what VS Code would fail on, or what would reach outside the state, is left out. */
export function createOpLog(): OpLog {
  let state: unknown;
  let rejected = 0;
  return {
    get state() {
      return state;
    },
    get rejected() {
      return rejected;
    },
    apply(entry) {
      if (entry.kind === 0) state = entry.v;
      else if (!applyAt(state, entry)) rejected++;
    },
  };
}

function applyAt(state: unknown, { kind, k: path, v, i }: Json): boolean {
  if (!Array.isArray(path) || path.length === 0) return false;
  let holder = state;
  for (const step of path.slice(0, -1)) holder = read(holder, step);
  const last: unknown = path.at(-1);
  if (kind === 1) return write(holder, last, v);
  if (kind === 3) return write(holder, last, undefined);
  return kind === 2 && push(holder, last, list(v), i);
}

function read(holder: unknown, step: unknown): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  if (typeof step !== 'string' && typeof step !== 'number') return undefined;
  return Object.hasOwn(holder, step) ? (holder as Record<string | number, unknown>)[step] : undefined;
}

/** A list takes an index up to its length: a far one would make a list of holes that takes forever to walk. */
function write(holder: unknown, step: unknown, value: unknown): boolean {
  if (Array.isArray(holder)) {
    if (!Number.isInteger(step) || (step as number) < 0 || (step as number) > holder.length) return false;
    holder[step as number] = value;
    return true;
  }
  if (typeof holder !== 'object' || holder === null) return false;
  if (typeof step !== 'string' && typeof step !== 'number') return false;
  // Not by assignment: that would make `__proto__` the prototype.
  Object.defineProperty(holder, step, { value, writable: true, enumerable: true, configurable: true });
  return true;
}

function push(holder: unknown, step: unknown, values: readonly unknown[], length: unknown): boolean {
  const found = read(holder, step);
  if (found !== undefined && found !== null && !Array.isArray(found)) return false;
  const target: unknown[] = found ?? [];
  if (length !== undefined && length !== null) {
    if (!Number.isInteger(length) || (length as number) < 0 || (length as number) > target.length) return false;
    target.length = length as number;
  }
  for (const value of values) target.push(value);
  return found === target || write(holder, step, target);
}
