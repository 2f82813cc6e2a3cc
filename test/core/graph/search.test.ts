import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import type { AssetSearchInput } from '../../../src/core/graph/answers/search.ts';
import type { ConnectionInfo, ConnectionPort } from '../../../src/core/graph/connections.ts';
import { createGraph, type GraphOptions } from '../../../src/core/graph/graph.ts';
import { type ChosenEmbedder, chooseEmbedder } from '../../../src/core/search/embed/choose.ts';
import { parseSql } from '../../../src/core/sql/parse/parse-sql.ts';
import { type Files, folderOf } from './workspace.ts';

const WORDS: ChosenEmbedder = {
  embedder: null,
  unavailable: { status: 'unavailable', reason: 'Off.', enable_with: 'Switch it on.' },
};
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const graph of open.splice(0)) await graph.close();
});

/** A graph over these files, as the worker holds it. */
async function openGraph(
  files: Files,
  more: Partial<GraphOptions> & { semantic?: ChosenEmbedder; storage?: string; folder?: string } = {},
) {
  const { semantic = WORDS, storage = folderOf({}), folder = folderOf(files), ...options } = more;
  const graph = createGraph({ parseSql, now: Date.now, log: () => {}, onChange() {}, ...options });
  await graph.configure({
    folders: [{ name: 'ws', path: folder, exclude: [] }],
    storage,
    semantic,
    maxBytes: 16e6,
    waitMs: 30_000,
    samples: false,
  });
  open.push(graph);
  const search = async (query: string, input: Partial<AssetSearchInput> = {}) => {
    const filters = { source_system: '', node_type: '', connection_id: '', min_score: 0, include_raw: false };
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the answer holds
    const answer: any = await graph.methods.search({ query, top_k: 15, offset: 0, ...filters, ...input });
    return answer;
  };
  return { graph, search, storage, folder };
}

const SCHEMA = {
  'schema.sql': `CREATE TABLE billing.invoices (id serial, customer_id int, total numeric, issued_on date);
COMMENT ON TABLE billing.invoices IS 'Bills sent to customers.';
CREATE TABLE crm.customers (id serial, name text, country text);
CREATE TABLE crm.customer_notes (id serial, body text);
CREATE VIEW billing.overdue AS SELECT i.id, c.name FROM billing.invoices i JOIN crm.customers c ON c.id = i.customer_id JOIN legacy.payments p ON p.invoice = i.id;`,
};

describe('hits', () => {
  test('of the index are scored; an asset called by its own name goes first, under its schema too', async () => {
    const { search } = await openGraph(SCHEMA);
    const { results, semantic_index } = await search('customers');
    expect(results[0]).toMatchObject({
      qualified_name: 'postgres://workspace/crm/customers',
      name_match: 'exact',
      search_source: 'indexed',
      score_basis: 'words_only',
    });
    expect(results[0].score).toBeGreaterThan(0);
    expect(semantic_index).toEqual({
      status: 'unavailable',
      missing: 'embedding_client',
      reason: 'Off.',
      enable_with: 'Switch it on.',
    });
    expect((await search('crm.customers')).results[0]).toMatchObject({ name: 'customers', name_match: 'exact' });
  });

  test('of the graph alone are unscored and say how they match', async () => {
    const { search } = await openGraph(SCHEMA);
    const payments = (await search('payments')).results.find(({ name }: { name: string }) => name === 'payments');
    expect(payments).toMatchObject({
      search_source: 'graph_only',
      score_basis: 'not_measured',
      graph_lexical_match: 'name_is_query',
      name_match: 'exact',
      external: true,
      column_count_basis: 'not_measured',
      ddl_available: false,
    });
    expect(payments).not.toHaveProperty('score');
    // Part of a word is no term of the index.
    const part = (await search('nvoic')).results;
    expect(part[0]).toMatchObject({
      name: 'invoices',
      search_source: 'graph_only',
      graph_lexical_match: 'name_contains_query',
      has_indexed_document: true,
      text_preview: expect.stringContaining('Bills sent to customers.'),
    });
  });

  test('preview columns whole, and say how many there are', async () => {
    const columns = Array.from({ length: 90 }, (_, i) => `a_rather_long_column_name_${i} int`).join(', ');
    const { search } = await openGraph({ 's.sql': `CREATE TABLE wide (id serial, ${columns});` });
    const [hit] = (await search('wide')).results;
    expect(hit.column_names_listed).toBe(hit.column_names.length);
    expect(hit).toMatchObject({ column_count: 91, column_names_partial: true, ddl_available: true });
    expect(
      hit.column_names.every((name: string) => name === 'id' || /^a_rather_long_column_name_\d+$/.test(name)),
    ).toBe(true);
  });

  test('summaries are prose, never DDL', async () => {
    const { search } = await openGraph(SCHEMA);
    expect((await search('invoices')).results[0].summary).toBe('Bills sent to customers.');
    expect((await search('customer_notes')).results[0]).not.toHaveProperty('summary');
  });

  test('keep the same id from call to call, and groups point to them', async () => {
    const { search } = await openGraph(SCHEMA);
    const [first, second] = [await search('customers'), await search('crm.customers')];
    expect(second.results[0].result_id).toBe(first.results[0].result_id);
    const grouped = first.result_groups.sections
      .flatMap(({ result_ids }: { result_ids: string[] }) => result_ids)
      .sort();
    expect(grouped).toEqual(first.results.map(({ result_id }: { result_id: string }) => result_id).sort());
    expect(first.returned_by_section).toEqual({ tables: first.results.length });
  });
});

