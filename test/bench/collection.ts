import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

export interface Doc {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** A judged collection: documents, queries, and how relevant which documents are to which query. */
export interface Collection {
  readonly name: string;
  readonly docs: readonly Doc[];
  /** Queries that have at least one relevant document. */
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** Query id, then document id, to its grade (above 0 is relevant). */
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Reads `docs.jsonl`, `queries.jsonl` and `qrels.jsonl` of a folder. */
export async function loadCollection(folder: string): Promise<Collection> {
  const [docs, queries, qrels] = await Promise.all(
    ['docs', 'queries', 'qrels'].map((name) => readLines(join(folder, `${name}.jsonl`))),
  );
  const judgements = new Map<string, Map<string, number>>();
  for (const { query, doc, rel } of qrels as { query: string; doc: string; rel?: number }[]) {
    const grade = rel ?? 1;
    if (grade <= 0) continue;
    const own = judgements.get(String(query)) ?? new Map<string, number>();
    judgements.set(String(query), own.set(String(doc), grade));
  }
  return {
    name: basename(resolve(folder)),
    docs: (docs as Partial<Doc>[]).map(({ id, title, text }) => ({
      id: String(id),
      title: title ?? '',
      text: text ?? '',
    })),
    queries: (queries as { id: string; text: string }[])
      .map(({ id, text }) => ({ id: String(id), text }))
      .filter(({ id }) => judgements.has(id)),
    judgements,
  };
}

async function readLines(path: string): Promise<unknown[]> {
  const text = await readFile(path, 'utf8');
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
}
