import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDelimited } from '../../../../src/core/graph/scan/delimited.ts';
import { assetNamed, columnsOf, folderOf, graphOf, problemsOf, scanFolder, sourcesOf } from '../workspace.ts';

describe('CSV', () => {
  test.each([
    [
      'commas',
      'id,name,day,at,ok,price,zip\n1,A,2026-01-01,2026-01-01T10:00:00Z,true,1.5,01234\n2,B,,2026-01-02 11:00,false,2,99999\n',
      ['id integer', 'name text', 'day date', 'at timestamp', 'ok boolean', 'price number', 'zip text'],
      2,
    ],
    ['semicolons and CRLF', 'a;b\r\n1;x\r\n2;y\r\n', ['a integer', 'b text'], 2],
    ['tabs', 'a\tb\n1\tx, y\n', ['a integer', 'b text'], 1],
    ['a byte order mark', '\ufeffa,b\n1,2\n', ['a integer', 'b integer'], 1],
    ['quotes with line breaks', 'a,b\n"x\ny",1\n"say ""hi""",2\n', ['a text', 'b integer'], 2],
    ['a quote inside a plain field', 'a,b\n5" pipe,1\n6" pipe,2\n7,3\n', ['a text', 'b integer'], 3],
    ['no last line break', 'a\n1\n2', ['a integer'], 2],
    ['a header alone', 'a,b\n', ['a ?', 'b ?'], 0],
    ['names that are empty', 'a,,c\n1,2,3\n', ['a integer', 'column_2 integer', 'c integer'], 1],
  ])('with %s', async (_, text, columns, rows) => {
    const graph = await graphOf({ 'x.csv': text });
    expect(columnsOf(graph, 'file://x.csv')).toEqual(columns);
    expect(assetNamed(graph, 'file://x.csv').facts).toMatchObject({ row_count: rows });
    expect(problemsOf(graph)).toEqual([]);
  });

  test('in UTF-16', async () => {
    const graph = await graphOf({ 'x.csv': Buffer.from('\ufeffname,n\nÄ,1\nB,2\n', 'utf16le') });
    expect(columnsOf(graph, 'file://x.csv')).toEqual(['name text', 'n integer']);
    expect(assetNamed(graph, 'file://x.csv').facts).toMatchObject({ row_count: 2 });
  });

  test('that is empty, binary or never closes a quote is reported', async () => {
    const graph = await graphOf({
      'empty.csv': '',
      'binary.csv': new Uint8Array([0, 1, 2, 0, 0, 5]),
      'open.csv': 'a,b\n"x,1\n2,3\n',
    });
    expect(problemsOf(graph).map((line) => line.split(' ')[0])).toEqual(['binary.csv:', 'empty.csv:1', 'open.csv:1']);
    expect(columnsOf(graph, 'file://open.csv')).toEqual(['a ?', 'b ?']);
  });

  test('rows read back are the rows written, whatever is in them', () => {
    const field = fc.string({ maxLength: 12, unit: fc.constantFrom('a', '"', ',', '\n', 'é', ' ', '1') });
    fc.assert(
      fc.property(fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 8 }), (rows) => {
        const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
        const text = [['h1', 'h2', 'h3'], ...rows].map((row) => row.map(quoted).join(',')).join('\n');
        const read = readDelimited(text, { most: 100, ends: true });
        expect(read.rows.slice(1)).toEqual(rows);
      }),
    );
  });
});

test('JSON Lines: every field of the records, and lines that are no JSON', async () => {
  const graph = await graphOf({ 'e.jsonl': '{"a": 1, "b": {"c": 2}}\n\n{"a": 2.5, "d": null}\nnot json\n' });
  expect(columnsOf(graph, 'file://e.jsonl')).toEqual(['a number', 'b json', 'd ?']);
  expect(assetNamed(graph, 'file://e.jsonl').facts).toMatchObject({ format: 'jsonl', row_count: 3 });
  expect(graph.problems).toMatchObject([{ file: 'e.jsonl', line: 4 }]);
});