test('filters by system and type leave only those; nothing under them is told from nothing at all', async () => {
  const { search } = await openGraph({ ...SCHEMA, 'data/customers.csv': 'id,name\n1,a\n' });
  expect(
    (await search('customers', { node_type: 'file' })).results.map(({ node_type }: { node_type: string }) => node_type),
  ).toEqual(['file']);
  expect(
    (await search('customers', { source_system: 'POSTGRES' })).results.every(
      ({ source_system }: { source_system: string }) => source_system === 'postgres',
    ),
  ).toBe(true);
  const none = await search('customers', { node_type: 'dashboard' });
  expect(none).toMatchObject({ results: [], pagination: { candidate_total: 0, has_more: false, next_offset: null } });
  expect(none.note).toContain('under the filters (dashboard)');
  expect((await search('zzzqqq')).note).toContain('No asset matches');
});

test('min_score keeps names and says what it left out', async () => {
  const { search } = await openGraph(SCHEMA);
  const all = await search('customers');
  const some = await search('customers', { min_score: 0.99 });
  expect(some.score_filter).toMatchObject({ min_score: 0.99 });
  expect(some.score_filter.suppressed).toBeGreaterThan(0);
  expect(some.pagination.candidate_total + some.score_filter.suppressed).toBe(all.pagination.candidate_total);
  expect(some.results[0]).toMatchObject({ name: 'customers', name_match: 'exact' });
  expect(some.warnings).toContainEqual(expect.stringContaining('min_score 0.99 left out'));
  expect(all).not.toHaveProperty('score_filter');
});

test.each(['', '   ', '?!'])('a query without a word (%j) is refused', async (query) => {
  const { search } = await openGraph(SCHEMA);
  await expect(search(query)).rejects.toThrow(UserError);
});

test('include_raw adds what the graph holds of each hit, apart from the results', async () => {
  const { search } = await openGraph(SCHEMA);
  const { results, raw_results } = await search('invoices', { include_raw: true });
  expect(raw_results[0]).toMatchObject({
    result_id: results[0].result_id,
    text: expect.stringContaining('Bills sent'),
  });
  expect(results[0]).not.toHaveProperty('raw');
  expect(await search('invoices')).not.toHaveProperty('raw_results');
});

