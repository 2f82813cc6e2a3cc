import { rmSync } from 'node:fs';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Doc } from '../collection.ts';
import type { Engine } from '../engine.ts';
import { plainWords } from '../terms.ts';

export const fts5: Engine = {
  name: 'SQLite FTS5 (native)',
  async build(docs) {
    const folder = await mkdtemp(join(tmpdir(), 'loci-fts5-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'index.db');
    const database = new DatabaseSync(file);
    database.exec("CREATE VIRTUAL TABLE docs USING fts5(title, text, tokenize = 'porter unicode61')");
    const insert = database.prepare('INSERT INTO docs(rowid, title, text) VALUES (?, ?, ?)');
    database.exec('BEGIN');
    for (const [i, { title, text }] of docs.entries()) insert.run(i + 1, title, text);
    database.exec("COMMIT; INSERT INTO docs(docs) VALUES ('optimize')");
    return {
      search: searcher(database, docs),
      save: (target) => copyFile(file, join(target, 'index.db')),
      load: async (target) => ({ search: searcher(new DatabaseSync(join(target, 'index.db')), docs) }),
    };
  },
};

function searcher(database: DatabaseSync, docs: readonly Doc[]) {
  const select = database.prepare('SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, 2.0, 1.0) LIMIT ?');
  return (query: string, limit: number): string[] => {
    const words = plainWords(query).map((word) => `"${word}"`);
    if (words.length === 0) return [];
    return select.all(words.join(' OR '), limit).map(({ rowid }) => docs[Number(rowid) - 1]!.id);
  };
}
