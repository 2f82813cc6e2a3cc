import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openCatalog, saveCatalog } from '../../../src/core/graph/catalog.ts';
import { folderOf, graphOf, problemsOf, put, scanFolder, touch, upstreamOf } from './workspace.ts';

const FILES = {
  'schema.sql': 'CREATE TABLE a (id serial);\nCREATE VIEW v AS SELECT id FROM a;',
  'data/x.csv': 'a,b\n1,2\n',
  'dbt/dbt_project.yml': 'name: p\n',
  'dbt/models/m.sql': "select id from {{ source('s', 'a') }}",
  'dbt/models/s.yml': 'sources:\n  - name: s\n    schema: public\n    tables: [{name: a}]\n',
  'nb.ipynb': '{"nbformat": 4, "cells": []}',
};

describe('a second scan', () => {
  test('reads only what changed, and gives the same graph as a fresh one', async () => {
    const folder = folderOf(FILES);
    const first = await scanFolder(folder);
    expect(first.outcome.read).toBe(6);
    const second = await scanFolder(folder, first.outcome.kept);
    expect(second.outcome.read).toBe(0);
    expect(second.graph).toEqual(first.graph);

    put(folder, { 'schema.sql': 'CREATE TABLE a (id serial, more text);' });
    touch(folder, 'schema.sql', 2_000_000_000);
    rmSync(join(folder, 'data/x.csv'));
    put(folder, { 'data/y.csv': 'c\n1\n' });
    const third = await scanFolder(folder, second.outcome.kept);
    expect(third.outcome.read).toBe(2);
    expect(third.graph.assets).toEqual((await scanFolder(folder)).graph.assets);
    expect(third.graph.assets.has('postgres://workspace/public/v')).toBe(false);
    expect(third.graph.assets.has('file://data/x.csv')).toBe(false);
  });

  test('does not read a file whose content is the same though its time is not', async () => {
    const folder = folderOf({ 'a.sql': 'CREATE TABLE a (id serial);' });
    const first = await scanFolder(folder);
    touch(folder, 'a.sql', 1_900_000_000);
    const second = await scanFolder(folder, first.outcome.kept);
    expect(second.outcome.kept.get('a.sql')!.fragment).toBe(first.outcome.kept.get('a.sql')!.fragment);
  });

  test('reads a file anew that has become part of a dbt project', async () => {
    const folder = folderOf({ 'models/m.sql': 'select 1 as one' });
    const first = await scanFolder(folder);
    expect([...first.graph.assets.keys()]).toEqual(['file://models/m.sql']);
    put(folder, { 'dbt_project.yml': 'name: late\n' });
    const second = await scanFolder(folder, first.outcome.kept);
    expect([...second.graph.assets.keys()]).toEqual(['dbt://late', 'dbt://late/m']);
  });
});

test('the kept fragments of a saved catalog are those that were saved', async () => {
  const folder = folderOf(FILES);
  const { graph, outcome } = await scanFolder(folder);
  const path = join(folderOf({}), 'catalog.json');
  await saveCatalog(path, outcome.kept);
  const { kept, problem } = await openCatalog(path);
  expect(problem).toBeUndefined();
  expect(kept).toEqual(outcome.kept);
  const reopened = await scanFolder(folder, kept);
  expect(reopened.outcome.read).toBe(0);
  expect(reopened.graph).toEqual(graph);
});