describe('pages', async () => {
  const tables = Array.from(
    { length: 120 },
    (_, i) =>
      `CREATE TABLE shop.order_${i} (id serial, customer_name text, order_total_amount numeric, shipping_address_line text);\nCOMMENT ON TABLE shop.order_${i} IS 'Orders of part ${i}, with a description that takes some room in every row of a page.';`,
  );
  const semantic = await chooseEmbedder({
    model: 'static',
    staticFolder: join(import.meta.dirname, '../../../media/embedding'),
  });
  const folder = folderOf({ 's.sql': tables.join('\n') });

  test('of one query neither repeat nor drop, whatever their size, and stay below the limit', async () => {
    const { search } = await openGraph({}, { semantic, folder });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom('order', 'orders of customers', 'order_7', 'shipping address', 'rder_1'),
        async (top_k, query) => {
          const ids: string[] = [];
          let offset = 0;
          let total = 0;
          for (;;) {
            const page = await search(query, { top_k, offset });
            expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(8000);
            expect(page.pagination.returned).toBe(page.results.length);
            ids.push(...page.results.map(({ result_id }: { result_id: string }) => result_id));
            total = page.pagination.candidate_total;
            expect(
              Object.values(page.candidates_by_section as Record<string, number>).reduce((sum, n) => sum + n, 0),
            ).toBe(total);
            if (!page.pagination.has_more) break;
            expect(page.pagination.next_offset).toBe(offset + page.results.length);
            offset = page.pagination.next_offset;
          }
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.length).toBe(total);
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  test('rank the same forty candidates for any top_k up to forty, and reach further above it', async () => {
    const { search } = await openGraph({}, { semantic, folder });
    const total = async (top_k: number) => (await search('order', { top_k })).pagination.candidate_total;
    expect(await total(1)).toBe(await total(40));
    expect(await total(100)).toBeGreaterThan(await total(40));
    expect((await search('order')).semantic_index).toEqual({
      status: 'available',
      embedding_provider: 'built-in',
      embedding_model: expect.any(String),
    });
  });
});

describe('connections', () => {
  const connection = (id: string, more: Partial<ConnectionInfo> = {}): ConnectionInfo => ({
    connection_id: id,
    canonical_connection_id: id,
    type: id.split('.')[0]!,
    name: id.split('.')[1]!,
    status: 'bound_unmeasured',
    ...more,
  });
  const port = (list: ConnectionInfo[]): ConnectionPort => ({
    list: async () => list,
    harvest: async (id) => {
      if (id.endsWith('down')) throw new UserError('unreachable', 'The server does not answer.', 'Start it.');
      return id.endsWith('empty')
        ? []
        : [
            {
              path: ['public'],
              name: 'visits',
              kind: 'table',
              comment: 'Visits to the shop.',
              columns: [
                { name: 'id', type: 'bigint', primary_key: true },
                { name: 'user_id', type: 'bigint', references: { table: 'users', column: 'id' } },
              ],
            },
            { path: ['public'], name: 'users', kind: 'table', columns: [{ name: 'id', type: 'bigint' }] },
          ];
    },
  });

  test('without harvested tables are named, with calls that harvest them', async () => {
    const list = [
      connection('postgres.sales', { description: 'Orders and visits' }),
      connection('sqlite.local'),
      connection('mysql.old', { type: 'mysql', unscannable: 'No scanner for mysql.' }),
    ];
    const { search, graph } = await openGraph(SCHEMA, { connections: port(list) });
    const before = await search('visits');
    expect(before).toMatchObject({
      index_status: 'partial',
      unharvested_connections: ['postgres.sales', 'sqlite.local'],
      unharvested_matching_query: ['postgres.sales'],
      unindexable_connections: [
        { connection_id: 'mysql.old', connection_type: 'mysql', reason: 'No scanner for mysql.', matches_query: false },
      ],
    });
    expect(before.harvest_calls.map(({ arguments: args }: { arguments: object }) => args)).toEqual([
      { action: 'REGISTER_SOURCE', source_type: 'postgres', connection_id: 'postgres.sales', scan_now: true },
      { action: 'SCAN_SOURCE', source_id: 'workspace' },
    ]);
    expect(before.results[0]).toMatchObject({
      search_source: 'connection_inventory',
      qualified_name: 'loci://postgres/connection/postgres.sales',
    });

    expect(
      await graph.methods.register({ source_type: 'postgres', connection_id: 'postgres.sales', scan_now: true }),
    ).toMatchObject({ tables: 2, source_id: 'connection:postgres.sales' });
    const after = await search('visits');
    expect(after.results[0]).toMatchObject({
      qualified_name: 'postgres://postgres.sales/public/visits',
      connection_id: 'postgres.sales',
      connection_name: 'sales',
      connection_binding_status: 'bound_unmeasured',
      connection_bound: true,
      summary: 'Visits to the shop.',
    });
    expect(after.results[0]).not.toHaveProperty('connection_reachable');
    expect(after.connection_status_vocabulary).toEqual({ bound_unmeasured: expect.any(String) });
    expect(after.result_groups.database_connections).toEqual([
      {
        qualified_name: 'loci://postgres/connection/postgres.sales',
        connection_id: 'postgres.sales',
        result_ids: expect.any(Array),
      },
    ]);
    expect(after.unharvested_connections).toEqual(['sqlite.local']);
    expect(await graph.methods.scan({ source_id: 'workspace' })).toMatchObject({ connections_read: 1 });
    expect((await search('visits')).index_status).toBe('ready');
    expect(
      await graph.methods.describe({ qualified_name: 'postgres://postgres.sales/public/visits', offset: 0 }),
    ).toMatchObject({
      canonical_connection_id: 'postgres.sales',
      columns: [
        { name: 'id', primary_key: true },
        { name: 'user_id', references: 'postgres://postgres.sales/public/users#id' },
      ],
    });
  });

  test('that were removed, cannot be reached or are empty are told apart', async () => {
    const list = [connection('postgres.sales'), connection('postgres.empty')];
    const { search, graph } = await openGraph({}, { connections: port(list) });
    await graph.methods.register({ source_type: '', connection_id: 'postgres.sales', scan_now: true });
    await graph.methods.register({ source_type: '', connection_id: 'postgres.empty', scan_now: true });
    expect((await search('users')).index_status).toBe('ready');
    list[0] = connection('postgres.sales', { status: 'bound_unreachable' });
    expect((await search('users')).results[0]).toMatchObject({
      connection_status: 'bound_unreachable',
      connection_reachable: false,
      connection_bound: true,
    });
    list.shift();
    expect((await search('users')).results[0]).toMatchObject({
      connection_binding_status: 'bound_removed',
      connection_bound: false,
      connection_reachable: false,
    });
  });

  test('whose registry cannot be read leave coverage unmeasured', async () => {
    const { search } = await openGraph(SCHEMA, {
      connections: { list: async () => Promise.reject(new Error('broken')), harvest: async () => [] },
    });
    const found = await search('customers');
    expect(found).toMatchObject({
      index_status: 'coverage_unmeasured',
      warnings: ['The registered connections could not be listed.'],
    });
    expect(found.results.length).toBeGreaterThan(0);
  });

  test('that a filter names scope the status', async () => {
    const { search, graph } = await openGraph(SCHEMA, {
      connections: port([connection('postgres.sales'), connection('postgres.other')]),
    });
    await graph.methods.register({ source_type: '', connection_id: 'postgres.sales', scan_now: true });
    const scoped = await search('users', { connection_id: 'sales' });
    expect(scoped.index_status).toBe('ready');
    expect(scoped.index_status_reason).toContain('others were not checked');
    expect(
      scoped.results.every(({ connection_id }: { connection_id: string }) => connection_id === 'postgres.sales'),
    ).toBe(true);
  });

  test('that do not answer or are not known are refused with what to do', async () => {
    const { graph } = await openGraph({}, { connections: port([connection('postgres.down')]) });
    await expect(
      graph.methods.register({ source_type: '', connection_id: 'postgres.down', scan_now: true }),
    ).rejects.toMatchObject({ code: 'unreachable' });
    await expect(
      graph.methods.register({ source_type: '', connection_id: 'nobody', scan_now: true }),
    ).rejects.toMatchObject({ code: 'unknown_connection' });
    await expect(graph.methods.scan({ source_id: 'nobody' })).rejects.toMatchObject({ code: 'unknown_source' });
  });
});

test('learnings stand with the assets they are about, those of the same data under another name too', async () => {
  const learning = (anchor: string) => ({
    statement_id: `s-${anchor.length}`,
    anchor_qn: anchor,
    headline: 'Totals are net.',
    text: 'Totals are net of tax.',
    category: 'final',
  });
  const about = 'postgres://workspace/raw/people';
  const { search } = await openGraph(
    {
      'schema.sql': 'CREATE TABLE raw.people (id serial);',
      'dbt/dbt_project.yml': 'name: p\n',
      'dbt/models/s.yml': 'sources:\n  - name: raw\n    tables: [{name: people}]\n',
    },
    {
      learnings: {
        overlays: async ({ qualified_names, query }) => ({
          on: Object.fromEntries(
            qualified_names
              .filter((name) => name === about)
              .map((name) => [name, { total: 1, learnings: [learning(name)] }]),
          ),
          hits: query.includes('people') ? [{ ...learning(about), score: 0.8 }] : [],
          hits_total: 1,
        }),
      },
    },
  );
  const { results, pagination, wiki_learnings, candidates_by_section } = await search('people');
  const byName = (name: string) => results.find((row: { qualified_name?: string }) => row.qualified_name === name);
  expect(byName(about)).toMatchObject({
    learnings_count: 1,
    learnings_ref: about,
    top_learnings: [{ headline: 'Totals are net.' }],
  });
  expect(byName('dbt://p/source/raw/people')).toMatchObject({
    learnings_ref: about,
    match_source: 'related_asset',
    matched_qn: about,
  });
  expect(results.at(-1)).toMatchObject({
    kind: 'wiki_learning',
    anchor_qn: about,
    learning_text: 'Totals are net of tax.',
    available_actions: ['wiki_read'],
  });
  expect(pagination.candidate_total).toBe(3);
  expect(wiki_learnings).toEqual({ candidate_total: 1, returned: 1, candidate_total_is_lower_bound: false });
  expect(candidates_by_section).toEqual({ tables: 2, wiki_learnings: 1 });
  expect(
    (await search('people', { offset: 1 })).results.some(({ kind }: { kind?: string }) => kind === 'wiki_learning'),
  ).toBe(false);
});

test('problems of the scan are a warning, and nothing to scan is unavailable rather than empty', async () => {
  const { search } = await openGraph({ 's.sql': 'CREATE TABLE good (id serial);\nCREATE TABL bad;' });
  const found = await search('good');
  expect(found.index_status).toBe('ready_with_warnings');
  expect(found.warnings[0]).toContain('s.sql:2');
  const graph = createGraph({ parseSql, now: Date.now, log: () => {}, onChange() {} });
  open.push(graph);
  await graph.configure({
    folders: [],
    storage: folderOf({}),
    semantic: WORDS,
    maxBytes: 1e6,
    waitMs: 5000,
    samples: false,
  });
  const nothing = await graph.methods.search({
    query: 'x',
    top_k: 5,
    offset: 0,
    source_system: '',
    node_type: '',
    connection_id: '',
    min_score: 0,
    include_raw: false,
  });
  expect(nothing).toMatchObject({ index_status: 'unavailable', results: [] });
});

test('what is added is kept, found by its content or by name alone, and linked', async () => {
  const { graph, search, storage, folder } = await openGraph(SCHEMA);
  const report = await graph.methods.add({
    action: 'BULK_ADD_NODES',
    nodes: [
      {
        qualified_name: 'looker://sales/board',
        node_type: 'dashboard',
        content: 'Quarterly revenue by region',
        upstream: ['postgres://workspace/billing/invoices'],
      },
      { qualified_name: 'looker://sales/other' },
    ],
  });
  expect(report).toMatchObject({ added: 2, updated: 0, indexed: 1 });
  expect((await search('quarterly revenue')).results[0]).toMatchObject({
    qualified_name: 'looker://sales/board',
    search_source: 'indexed',
  });
  expect((await search('other')).results[0]).toMatchObject({
    qualified_name: 'looker://sales/other',
    search_source: 'graph_only',
  });
  expect(await graph.methods.indexDocument({ qualified_name: 'looker://sales/other', offset: 0 })).toMatchObject({
    success: false,
    index_document: 'absent',
    graph_node: { name: 'other' },
  });
  await expect(
    graph.methods.add({ action: 'ADD_NODE', nodes: [{ qualified_name: 'no scheme' }] }),
  ).rejects.toMatchObject({ code: 'invalid_qualified_name' });
  const again = await openGraph({}, { storage, folder });
  expect((await again.search('quarterly revenue')).results[0]).toMatchObject({
    qualified_name: 'looker://sales/board',
  });
  expect(
    await again.graph.methods.lineage({
      qualified_name: 'looker://sales/board',
      direction: 'upstream',
      depth: 3,
      max_nodes: 50,
      column: '',
    }),
  ).toMatchObject({ total_nodes: 2 });
  expect(
    await again.graph.methods.add({
      action: 'ADD_NODE',
      nodes: [{ qualified_name: 'looker://sales/board', description: 'New.' }],
    }),
  ).toMatchObject({ added: 0, updated: 1 });
});
