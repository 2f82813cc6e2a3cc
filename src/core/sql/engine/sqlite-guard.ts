import { constants, type DatabaseSync } from 'node:sqlite';
import { SQLITE_FUNCTIONS } from '../gate/sqlite-functions.ts';

/** Longest text or blob that a query may make, in bytes. */
const LONGEST_VALUE = 64 * 1024 * 1024;

/** What newer versions of Node offer; older ones go without. */
type Guarded = Omit<DatabaseSync, 'setAuthorizer'> & {
  setAuthorizer?(callback: (action: number, first: string | null, second: string | null) => number): void;
  enableDefensive?(active: boolean): void;
  limits?: { length: number; attach: number };
};

/**
 * Lets SQLite itself refuse, while it compiles a statement, whatever does more than read: the second judge after the gate,
 * and the one that sees what the statement really does. Call it when everything a query needs is attached and loaded.
 */
export function guardReads(database: DatabaseSync): void {
  const guarded = database as Guarded;
  guarded.enableDefensive?.(true);
  if (guarded.limits) {
    guarded.limits.length = LONGEST_VALUE;
    // Attaching stays possible only for what is attached already.
    guarded.limits.attach = 0;
  }
  const reads = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ, constants.SQLITE_RECURSIVE]);
  guarded.setAuthorizer?.((action, first, second) => {
    if (reads.has(action)) return constants.SQLITE_OK;
    if (action === constants.SQLITE_FUNCTION && SQLITE_FUNCTIONS.has((second ?? '').toLowerCase()))
      return constants.SQLITE_OK;
    // Table-valued functions of pragmas are compiled as the pragma itself.
    if (action === constants.SQLITE_PRAGMA && SQLITE_FUNCTIONS.has(`pragma_${first}`)) return constants.SQLITE_OK;
    return constants.SQLITE_DENY;
  });
}
