import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import { runTool } from '../../src/tools/run.ts';
import { openWorkspace, resultBytes, temporary, type Workspace } from './workspace.ts';

const folder = temporary();
const connections = [{ type: 'sqlite', name: 'shop', description: 'What was sold', path: 'shop.db' }];
const settings = { 'budget.calls': 0, 'data.connections': connections };
const files = {
  'data/rows.csv': `id,text\n${Array.from({ length: 500 }, (_, i) => `${i},${'é'.repeat(200)}`).join('\n')}\n`,
  'sql/top.sql': 'select sum(amount) from customer_orders',
};
let ws: Workspace;

beforeAll(async () => {
  ws = openWorkspace(files, { folder, settings });
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec(
    'create table customer_orders (id integer primary key, amount real); insert into customer_orders values (1, 2.5), (2, null)',
  );
  database.close();
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', 'sql'], { cwd: folder });
});
afterAll(() => ws.close());

test('list_connections opens nothing and tells how each stands', async () => {
  const { connections: listed } = await ws.ask('list_connections');
  expect(listed).toMatchObject([
    { connection_id: 'workspace', type: 'files', connection_status: 'bound' },
    { connection_id: 'sqlite.shop', name: 'shop', description: 'What was sold', connection_status: 'bound_unmeasured' },
  ]);
  expect(listed[1]).not.toHaveProperty('reachable');
  expect((await ws.ask('list_connections', { files: true })).files).toMatchObject([
    { table: '"data/rows.csv"' },
    { table: '"shop.db".<table>' },
  ]);
});

test('run_query answers with typed columns and pages that fit', async () => {
  expect(
    await ws.ask('run_query', { connection_id: 'sqlite.shop', sql: 'select * from customer_orders order by id' }),
  ).toMatchObject({
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'amount', type: 'real' },
    ],
    rows: [
      [1, 2.5],
      [2, null],
    ],
    returned: 2,
    has_more: false,
    next_offset: null,
  });
  const seen: number[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await ws.ask('run_query', {
      connection_id: 'workspace',
      sql: 'select id, text from rows order by id limit 60',
      offset,
    });
    expect(resultBytes(page)).toBeLessThan(8000);
    seen.push(...page.rows.map(([id]: [number]) => id));
    offset = page.next_offset;
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => i));
  expect(
    (await ws.ask('run_query', { connection_id: 'workspace', sql: 'select id from rows', limit: 5 })).notes,
  ).toEqual(['Without ORDER BY, pages may overlap or leave out rows.']);
});

test('run_query refuses what may write, and says what else to do', async () => {
  const refused = await ws.refuse('run_query', { connection_id: 'sqlite.shop', sql: 'delete from customer_orders' });
  expect(refused).toMatchObject({
    error_code: 'not_read_only',
    next_step: expect.stringContaining('loci.data.allowWrites'),
  });
  expect(await ws.refuse('run_query', { connection_id: 'nowhere', sql: 'select 1' })).toMatchObject({
    error_code: 'unknown_connection',
    next_step: expect.stringContaining('sqlite.shop'),
  });
  expect(
    await ws.refuse('run_query', { connection_id: 'sqlite.shop', sql: 'select amout from customer_orders' }),
  ).toMatchObject({ next_step: 'Nearest columns: customer_orders.amount.' });
});

test('run_query writes only when a person confirmed it', async () => {
  const open = openWorkspace({}, { folder, settings: { ...settings, 'data.allowWrites': true } });
  const tool = tools.find(({ name }) => name === 'run_query')!;
  const input = { connection_id: 'sqlite.shop', sql: 'update customer_orders set amount = 3 where id = 2' };
  expect(await open.refuse('run_query', input)).toMatchObject({ error_code: 'needs_confirmation' });
  expect((await runTool(tool, input, { app: open.app, confirmed: true })).result).toMatchObject({
    success: true,
    rows_changed: 1,
  });
  expect((await open.ask('run_query', { ...input, sql: 'select sum(amount) from customer_orders' })).rows).toEqual([
    [5.5],
  ]);
  await open.close();
});

test('find_past_queries recalls what was run and what git tracks', async () => {
  const found = await ws.ask('find_past_queries', { topic: 'customer orders' });
  expect(resultBytes(found)).toBeLessThan(8000);
  expect(found.matched_queries.map(({ source }: { source: string }) => source)).toEqual(
    expect.arrayContaining(['run', 'workspace_file']),
  );
  expect(found).toMatchObject({
    why_matched: { resolution_method: 'query_text' },
    coverage: { workspace_sql_files: { files: 1 } },
  });
});

test('values of columns whose names say that they are secret are taken out', async () => {
  const sql = "select 'ops' as user_name, 'hunter22' as password, 'k-17x' as api_key";
  const result = await ws.ask('run_query', { connection_id: 'sqlite.shop', sql });
  expect(result.rows).toEqual([['ops', '[redacted:secret]', '[redacted:secret]']]);
});
