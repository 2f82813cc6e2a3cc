import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resultBytes, sampleWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
beforeAll(() => {
  workspace = sampleWorkspace();
});
afterAll(() => workspace.close());

const search = (query: string, more: object = {}) => workspace.ask('search_data_context', { query, ...more });
const lineage = (action: string, more: object) => workspace.ask('lineage_action', { action, ...more });
const names = (rows: readonly { qualified_name: string }[]) => rows.map(({ qualified_name }) => qualified_name);

describe('the sample workspace', () => {
  test('reads without a problem', async () => {
    expect(await lineage('SCAN_SOURCE', { source_id: 'workspace' })).toMatchObject({ problems: [], problems_total: 0 });
  });

  test.each([
    ['temperature excursions of shipments', 'postgres://workspace/telemetry/excursions'],
    ['excursion rate by route', 'dbt://saltmarrow/mart_route_quality'],
    ['what the growers are sent on Mondays', 'dbt://saltmarrow/exposure/weekly_quality_letter'],
    ['nightly build of the marts', 'airflow://nightly_marts'],
    ['wall screen of the packing floor', 'grafana://cold-chain'],
    ['open a claim within 48 hours', 'openapi://api/openapi.yaml/openClaim'],
  ])('"%s" finds %s', async (query, wanted) => {
    const { results, index_status } = await search(query);
    expect(names(results).slice(0, 8)).toContain(wanted);
    expect(['ready', 'partial']).toContain(index_status);
  });

  test('a table is described with the migrations applied', async () => {
    const asset = await workspace.ask('describe_asset', { qualified_name: 'core.customers' });
    expect(asset).toMatchObject({
      qualified_name: 'postgres://workspace/core/customers',
      file: 'sql/schema/01_core.sql',
      column_count: 8,
    });
    expect(asset.columns.map(({ name }: { name: string }) => name)).toEqual([
      'customer_id',
      'name',
      'segment',
      'city',
      'country',
      'credit_limit_cents',
      'created_on',
      'route_code',
    ]);
    expect(asset.ddl).toContain('DROP COLUMN phone');
    expect(asset.columns.find(({ name }: { name: string }) => name === 'credit_limit_cents').description).toContain(
      'TIDE-4022',
    );
    expect(asset.sample_note).toContain('loci.data.samples');
  });

  test('what feeds the wall screen, back to the tables', async () => {
    const found = await lineage('GET_UPSTREAM', { qualified_name: 'grafana://cold-chain', depth: 10 });
    expect(names(found.nodes)).toEqual(
      expect.arrayContaining([
        'dbt://saltmarrow/mart_route_quality',
        'dbt://saltmarrow/fct_shipments',
        'dbt://saltmarrow/source/telemetry/excursions',
        'postgres://workspace/telemetry/excursions',
        'postgres://workspace/telemetry/readings',
      ]),
    );
    expect(found.edges).toContainEqual(
      expect.objectContaining({ basis: 'panel_sql', at: expect.stringMatching(/^dashboards\/cold-chain\.json:\d+$/) }),
    );
    expect(found.mermaid).toMatch(/^flowchart LR\n/);
    expect(found).not.toHaveProperty('omitted');
  });

  test('one column, back to where it is measured', async () => {
    const found = await lineage('GET_UPSTREAM', {
      qualified_name: 'dbt://saltmarrow/mart_route_quality#excursion_rate_pct',
      depth: 10,
    });
    const columns = Object.fromEntries(
      found.nodes
        .slice(1)
        .map((node: { qualified_name: string; columns: string[] }) => [node.qualified_name, node.columns]),
    );
    expect(columns).toEqual({
      'dbt://saltmarrow/fct_shipments': ['excursion_count', 'is_delivered'],
      'dbt://saltmarrow/int_shipment_cold_chain': ['excursion_count'],
      'dbt://saltmarrow/stg_shipments': ['is_delivered'],
      'dbt://saltmarrow/stg_excursions': ['excursion_id'],
      'dbt://saltmarrow/source/core/shipments': ['status'],
      'dbt://saltmarrow/source/telemetry/excursions': ['excursion_id'],
      'postgres://workspace/core/shipments': ['status'],
      'postgres://workspace/telemetry/excursions': ['excursion_id'],
    });
  });

  test('what a change of a table reaches: marts, the DAG’s letter, the notebook', async () => {
    const { nodes } = await lineage('GET_DOWNSTREAM', { qualified_name: 'core.lots', depth: 10, max_nodes: 100 });
    expect(names(nodes)).toEqual(
      expect.arrayContaining([
        'dbt://saltmarrow/mart_grower_quality',
        'airflow://nightly_marts/refresh_quality_letter',
        'postgres://workspace/analytics/quality_letter',
        'postgres://workspace/core/v_lot_traceability',
      ]),
    );
    const csv = await lineage('GET_DOWNSTREAM', { qualified_name: 'file://data/claims.csv', depth: 10 });
    expect(names(csv.nodes)).toContain('jupyter://notebooks/claims_and_growers.ipynb');
  });

  test('the wiki has a page of every asset', async () => {
    const page = await workspace.ask('wiki_read', { qualified_name: 'dbt://saltmarrow/fct_orders' });
    expect(JSON.stringify(page)).toContain('Revenue excludes cancelled orders');
    expect(
      names(
        (await workspace.ask('wiki_list', { prefix: 'grafana://' })).items ??
          (await workspace.ask('wiki_list', { prefix: 'grafana://' })).nodes,
      ),
    ).toEqual(['grafana://cold-chain']);
  });
});

