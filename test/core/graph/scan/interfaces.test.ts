import { describe, expect, test } from 'vitest';
import { assetNamed, columnsOf, graphOf, problemsOf, upstreamOf } from '../workspace.ts';

test('Prisma: models with their columns, keys and documentation, and the tables they map', async () => {
  const graph = await graphOf({
    'prisma/schema.prisma': `datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}
enum Role { 
  USER
  ADMIN
}
/// A person who signs in.
model User {
  id    Int     @id @default(autoincrement())
  /// Where to write to.
  email String  @unique
  name  String?
  role  Role    @default(USER)
  posts Post[]
  @@map("users")
}
model Post {
  id       Int  @id
  author   User @relation(fields: [authorId], references: [id])
  authorId Int
  tags     String[]
}
`,
    'prisma/migrations/1_init/migration.sql': 'CREATE TABLE "users" ("id" SERIAL PRIMARY KEY, "email" TEXT NOT NULL);',
  });
  const user = 'prisma://prisma/schema.prisma/User';
  expect(problemsOf(graph)).toEqual([]);
  expect(columnsOf(graph, user)).toEqual(['id Int', 'email String', 'name String', 'role enum Role']);
  expect(assetNamed(graph, user)).toMatchObject({
    description: 'A person who signs in.',
    place: { line: 10 },
    facts: { table: 'users' },
  });
  expect(assetNamed(graph, user).columns![1]!.description).toBe('Where to write to.');
  expect(
    assetNamed(graph, 'prisma://prisma/schema.prisma/Post').columns!.find(({ name }) => name === 'authorId')!
      .references!.column,
  ).toBe('id');
  expect(upstreamOf(graph, user)).toEqual(['postgres://workspace/public/users']);
});

test('Prisma that is not closed or not understood is reported by line', async () => {
  const graph = await graphOf({ 'schema.prisma': 'model A {\n  id Int @id\n  ???\n' });
  expect(problemsOf(graph)).toEqual([
    'schema.prisma:3 Not understood: ???',
    'schema.prisma:1 The model is not closed.',
  ]);
  expect(columnsOf(graph, 'prisma://schema.prisma/A')).toEqual(['id Int']);
});

test('GraphQL: types, extended ones too, and operations with what they take and give', async () => {
  const graph = await graphOf({
    'api/schema.graphql': `"A thing sold."
type Product { id: ID!, name: String, maker: Maker! }
type Maker { id: ID! }
extend type Product { price: Float }
input NewProduct { name: String! }
enum Kind { A B }
type Query { product(id: ID!): Product }
type Mutation { addProduct(input: NewProduct!): Product! }
`,
  });
  const at = (name: string) => `graphql://api/schema.graphql/${name}`;
  expect(columnsOf(graph, at('Product'))).toEqual(['id ID!', 'name String', 'maker Maker!', 'price Float']);
  expect(assetNamed(graph, at('Product')).description).toBe('A thing sold.');
  expect(assetNamed(graph, at('Query/product'))).toMatchObject({
    node_type: 'endpoint',
    facts: { kind: 'query', returns: 'Product' },
  });
  expect(upstreamOf(graph, at('Product'))).toEqual([at('Maker'), at('Mutation/addProduct'), at('Query/product')]);
  expect(upstreamOf(graph, at('Mutation/addProduct'))).toEqual([at('NewProduct')]);
});

test('GraphQL that does not parse is reported by line', async () => {
  const graph = await graphOf({
    'bad.graphql': 'type A {\n  id: \n}',
    'deep.gql': `type A { f(a: ${'['.repeat(100_000)}`,
  });
  expect(graph.problems.map(({ file, line }) => [file, line])).toEqual([
    ['bad.graphql', 3],
    ['deep.gql', 1],
  ]);
});

