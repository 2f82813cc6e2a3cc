import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenizePython } from '../../../../src/core/graph/scan/python.ts';
import { argumentOf, callsIn, constantsIn, textOf } from '../../../../src/core/graph/scan/python-calls.ts';
import { graphOf, problemsOf, upstreamOf } from '../workspace.ts';

const textIn = (expression: string, before = '') => {
  const tokens = tokenizePython(`${before}\nf(${expression})`);
  return textOf(argumentOf(callsIn(tokens).find(({ name }) => name === 'f')!, 0), constantsIn(tokens));
};

test.each([
  ["'a' 'b'", 'ab'],
  ['"a" + "b"', 'ab'],
  ["r'a\\n'", 'a\\n'],
  ["'a\\nb'", 'a\nb'],
  ["f'{base}/x.csv'", 'data/x.csv'],
  ["f'{other}/x.csv'", '*/x.csv'],
  ["f'{{x}}'", '{x}'],
  ["f\"{', '.join(f'{c}' for c in cs)}!\"", '*!'],
  ["base / 'x.csv'", 'data/x.csv'],
  ["os.path.join(base, 'x.csv')", 'data/x.csv'],
  ["'''a\nb'''", 'a\nb'],
  ['some_variable', undefined],
  ['unknown()', undefined],
])('the text of %s', (expression, expected) => {
  expect(textIn(expression, "base = 'data'")).toBe(expected);
});

test('a name that is given two values has none', () => {
  expect(textIn('base', "base = 'a'\nbase = 'b'")).toBeUndefined();
});

test('calls are found with their chain, keywords, line and what they are given to', () => {
  const calls = callsIn(
    tokenizePython("x = (1)\ny = spark.read.option('a', 1).parquet(\n  'p', header=True)\nwith open('q') as z: pass"),
  );
  expect(calls.map(({ name, line, target }) => [name, line, target])).toEqual([
    ['spark.read.option', 2, undefined],
    ['spark.read.option.parquet', 2, 'y'],
    ['open', 4, 'z'],
  ]);
  expect(calls[1]!.args.map(({ keyword }) => keyword)).toEqual([undefined, 'header']);
});