test('JSON: lists of records are data, settings are not', async () => {
  const graph = await graphOf({
    'rows.json': '[{"id": 1, "n": "x"}, {"id": 2}]',
    'places.geojson':
      '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "a"}, "geometry": null}]}',
    'package.json': '[{"a": 1}]',
    'settings.json': '{"a": [1, 2]}',
    'broken.json': '[{"a": 1},\n{"b": }]',
  });
  expect([...graph.assets.keys()]).toEqual(['file://places.geojson', 'file://rows.json']);
  expect(columnsOf(graph, 'file://rows.json')).toEqual(['id integer', 'n text']);
  expect(assetNamed(graph, 'file://rows.json').columns).toMatchObject([{ nullable: false }, { nullable: true }]);
  expect(graph.problems).toMatchObject([{ file: 'broken.json', line: 2 }]);
});

describe('SQLite', () => {
  const databaseIn = (folder: string, name: string) => {
    const database = new DatabaseSync(join(folder, name));
    database.exec(`
      CREATE TABLE "Order Details" (id INTEGER PRIMARY KEY, item TEXT NOT NULL REFERENCES items(code), qty INT DEFAULT 1);
      CREATE TABLE items (code TEXT PRIMARY KEY, price REAL);
      INSERT INTO items VALUES ('a', 1.5), ('b', 2);
      CREATE VIEW totals AS SELECT i.code, sum(d.qty * i.price) AS total FROM "Order Details" d JOIN items i ON i.code = d.item GROUP BY 1;
    `);
    return database;
  };

  test('tables, keys, counts and the lineage of views', async () => {
    const folder = folderOf({});
    databaseIn(folder, 'shop.sqlite').close();
    const { graph } = await scanFolder(folder);
    const at = (name: string) => `sqlite://shop.sqlite/${name}`;
    expect(problemsOf(graph)).toEqual([]);
    expect([...graph.assets.keys()]).toEqual(['sqlite://shop.sqlite', at('Order Details'), at('items'), at('totals')]);
    expect(assetNamed(graph, at('Order Details')).columns).toEqual([
      { name: 'id', type: 'integer', nullable: false, primary_key: true },
      { name: 'item', type: 'text', nullable: false, references: { asset: at('items'), column: 'code' } },
      { name: 'qty', type: 'int', nullable: true, default: '1' },
    ]);
    expect(assetNamed(graph, at('items')).facts).toMatchObject({ row_count: 2 });
    expect(sourcesOf(graph, at('totals'), 'total')).toEqual([at('Order Details#qty'), at('items#price')]);
    expect(readdirSync(folder)).toEqual(['shop.sqlite']);
  });

  test('is read while another program writes it', async () => {
    const folder = folderOf({});
    const database = databaseIn(folder, 'live.db');
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE later (a);');
    const { graph } = await scanFolder(folder);
    expect(graph.assets.has('sqlite://live.db/later')).toBe(true);
    database.close();
  });

  test('that is damaged, or no SQLite file at all, is reported and nothing else is lost', async () => {
    const header = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84, 7)]);
    const graph = await graphOf({
      'bad.sqlite': header,
      'text.sqlite': 'hello',
      'other.db': 'key-value',
      'x.csv': 'a\n1\n',
    });
    expect(problemsOf(graph).map((line) => line.split(':')[0])).toEqual(['bad.sqlite', 'text.sqlite']);
    expect(graph.assets.has('file://x.csv')).toBe(true);
  });
});

test('a DuckDB file is named as unreadable, with the way out', async () => {
  const graph = await graphOf({ 'w.duckdb': 'DUCK' });
  expect(problemsOf(graph)[0]).toMatch(/^w\.duckdb: DuckDB files cannot be read here\. .*EXPORT DATABASE/);
});

test('a Parquet file that is damaged is reported', async () => {
  const graph = await graphOf({ 'x.parquet': 'PAR1 not really PAR1', 'y.parquet': '' });
  expect(problemsOf(graph).map((line) => line.split(':')[0])).toEqual(['x.parquet', 'y.parquet']);
});