describe('OpenAPI', () => {
  const spec = {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/orders/{id}': {
        parameters: [{ $ref: '#/components/parameters/Id' }],
        get: {
          operationId: 'getOrder',
          summary: 'Read one',
          tags: ['orders'],
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } } },
        },
        post: {
          requestBody: {
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Line' } } },
            },
          },
          responses: {},
        },
      },
    },
    components: {
      parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } } },
      schemas: {
        Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
        Order: {
          allOf: [
            { $ref: '#/components/schemas/Base' },
            { type: 'object', properties: { lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } } } },
          ],
        },
        Line: { type: 'object', properties: { order: { $ref: '#/components/schemas/Order' } } },
      },
    },
  };

  test('endpoints and schemas, with what is taken, given and referred to', async () => {
    const graph = await graphOf({ 'api.json': JSON.stringify(spec, null, 2) });
    const at = (name: string) => `openapi://api.json/${name}`;
    expect(assetNamed(graph, at('getOrder'))).toMatchObject({
      node_type: 'endpoint',
      name: 'GET /orders/{id}',
      description: 'Read one',
      tags: ['orders'],
    });
    expect(columnsOf(graph, at('getOrder'))).toEqual(['id integer (int64)']);
    expect(columnsOf(graph, at('schema/Order'))).toEqual(['id integer', 'lines Line[]']);
    expect(graph.downstream.get(at('getOrder'))!.map(({ to }) => to)).toEqual([at('schema/Order')]);
    expect(upstreamOf(graph, 'openapi://api.json/post %2Forders%2F{id}')).toEqual([at('schema/Line')]);
    expect(upstreamOf(graph, at('schema/Line'))).toEqual([at('schema/Order')]);
  });

  test('Swagger 2, in YAML with lines', async () => {
    const graph = await graphOf({
      'swagger.yaml':
        "swagger: '2.0'\npaths:\n  /a:\n    get:\n      operationId: a\n      responses: {'200': {schema: {$ref: '#/definitions/A'}}}\ndefinitions:\n  A:\n    properties: {x: {type: string}}\n",
    });
    expect(assetNamed(graph, 'openapi://swagger.yaml/schema/A').place).toEqual({ file: 'swagger.yaml', line: 9 });
    expect(upstreamOf(graph, 'openapi://swagger.yaml/schema/A')).toEqual(['openapi://swagger.yaml/a']);
  });

  test('YAML that expands without end or is nested too deeply is reported', async () => {
    const bomb = [
      'openapi: 3.0.0',
      'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}*a${i}]`),
    ].join('\n');
    const graph = await graphOf({ 'bomb.yaml': bomb, 'deep.yaml': `openapi: ${'['.repeat(20_000)}` });
    expect(graph.assets.size).toBe(0);
  });
});

test('Grafana: what panels, nested ones too, and variables read', async () => {
  const dashboard = {
    uid: 'sales',
    title: 'Sales',
    schemaVersion: 39,
    templating: { list: [{ name: 'c', type: 'query', query: 'SELECT DISTINCT country FROM core.customers' }] },
    panels: [
      {
        type: 'row',
        panels: [
          {
            title: 'Inner',
            targets: [
              {
                rawSql:
                  'SELECT $__timeGroup(at, 1h) AS time, sum(x) FROM core.orders WHERE $__timeFilter(at) AND c IN ($c) GROUP BY 1',
              },
            ],
          },
        ],
      },
      { title: 'Metric', targets: [{ expr: 'rate(http_requests_total[5m])' }] },
      { title: 'Broken', targets: [{ rawSql: 'SELEC x FROM' }] },
    ],
  };
  const graph = await graphOf({
    'd/sales.json': JSON.stringify({ dashboard }, null, 2),
    'schema.sql': 'CREATE TABLE core.orders (id serial);CREATE TABLE core.customers (id serial);',
  });
  expect(upstreamOf(graph, 'grafana://sales')).toEqual([
    'postgres://workspace/core/customers',
    'postgres://workspace/core/orders',
  ]);
  expect(assetNamed(graph, 'grafana://sales').description).toBe('Panels: Inner; Metric; Broken');
  expect(problemsOf(graph)).toEqual([expect.stringMatching(/^d\/sales\.json:\d+ Broken: SQL not read/)]);
});

test('Metabase: questions by SQL, by table and by another question, and dashboards of them', async () => {
  const graph = await graphOf({
    'export.json': JSON.stringify([
      {
        id: 7,
        name: 'Orders a day',
        dataset_query: {
          native: { query: 'select day, count(*) from core.orders where 1=1 [[and c = {{c}}]] group by 1' },
        },
      },
      { id: 8, name: 'Built', dataset_query: { query: { 'source-table': ['db', 'core', 'orders'] } } },
      { id: 9, name: 'On top', dataset_query: { query: { 'source-table': 'card__7' } } },
      { id: 1, name: 'Board', dashcards: [{ card_id: 7 }, { card_id: 8 }] },
    ]),
    'schema.sql': 'CREATE TABLE core.orders (id serial);',
  });
  expect(problemsOf(graph)).toEqual([]);
  expect(upstreamOf(graph, 'metabase://card/7')).toEqual(['postgres://workspace/core/orders']);
  expect(upstreamOf(graph, 'metabase://card/8')).toEqual(['postgres://workspace/core/orders']);
  expect(upstreamOf(graph, 'metabase://card/9')).toEqual(['metabase://card/7']);
  expect(upstreamOf(graph, 'metabase://dashboard/1')).toEqual(['metabase://card/7', 'metabase://card/8']);
});