test('no text makes the tokenizer throw or stand still', () => {
  const piece = fc.constantFrom(
    "'",
    '"',
    "'''",
    '"""',
    '\\',
    '\n',
    'f"',
    "rb'",
    '{',
    '}',
    '(',
    ')',
    '#',
    'a',
    '.',
    '=',
    '1',
    'é',
    '@',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
      const tokens = tokenizePython(pieces.join(''));
      callsIn(tokens);
      constantsIn(tokens);
      expect(tokens.at(-1)!.type).toBe('end');
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['brackets', '('.repeat(200_000)],
  ['calls in calls', `${'f('.repeat(50_000)}${')'.repeat(50_000)}`],
  ['a chain of calls', `x${'.a()'.repeat(50_000)}`],
  ['strings', '"'.repeat(200_001)],
])('many %s take no time worth naming', (_, text) => {
  const tokens = tokenizePython(text);
  expect(callsIn(tokens).length).toBeLessThan(100_000);
});

describe('scripts', () => {
  const data = { 'data/in.csv': 'a,b\n1,2\n', 'data/more/in2.csv': 'a\n1\n' };

  test('reads and writes of pandas, polars, Spark and DB-API', async () => {
    const graph = await graphOf({
      ...data,
      'etl/load.py': `"""Loads things."""
import pandas as pd, polars as pl, sqlite3
BASE = "data"
a = pd.read_csv(f"{BASE}/in.csv", sep=";")
b = pl.scan_csv("data/more/*.csv")
a.to_parquet("out/result.parquet")
spark.read.parquet("s3://bucket/events/")
spark.table("core.events").write.mode("overwrite").saveAsTable("core.daily")
con = sqlite3.connect("data/shop.db")
pd.read_sql("select x from orders", con)
con.execute("insert into totals select * from orders")
# pd.read_csv("commented.csv")
`,
    });
    const self = 'file://etl/load.py';
    expect(upstreamOf(graph, self)).toEqual([
      'file://data/in.csv',
      'file://data/more/in2.csv',
      's3://bucket/events/',
      'sql://workspace/core/events',
      'sqlite://data/shop.db/orders',
    ]);
    const written = (graph.downstream.get(self) ?? []).map(({ to }) => to).sort();
    expect(written).toEqual([
      'file://data/shop.db',
      'file://out/result.parquet',
      'sql://workspace/core/daily',
      'sqlite://data/shop.db/totals',
    ]);
    expect(graph.assets.get(self)).toMatchObject({ node_type: 'script', description: 'Loads things.' });
    expect(graph.assets.get('file://out/result.parquet')).toMatchObject({ origin: 'external', node_type: 'external' });
    expect(problemsOf(graph)).toEqual([]);
  });

  test('a Python file that touches no data is no asset', async () => {
    const graph = await graphOf({ 'app.py': 'import pandas\nprint(pandas.__version__)\n' });
    expect(graph.assets.size).toBe(0);
  });
});

describe('Airflow', () => {
  const dag = `from airflow import DAG
from airflow.operators.bash import BashOperator
from airflow.providers.postgres.operators.postgres import PostgresOperator

with DAG(dag_id="nightly", schedule="0 3 * * *", default_args={"owner": "data"}, tags=["x"]) as dag:
    a = BashOperator(task_id="first", bash_command="python etl/run.py > out/log.csv")
    b = PostgresOperator(task_id="second", sql="insert into core.b select * from core.a")
    c = PostgresOperator(task_id="third", sql="sql/third.sql")
    d = BashOperator(task_id="last", bash_command="echo done", trigger_rule="all_done")
    a >> [b, c]
    d.set_upstream(b)
    c >> d
`;

  test('tasks in their order, with what their operators name', async () => {
    const graph = await graphOf({
      'dags/nightly.py': dag,
      'etl/run.py': 'x = 1',
      'dags/sql/third.sql': 'insert into core.c select * from core.a;',
    });
    const task = (name: string) => `airflow://nightly/${name}`;
    const order = [...graph.upstream.values()].flat().filter(({ basis }) => basis === 'task_order');
    expect(order.map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
      `${task('first')} ${task('second')}`,
      `${task('first')} ${task('third')}`,
      `${task('second')} ${task('last')}`,
      `${task('third')} ${task('last')}`,
    ]);
    expect(upstreamOf(graph, task('first'))).toEqual(['airflow://nightly', 'file://etl/run.py']);
    expect(upstreamOf(graph, task('third'))).toContain('file://dags/sql/third.sql');
    expect(upstreamOf(graph, task('second'))).toContain('sql://workspace/core/a');
    expect(graph.downstream.get(task('second'))!.map(({ to }) => to)).toContain('sql://workspace/core/b');
    expect(graph.assets.get('airflow://nightly')).toMatchObject({
      node_type: 'pipeline',
      tags: ['x'],
      facts: { schedule: '0 3 * * *', owner: 'data' },
    });
    expect(graph.assets.get(task('last'))).toMatchObject({
      facts: { operator: 'BashOperator', trigger_rule: 'all_done' },
    });
  });

  test('decorated DAGs and tasks, in the order of their calls', async () => {
    const graph = await graphOf({
      'dags/flow.py': `from airflow.decorators import dag, task
import pandas as pd

@dag(schedule=None)
def my_flow():
    @task
    def extract():
        return pd.read_csv("in.csv")

    @task(task_id="put")
    def load(frame):
        frame.to_parquet("out.parquet")

    rows = extract()
    load(rows)

my_flow()
`,
    });
    expect(upstreamOf(graph, 'airflow://my_flow/put')).toEqual(['airflow://my_flow/extract']);
    expect(upstreamOf(graph, 'airflow://my_flow/extract')).toEqual(['airflow://my_flow', 'file://in.csv']);
    expect(graph.downstream.get('airflow://my_flow/put')!.map(({ to }) => to)).toEqual(['file://out.parquet']);
  });

  test('a dbt command leads to the project that it runs', async () => {
    const graph = await graphOf({
      'dbt/dbt_project.yml': 'name: shop\n',
      'dbt/models/m.sql': 'select 1 as x',
      'dags/d.py':
        'from airflow import DAG\nwith DAG("d"):\n    BashOperator(task_id="t", bash_command="cd dbt && dbt build --select m")\n',
    });
    expect(graph.downstream.get('airflow://d/t')!.map(({ to }) => to)).toEqual(['dbt://shop']);
  });
});
