import { describe, expect, it } from 'vitest';
import type { SearchRequest, SearchStore } from '../../../src/core/search/engine.ts';
import { searchStores } from '../../../src/core/search/query.ts';
import { createStore } from '../../../src/core/search/store.ts';
import { suggest } from '../../../src/core/search/suggest.ts';
import { documentOf, letterEmbedder } from './documents.ts';

function storeOf(texts: Record<string, string | string[]>, embedder = false): SearchStore {
  const store = createStore(embedder ? letterEmbedder : null);
  for (const [path, text] of Object.entries(texts)) store.replaceFile(path, documentOf(path, [text].flat()));
  return store;
}

async function find(store: SearchStore, query: string, more: Partial<SearchRequest> = {}): Promise<string[]> {
  const { hits } = await searchStores([{ store }], { query, mode: 'keyword', limit: 10, ...more });
  return hits.map(({ file }) => file);
}

describe('a query', () => {
  it('matches any of its words and puts first what holds the rarer ones', async () => {
    const store = storeOf({ a: 'red apple', b: 'red pear', c: 'red plum', d: 'green quince' });
    expect(await find(store, 'red quince')).toEqual(['d', 'a', 'b', 'c']);
  });

  it('does not match longer words, nor shorter ones', async () => {
    const store = storeOf({ a: 'indexing the tables', b: 'index the table', c: 'indexterms', d: 'indices' });
    expect((await find(store, 'index')).sort()).toEqual(['a', 'b']);
  });

  it('scores by BM25F as worked out by hand', async () => {
    const store = storeOf({ one: 'apple apple pear', two: 'plum plum plum plum plum' });
    const { hits } = await searchStores([{ store }], { query: 'apple', mode: 'keyword', limit: 1, explain: true });
    const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
    const frequency = 2 / (1 - 0.9 + (0.9 * 3) / 4);
    expect(hits[0]!.score).toBeCloseTo((idf * 2.6 * frequency) / (1.6 + frequency), 5);
    expect(hits[0]!.explanation).toMatchObject({ terms: [{ term: 'appl', fields: ['text'] }], semantic: null });
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'finds %s as a word like any other',
    async (word) => {
      const store = storeOf({ a: `about the ${word} of things`, b: 'about other things', c: 'nothing' });
      expect(await find(store, word)).toEqual(['a']);
    },
  );

  it('finds words in any script, and identifiers however they are written', async () => {
    const store = storeOf({ a: '日本語の文書', b: 'call getUserName() here', c: 'Привет', d: 'el Niño' });
    expect(await find(store, '日本')).toEqual(['a']);
    expect((await find(store, 'get_user_name'))[0]).toBe('b');
    expect(await find(store, 'getusername')).toEqual(['b']);
    expect(await find(store, 'ПРИВЕТ')).toEqual(['c']);
    expect(await find(store, 'nino')).toEqual(['d']);
  });

  it('finds nothing for nothing, and takes hostile queries', async () => {
    const store = storeOf({ a: 'some text' });
    for (const query of ['', '   ', '"', '""', '"""', '***', '\u0000', '\ud800']) {
      expect(await find(store, query)).toEqual([]);
    }
    expect(await find(store, 'text '.repeat(100_000))).toEqual(['a']);
    expect(await find(store, Array.from({ length: 20_000 }, (_, i) => `w${i}x`).join(' '))).toEqual([]);
  });

  it('of stop words alone is still a query', async () => {
    const store = storeOf({ a: 'to be or not to be', b: 'something else' });
    expect(await find(store, 'to be')).toEqual(['a']);
  });
});

describe('a quoted phrase', () => {
  const texts = { a: 'the boundary layer flow', b: 'layer of the boundary', c: 'boundary-Layer', d: 'boundary layers' };

  it('must stand in the text word by word', async () => {
    const store = storeOf(texts);
    expect((await find(store, '"boundary layer"')).sort()).toEqual(['a', 'c']);
    expect(await find(store, '"boundary layer" flow')).toEqual(['a', 'c']);
    expect(await find(store, '“of the”')).toEqual(['b']);
    expect(await find(store, '"boundary layer" "of the"')).toEqual([]);
  });

  it('lets nothing in by meaning', async () => {
    expect((await find(storeOf(texts, true), '"boundary layer"', { mode: 'knowledge' })).sort()).toEqual(['a', 'c']);
  });
});

describe('a mistyped word', () => {
  const texts = { a: 'configuration of servers', b: 'setup of a kettle' };

  it('finds what it is near to, and says so', async () => {
    const store = storeOf(texts);
    const result = await searchStores([{ store }], { query: 'confguration kettle', mode: 'keyword', limit: 5 });
    expect(result.hits.map(({ file }) => file).sort()).toEqual(['a', 'b']);
    expect(result.corrections).toEqual([{ term: 'confgur', instead: ['configur'] }]);
  });

  it('is not looked for when something matches it, nor when it is short or a number', async () => {
    const store = storeOf({ ...texts, c: 'confguration' });
    expect(await find(store, 'confguration')).toEqual(['c']);
    expect(await find(storeOf({ a: 'cat 12345' }), 'bat cut 12346')).toEqual([]);
  });
});

describe('type-ahead', () => {
  it('takes the last word for the start of one', () => {
    const store = storeOf({ a: 'configuration of servers', b: 'server rooms', c: 'conference' });
    const find = (typed: string) => suggest([{ store }], typed, 5).map(({ file }) => file);
    expect(find('conf').sort()).toEqual(['a', 'c']);
    expect(find('configurati')).toEqual(['a']);
    expect(find('server conf')[0]).toBe('a');
    expect(find('')).toEqual([]);
    expect(find('zzz')).toEqual([]);
  });
});

describe('near-duplicates', () => {
  it('are listed with the best of them', async () => {
    const body = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
    const store = storeOf({ a: `${body} apple`, b: `${body} apple again`, c: 'apple tree', d: `${body} apple` });
    const { hits } = await searchStores([{ store }], { query: 'apple', mode: 'keyword', limit: 10 });
    expect(hits.map(({ file }) => file)).toEqual(['c', 'a']);
    expect(hits[1]!.duplicates?.map(({ file }) => file).sort()).toEqual(['b', 'd']);
  });
});

describe('search by meaning', () => {
  it('adds what no word matches, keeps a clear best hit first, and scores from 0 to 1', async () => {
    const store = storeOf({ a: 'zebra zebra', b: 'bread azre', c: 'zebra crossing in a town' }, true);
    const { hits } = await searchStores([{ store }], { query: 'zebra', mode: 'knowledge', limit: 3, explain: true });
    expect(hits.map(({ file }) => file).sort()).toEqual(['a', 'b', 'c']);
    expect(hits[0]!.file).toBe('a');
    expect(hits[0]!.explanation!.semantic).toBeGreaterThan(0);
    for (const { score } of hits) expect(score).toSatisfy((value: number) => value >= 0 && value <= 1 + 1e-9);
  });

  it('does without vectors until they are made, and reports how far they are', async () => {
    const { encode: _, ...slow } = { ...letterEmbedder, instant: false };
    const store = createStore(slow);
    store.replaceFile('a', documentOf('a', ['zebra', 'lion']));
    expect(store.semantic()).toMatchObject({ status: 'warming', done: 0, total: 2 });
    expect(await find(store, 'zebra', { mode: 'knowledge' })).toEqual(['a']);
    await store.embedPending();
    expect(store.semantic()).toMatchObject({ status: 'available', model: 'letters' });
    expect(await find(store, 'nothing alike', { mode: 'knowledge' })).toHaveLength(2);
  });
});