test('Evidence: queries of a page, which may build on each other', async () => {
  const graph = await graphOf({
    'pages/sales/index.md':
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Evidence's own notation
      "# Sales\n\n```sql base\nselect * from shop.orders where c = '${params.c}'\n```\n\n```sql top\nselect x from ${base} limit 5\n```\n\n```sql\nnot a query of the page\n```\n",
    'schema.sql': 'CREATE TABLE shop.orders (id serial, x int);',
  });
  expect(upstreamOf(graph, 'evidence://pages/sales/index.md')).toEqual(['postgres://workspace/shop/orders']);
  expect(assetNamed(graph, 'evidence://pages/sales/index.md')).toMatchObject({ name: 'Sales', facts: { queries: 2 } });
});

describe('pipelines', () => {
  test('GitHub Actions: jobs in their order, dbt runs and files that commands name', async () => {
    const graph = await graphOf({
      '.github/workflows/ci.yml': `name: CI
on:
  schedule: [{cron: '0 3 * * *'}]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - name: Load
        run: python scripts/load.py data/in.csv > out/log.txt
  test:
    needs: build
    steps:
      - working-directory: dbt
        run: dbt build
`,
      'data/in.csv': 'a\n1\n',
      'dbt/dbt_project.yml': 'name: shop\n',
    });
    const job = (name: string) => `github-actions://ci.yml/${name}`;
    expect(upstreamOf(graph, job('build'))).toEqual(['file://data/in.csv', 'github-actions://ci.yml']);
    expect(upstreamOf(graph, job('test'))).toEqual([job('build')]);
    expect(graph.downstream.get(job('test'))!.map(({ to }) => to)).toEqual(['dbt://shop']);
    expect(assetNamed(graph, 'github-actions://ci.yml')).toMatchObject({
      name: 'CI',
      facts: { triggers: 'schedule', schedule: '0 3 * * *' },
    });
    expect(assetNamed(graph, job('test')).place).toEqual({ file: '.github/workflows/ci.yml', line: 11 });
  });

  test('GitLab CI: by stage, or by need', async () => {
    const graph = await graphOf({
      '.gitlab-ci.yml':
        'stages: [a, b, c]\n.hidden: {script: [x]}\none: {stage: a, script: [echo]}\ntwo: {stage: b, script: [echo]}\nthree: {stage: c, needs: [one], script: [echo]}\nvariables: {X: y}\n',
    });
    const job = (name: string) => `gitlab-ci://.gitlab-ci.yml/${name}`;
    expect(upstreamOf(graph, job('two'))).toEqual([job('one')]);
    expect(upstreamOf(graph, job('three'))).toEqual([job('one')]);
    expect(upstreamOf(graph, job('one'))).toEqual(['gitlab-ci://.gitlab-ci.yml']);
    expect(graph.assets.has(job('.hidden'))).toBe(false);
  });
});

test('notebooks: what cells read and write, by cell', async () => {
  const cell = (source: string, cell_type = 'code') => ({ cell_type, source, metadata: {}, outputs: [] });
  const notebook = {
    nbformat: 4,
    metadata: { language_info: { name: 'python' } },
    cells: [
      cell('# Revenue\nWhat came in.', 'markdown'),
      cell('%matplotlib inline\n!ls\nimport pandas as pd\nx = pd.read_csv("../data/in.csv")'),
      cell('%%sql\nselect * from core.orders'),
      cell('y = %sql select 1 from core.lines\nx.to_parquet("out.parquet")'),
    ],
  };
  const graph = await graphOf({
    'nb/a.ipynb': JSON.stringify(notebook),
    'nb/bad.ipynb': '{"cells": 3}',
    'data/in.csv': 'a\n1\n',
    'schema.sql': 'CREATE TABLE core.orders (id serial);CREATE TABLE core.lines (id serial);',
  });
  const self = 'jupyter://nb/a.ipynb';
  expect(upstreamOf(graph, self)).toEqual([
    'file://data/in.csv',
    'postgres://workspace/core/lines',
    'postgres://workspace/core/orders',
  ]);
  expect(graph.downstream.get(self)!.map(({ to }) => to)).toEqual(['file://nb/out.parquet']);
  expect(graph.upstream.get(self)!.map(({ place }) => place!.line)).toEqual([2, 4, 3]);
  expect(assetNamed(graph, self).description).toBe('Revenue. What came in.');
  expect(problemsOf(graph)).toEqual([expect.stringMatching(/^nb\/bad\.ipynb:1 /)]);
});