test('a catalog that is cut, changed or of another version counts as none', async () => {
  const { outcome } = await scanFolder(folderOf(FILES));
  const path = join(folderOf({}), 'catalog.json');
  await saveCatalog(path, outcome.kept);
  const { readFileSync } = await import('node:fs');
  const whole = readFileSync(path, 'utf8');
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 2), fc.boolean(), async (at, cut) => {
      const other = whole[at] === 'x' ? 'y' : 'x';
      writeFileSync(path, cut ? whole.slice(0, at) : whole.slice(0, at) + other + whole.slice(at + 1));
      const { kept, problem } = await openCatalog(path);
      // A change inside the first line may leave its JSON as it was in meaning only if it fails the checksum.
      expect(kept.size === 0 && problem !== undefined).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('files that are ignored, excluded, of a tool, or too large are left out; the last is said', async () => {
  const folder = folderOf({
    '.gitignore': 'private/\n',
    'private/a.csv': 'a\n1\n',
    'node_modules/x/data.csv': 'a\n1\n',
    'big.sql': `-- ${'x'.repeat(2000)}\nCREATE TABLE a (id serial);`,
    'kept.csv': 'a\n1\n',
  });
  const { graph } = await scanFolder(folder, new Map(), 1000);
  expect([...graph.assets.keys()]).toEqual(['file://kept.csv']);
  expect(problemsOf(graph)).toEqual([expect.stringMatching(/^big\.sql: .*over the limit/)]);
});

test('links are not followed, and what cannot be read is said', async () => {
  const outside = folderOf({ 'far.csv': 'a\n1\n' });
  const folder = folderOf({ 'x.csv': 'a\n1\n', 'y.sql': 'CREATE TABLE y (id serial);' });
  symlinkSync(join(outside, 'far.csv'), join(folder, 'link.csv'));
  mkdirSync(join(folder, 'loop'));
  symlinkSync(folder, join(folder, 'loop/back'));
  const { graph } = await scanFolder(folder);
  expect([...graph.assets.keys()]).toEqual(['file://x.csv', 'postgres://workspace/public/y']);
  expect(problemsOf(graph)).toEqual([expect.stringContaining('link.csv')]);
});

test.skipIf(process.getuid?.() === 0)('a file without permission is said', async () => {
  const folder = folderOf({ 'x.sql': 'CREATE TABLE y (id serial);' });
  chmodSync(join(folder, 'x.sql'), 0);
  expect(problemsOf((await scanFolder(folder)).graph)).toEqual([expect.stringContaining('x.sql')]);
});

test('names with quotes, spaces, dots and any script are kept', async () => {
  const graph = await graphOf({
    'dätä/größe "x" 漢字.csv': 'a b,"c""d",é\n1,2,3\n',
    'weird.sql': 'CREATE TABLE "My Table/1#" ("Col A" serial, "ünï" text);',
  });
  expect([...graph.assets.keys()]).toEqual([
    'file://dätä/größe "x" 漢字.csv',
    'postgres://workspace/public/My Table%2F1%23',
  ]);
  expect(problemsOf(graph)).toEqual([]);
});

describe('dbt', () => {
  const project = {
    'dbt_project.yml':
      'name: shop\nmodels:\n  shop:\n    staging: {+schema: stage, +materialized: view}\n    marts: {+materialized: table}\n',
    'models/staging/stg.sql': "select id, name from {{ source('raw', 'people') }}",
    'models/marts/mart.sql':
      "{{ config(alias='people_mart') }} select name from {{ ref('stg') }} join {{ ref('other_pkg', 'calendar') }} using (id)",
    'models/sources.yml': `sources:
  - name: raw
    description: As they come.
    freshness: {warn_after: {count: 12, period: hour}}
    loaded_at_field: at
    tables:
      - name: people
        columns: [{name: id, data_type: bigint, tests: [unique]}]
`,
    'snapshots/s.sql':
      "{% snapshot people_history %}{{ config(unique_key='id') }} select * from {{ ref('stg') }}{% endsnapshot %}",
    'analyses/a.sql': "select count(*) from {{ ref('mart') }}",
    'tests/t.sql': "select * from {{ ref('mart') }} where name is null",
    'macros/m.sql': '{% macro x() %}{% endmacro %}',
    'target/compiled/shop/models/stg.sql': 'select 1',
    'dbt_packages/other/dbt_project.yml': 'name: other\n',
    'dbt_packages/other/models/z.sql': 'select 1',
  };
  const at = (name: string) => `dbt://shop/${name}`;

  test('projects are laid out by their dbt_project.yml; what dbt made itself is left out', async () => {
    const graph = await graphOf(project);
    expect([...graph.assets.values()].map(({ qualified_name, node_type }) => `${node_type} ${qualified_name}`)).toEqual(
      [
        'external dbt://other_pkg/calendar',
        'project dbt://shop',
        `query ${at('analysis/a')}`,
        `model ${at('mart')}`,
        `snapshot ${at('people_history')}`,
        `source ${at('source/raw/people')}`,
        `model ${at('stg')}`,
        `test ${at('test/t')}`,
      ],
    );
    expect(graph.assets.get(at('stg'))!.facts).toEqual({ project: 'shop', materialized: 'view', schema: 'stage' });
    expect(graph.assets.get(at('source/raw/people'))!).toMatchObject({
      description: 'As they come.',
      freshness: { basis: 'declared', expected: 'warns after 12 hours, by at' },
    });
    expect(upstreamOf(graph, at('people_history'))).toEqual([at('stg')]);
  });

  test('a dashboard that reads the relation of a model reads the model', async () => {
    const graph = await graphOf({
      ...project,
      'd.json': JSON.stringify({
        uid: 'd',
        title: 'D',
        schemaVersion: 1,
        panels: [
          { title: 'P', targets: [{ rawSql: 'select * from analytics.people_mart join dev_stage.stg using (id)' }] },
        ],
      }),
    });
    expect(upstreamOf(graph, 'grafana://d')).toEqual([at('mart'), at('stg')]);
  });

  test('models that read each other in a circle are listed once', async () => {
    const graph = await graphOf({
      'dbt_project.yml': 'name: c\n',
      'models/a.sql': "select * from {{ ref('b') }}",
      'models/b.sql': "select * from {{ ref('a') }}",
    });
    expect(upstreamOf(graph, 'dbt://c/a')).toEqual(['dbt://c/b']);
    expect(upstreamOf(graph, 'dbt://c/b')).toEqual(['dbt://c/a']);
  });

  test('a chain of three thousand models is followed', async () => {
    const models = Object.fromEntries(
      Array.from({ length: 3000 }, (_, i) => [
        `models/m${i}.sql`,
        i === 0 ? 'select 1 as x' : `select * from {{ ref('m${i - 1}') }}`,
      ]),
    );
    const graph = await graphOf({ 'dbt_project.yml': 'name: c\n', ...models });
    expect(graph.assets.get('dbt://c/m2999')!.columns).toEqual([{ name: 'x' }]);
  }, 60_000);

  describe('manifest.json', () => {
    const manifest = {
      nodes: {
        'model.shop.stg': {
          resource_type: 'model',
          package_name: 'shop',
          name: 'stg',
          original_file_path: 'models/staging/stg.sql',
          raw_code: 'select 1',
          description: 'From the manifest.',
          columns: { id: { name: 'id', description: 'Key', data_type: 'bigint' } },
          config: { materialized: 'view' },
          schema: 'dev_stage',
          alias: 'stg',
          depends_on: { nodes: ['source.shop.raw.people'] },
        },
        'model.shop.mart': {
          resource_type: 'model',
          package_name: 'shop',
          name: 'mart',
          original_file_path: 'models/marts/mart.sql',
          raw_code: 'select 1',
          columns: {},
          config: { materialized: 'table' },
          depends_on: { nodes: ['model.shop.stg', 'model.other_pkg.calendar'] },
        },
        'model.other_pkg.calendar': {
          resource_type: 'model',
          package_name: 'other_pkg',
          name: 'calendar',
          original_file_path: 'models/calendar.sql',
          depends_on: { nodes: [] },
        },
      },
      sources: {
        'source.shop.raw.people': {
          package_name: 'shop',
          source_name: 'raw',
          name: 'people',
          schema: 'raw',
          identifier: 'people',
          original_file_path: 'models/sources.yml',
          columns: {},
        },
      },
      exposures: {
        'exposure.shop.e': {
          package_name: 'shop',
          name: 'e',
          label: 'E',
          type: 'dashboard',
          original_file_path: 'models/e.yml',
          depends_on: { nodes: ['model.shop.mart'] },
          owner: { name: 'Z' },
        },
      },
    };

    test('is taken where it is as new as the files, which still give the columns', async () => {
      const folder = folderOf({
        ...project,
        'target/manifest.json': JSON.stringify(manifest),
        '.gitignore': 'target/\n',
      });
      touch(folder, 'target/manifest.json', 4_000_000_000);
      const { graph } = await scanFolder(folder);
      expect(graph.assets.get(at('stg'))).toMatchObject({
        description: 'From the manifest.',
        columns: [{ name: 'id', type: 'bigint', description: 'Key' }, { name: 'name' }],
      });
      expect(upstreamOf(graph, at('mart'))).toEqual(['dbt://other_pkg/calendar', at('stg')]);
      expect(upstreamOf(graph, at('exposure/e'))).toEqual([at('mart')]);
      expect(problemsOf(graph)).toEqual([]);
    });

    test('that is older than a model is left, and that is said', async () => {
      const folder = folderOf({ ...project, 'target/manifest.json': JSON.stringify(manifest) });
      touch(folder, 'target/manifest.json', 1_000_000_000);
      const { graph } = await scanFolder(folder);
      expect(graph.assets.get(at('stg'))!.description).toBeUndefined();
      expect(problemsOf(graph)).toEqual([
        expect.stringMatching(/^target\/manifest\.json: The manifest is older than /),
      ]);
    });

    test('that is damaged is left, and that is said', async () => {
      const folder = folderOf({ ...project, 'target/manifest.json': '{"nodes": ' });
      touch(folder, 'target/manifest.json', 4_000_000_000);
      const { graph } = await scanFolder(folder);
      expect(graph.assets.has(at('mart'))).toBe(true);
      expect(problemsOf(graph)).toEqual([expect.stringContaining('cannot be read')]);
    });
  });
});

test('moving a workspace changes no qualified name', async () => {
  const folder = folderOf(FILES);
  const before = [...(await scanFolder(folder)).graph.assets.keys()];
  renameSync(folder, `${folder} moved`);
  const after = [...(await scanFolder(`${folder} moved`)).graph.assets.keys()];
  rmSync(`${folder} moved`, { recursive: true });
  expect(after).toEqual(before);
});
