import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../errors.ts';

/** Milliseconds to wait for another writer. */
const BUSY_MS = 5000;

/** Opens a SQLite file. A reader writes nothing, not even beside it. @throws UserError when it cannot be opened or is none */
export function openSqlite(path: string, write: boolean): DatabaseSync {
  try {
    const database = new DatabaseSync(addressOf(path, write ? 'mode=rw' : 'mode=ro'), {
      readOnly: !write,
      timeout: BUSY_MS,
    });
    // SQLite opens a file that is no database without complaint, and fails at the first look.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    if (!write && /unable to open|readonly/i.test((error as Error).message)) return openImmutable(path);
    throw notOpened(path, error);
  }
}

/** A database in WAL mode on a disk that cannot be written to can only be read as one that nobody changes. */
function openImmutable(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(addressOf(path, 'mode=ro&immutable=1'), { readOnly: true });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    throw notOpened(path, error);
  }
}

/** With a mode that never creates a file. */
function addressOf(path: string, parameters: string): URL {
  const address = pathToFileURL(path);
  address.search = parameters;
  return address;
}

function notOpened(path: string, error: unknown): UserError {
  return new UserError(
    'unreachable',
    `${path} cannot be opened as a SQLite database: ${(error as Error).message}.`,
    'Check the path, the permissions, and that the file is a SQLite database.',
  );
}
