import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFAULT_BM25F, FIELDS, type Field } from '../../../src/core/search/fields.ts';
import { byScore } from '../../../src/core/search/fuse.ts';
import { parseQuery } from '../../../src/core/search/plan.ts';
import { planFor, searchStores } from '../../../src/core/search/query.ts';
import { createStore } from '../../../src/core/search/store.ts';
import { tokenize } from '../../../src/core/search/tokenize.ts';
import { files, queries, toDocument } from './documents.ts';

type File = Parameters<typeof toDocument>[0];

/** Terms of each field of each chunk, by `path ordinal`. */
function fieldsOf(some: Record<string, File>): Map<string, Record<Field, string[]>> {
  const both = (text: string) => Object.values(tokenize(text)).flat();
  const chunks = Object.entries(some).flatMap(([path, { title, heading, chunks }]) =>
    chunks.map((text, i) => {
      const { words, identifiers } = tokenize(text);
      const around = { title: both(title), headings: both(heading), path: both(path) };
      return [`${path} ${i}`, { text: words, identifiers, ...around }] as const;
    }),
  );
  return new Map(chunks);
}

/** BM25F of every chunk by its definition, one chunk after the other. */
function scoresOf(some: Record<string, File>, terms: ReadonlyMap<string, number>): Map<string, number> {
  const chunks = fieldsOf(some);
  const all = [...chunks.values()];
  const average = (field: Field) =>
    Math.max(1, all.reduce((sum, fields) => sum + fields[field].length, 0) / Math.max(1, all.length));
  const holds = (fields: Record<Field, string[]>, term: string) => FIELDS.some((field) => fields[field].includes(term));
  const scores = new Map<string, number>();
  for (const [place, fields] of chunks) {
    for (const [term, weight] of terms) {
      if (!holds(fields, term)) continue;
      const documents = all.filter((other) => holds(other, term)).length;
      const idf = Math.log(1 + (all.length - documents + 0.5) / (documents + 0.5));
      let sum = 0;
      for (const field of FIELDS) {
        const settings = DEFAULT_BM25F.fields[field];
        const frequency = fields[field].filter((other) => other === term).length;
        sum += (settings.weight * frequency) / (1 - settings.b + (settings.b * fields[field].length) / average(field));
      }
      const share = (weight * idf * (DEFAULT_BM25F.k1 + 1) * sum) / (DEFAULT_BM25F.k1 + sum);
      scores.set(place, (scores.get(place) ?? 0) + share);
    }
  }
  return scores;
}

it('finds what an exhaustive ranking by the definition finds, whatever was there before', async () => {
  const words = queries.map((some) => some.filter((word) => !word.includes('"')));
  await fc.assert(
    fc.asyncProperty(files, files, words, fc.integer({ min: 1, max: 20 }), async (before, some, query, limit) => {
      const store = createStore(null);
      for (const [path, file] of Object.entries(before)) store.replaceFile(path, toDocument(file));
      for (const path of Object.keys(before)) if (!(path in some)) store.removeFile(path);
      for (const [path, file] of Object.entries(some)) store.replaceFile(path, toDocument(file));
      const request = { query: query.join(' '), mode: 'keyword', limit } as const;
      const { hits, corrections } = await searchStores([{ store }], request);
      fc.pre(corrections.length === 0);
      const expected = scoresOf(some, parseQuery(request.query).terms);
      const placed = hits.flatMap((hit) =>
        [hit, ...(hit.duplicates ?? [])].map(({ file, chunk }) => `${file} ${chunk}`),
      );
      for (const { file, chunk, score } of hits) expect(score).toBeCloseTo(expected.get(`${file} ${chunk}`) ?? 0, 4);
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
      const least = hits.at(-1)?.score ?? 0;
      const missed = [...expected].filter(([place, score]) => score > least + 1e-4 && !placed.includes(place));
      expect(missed).toEqual([]);
      if (hits.length < limit) expect(placed.sort()).toEqual([...expected.keys()].sort());
    }),
    { numRuns: 150 },
  );
});

it('gives of the best few exactly those that it gives first of all', () => {
  fc.assert(
    fc.property(files, queries, fc.integer({ min: 1, max: 8 }), (some, query, limit) => {
      const store = createStore(null);
      for (const [path, file] of Object.entries(some)) store.replaceFile(path, toDocument(file));
      const plan = planFor([{ store }], parseQuery(query.join(' ')));
      const best = (most: number) => {
        const found = store.ranking.lexical(query.join(' '), plan, undefined, most);
        return found.map(({ slot, score }) => ({ store: 0, slot, score, ...store.ranking.place(slot) })).sort(byScore);
      };
      expect(best(limit)).toEqual(best(1000).slice(0, limit));
    }),
  );
});
