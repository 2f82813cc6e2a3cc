import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../errors.ts';
import { loadFile } from './file-load.ts';
import type { FileAnswer, FileRequest, QueryResult } from './protocol.ts';
import { guardReads } from './sqlite-guard.ts';
import { openSqlite } from './sqlite-open.ts';
import { runStatement } from './sqlite-run.ts';
import { readSchema } from './sqlite-schema.ts';
import { quoted } from './table-loader.ts';

/** Does what the process for files was asked, and never throws. */
export async function answerFile(request: FileRequest): Promise<FileAnswer> {
  try {
    return { result: await carryOut(request) };
  } catch (error) {
    const { code, message, next } = error instanceof UserError ? error : sqlError(error);
    return { failure: { code, message, next } };
  }
}

function sqlError(error: unknown): { code: string; message: string; next: string } {
  if (/^not authorized/.test((error as Error).message)) {
    return {
      code: 'not_read_only',
      message: `SQLite refused it as more than a read: ${(error as Error).message}.`,
      next: 'Send one SELECT statement that uses built-in functions only.',
    };
  }
  return { code: 'sql_error', message: (error as Error).message, next: 'Correct the SQL and try again.' };
}

async function carryOut(request: FileRequest): Promise<unknown> {
  if (request.kind === 'schema') return withDatabase(openSqlite(request.path, false), readSchema);
  const { statement, limits } = request;
  if (request.kind === 'sqlite') {
    return withDatabase(openSqlite(request.path, statement.write), (database) => {
      if (!statement.write) guardReads(database);
      return runStatement(database, statement, limits);
    });
  }
  return withDatabase(new DatabaseSync(':memory:'), async (database): Promise<QueryResult> => {
    for (const { name, path } of request.databases) {
      const address = pathToFileURL(path);
      database.exec(`ATTACH ${literal(`${address.href}?mode=ro`)} AS ${quoted(name)}`);
    }
    const notes: string[] = [];
    for (const table of request.tables) {
      const note = await loadFile(database, table);
      if (note) notes.push(note);
    }
    guardReads(database);
    return { ...runStatement(database, statement, limits), notes };
  });
}

async function withDatabase<T>(database: DatabaseSync, work: (database: DatabaseSync) => T | Promise<T>): Promise<T> {
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
