import { type Judgement, write } from './judgement.ts';
import { judgePostgres } from './postgres.ts';
import { judgeSqlite } from './sqlite.ts';

/** Longest statement that is judged, in UTF-16 units. */
const LONGEST = 100_000;

/** Judges by statement type whether a text only reads, in the dialect of the database it is for. */
export async function judge(text: string, dialect: 'postgres' | 'sqlite'): Promise<Judgement> {
  if (text.length > LONGEST) return write(`it is longer than ${LONGEST.toLocaleString('en')} characters`);
  // A database written in C may take a NUL for the end of the text.
  if (text.includes('\0')) return write('it contains a NUL character');
  return dialect === 'postgres' ? judgePostgres(text) : judgeSqlite(text);
}