describe('limits', () => {
  test('are said: what depth and max_nodes leave out is counted and named', async () => {
    const found = await lineage('GET_UPSTREAM', { qualified_name: 'dbt://saltmarrow/mart_route_quality', depth: 1 });
    expect(names(found.nodes).sort()).toEqual([
      'dbt://saltmarrow/fct_shipments',
      'dbt://saltmarrow/mart_route_quality',
      'dbt://saltmarrow/stg_claims',
    ]);
    const [left] = found.omitted;
    expect(left).toMatchObject({ by: 'depth 1', count: 4 });
    expect(left.names).toContain('dbt://saltmarrow/source/core/claims');
    const few = await lineage('GET_UPSTREAM', { qualified_name: 'dbt://saltmarrow/mart_route_quality', max_nodes: 2 });
    expect(few.omitted[0]).toMatchObject({ by: 'max_nodes 2' });
  });

  test.each([
    ['search_data_context', { query: 'shipments', top_k: 100 }],
    ['search_data_context', { query: 'order customer claim lot probe route', top_k: 40, include_raw: true }],
    ['lineage_action', { action: 'GET_DOWNSTREAM', qualified_name: 'core.shipments', depth: 50, max_nodes: 500 }],
    ['lineage_action', { action: 'SEARCH_NODES', limit: 100 }],
    ['lineage_action', { action: 'GET_INDEX_DOCUMENT', qualified_name: 'airflow://nightly_marts' }],
    ['lineage_action', { action: 'GET_NODE', qualified_name: 'core.shipments' }],
    ['describe_asset', { qualified_name: 'core.shipments' }],
  ])('%s with %j stays below 8,000 bytes', async (tool, input) => {
    expect(resultBytes(await workspace.ask(tool, input))).toBeLessThan(8000);
  });

  test('SEARCH_NODES pages through all assets, each once', async () => {
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: { results: { qualified_name: string }[]; pagination: { next_offset: number | null; total: number } } =
        await lineage('SEARCH_NODES', { query: '', limit: 100, offset });
      seen.push(...names(page.results));
      offset = page.pagination.next_offset;
      if (offset === null) expect(seen).toHaveLength(page.pagination.total);
    }
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('refusals say what to do', () => {
  test('an asset that is not there, with the nearest', async () => {
    const refusal = await workspace.refuse('describe_asset', { qualified_name: 'dbt://saltmarrow/fct_order' });
    expect(refusal).toMatchObject({ error_code: 'unknown_asset' });
    expect(refusal.next_step).toContain('dbt://saltmarrow/fct_orders');
  });

  test('a name that several assets have, with all of them', async () => {
    const refusal = await workspace.refuse('lineage_action', { action: 'GET_UPSTREAM', qualified_name: 'excursions' });
    expect(refusal).toMatchObject({ error_code: 'ambiguous_name' });
    expect(refusal.next_step).toContain('postgres://workspace/telemetry/excursions');
  });

  test('a column that an asset does not have, with those it has', async () => {
    const refusal = await workspace.refuse('lineage_action', {
      action: 'GET_UPSTREAM',
      qualified_name: 'core.shipments',
      column: 'box_id',
    });
    expect(refusal).toMatchObject({ error_code: 'unknown_column' });
    expect(refusal.next_step).toContain('crate_id');
  });

  test('a GET without a name, and a query without a word', async () => {
    expect(await workspace.refuse('lineage_action', { action: 'GET_NODE' })).toMatchObject({
      error_code: 'no_qualified_name',
    });
    expect(await workspace.refuse('search_data_context', { query: ' ' })).toMatchObject({ error_code: 'empty_query' });
  });
});

test('a changed file is in the next answer', async () => {
  const own = sampleWorkspace();
  await own.ask('search_data_context', { query: 'orders' });
  own.write({ 'sql/migrations/V099__new.sql': 'CREATE TABLE core.newly_made (id bigint PRIMARY KEY);' });
  await own.app.knowledge.changed({ paths: [`${own.folder}/sql/migrations/V099__new.sql`] });
  await expect
    .poll(async () => (await own.ask('search_data_context', { query: 'newly_made' })).results[0]?.qualified_name, {
      timeout: 20_000,
    })
    .toBe('postgres://workspace/core/newly_made');
  await own.close();
});
