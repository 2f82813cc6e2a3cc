import { describe, expect, test } from 'vitest';
import { columnsOf, graphOf, problemsOf, sourcesOf, upstreamOf } from './workspace.ts';

/** dbt's example project as its documentation tells of it: three seeds, three staging models, two marts. */
const PROJECT = {
  'dbt_project.yml': `name: jaffle_shop
version: '0.1'
profile: jaffle_shop
model-paths: ["models"]
seed-paths: ["seeds"]
models:
  jaffle_shop:
    materialized: table
    staging:
      materialized: view
`,
  'seeds/raw_customers.csv': 'id,first_name,last_name\n1,Ada,L.\n2,Grace,H.\n',
  'seeds/raw_orders.csv': 'id,user_id,order_date,status\n1,1,2018-01-01,returned\n2,2,2018-01-02,completed\n',
  'seeds/raw_payments.csv': 'id,order_id,payment_method,amount\n1,1,credit_card,1000\n2,2,coupon,2000\n',
  'models/staging/stg_customers.sql': `with source as (
    {#- The seeds stand in for raw tables. #}
    select * from {{ ref('raw_customers') }}
),
renamed as (
    select id as customer_id, first_name, last_name from source
)
select * from renamed
`,
  'models/staging/stg_orders.sql': `with source as (select * from {{ ref("raw_orders") }}),
renamed as (select id as order_id, user_id as customer_id, order_date, status from source)
select * from renamed
`,
  'models/staging/stg_payments.sql': `with source as (select * from {{ ref('raw_payments') }}),
renamed as (
    select id as payment_id, order_id, payment_method,
    -- cents become dollars
    amount / 100 as amount
    from source
)
select * from renamed
`,
  'models/customers.sql': `with customers as (select * from {{ ref('stg_customers') }}),
orders as (select * from {{ ref('stg_orders') }}),
payments as (select * from {{ ref('stg_payments') }}),
customer_orders as (
    select customer_id, min(order_date) as first_order, max(order_date) as most_recent_order, count(order_id) as number_of_orders
    from orders group by customer_id
),
customer_payments as (
    select orders.customer_id, sum(amount) as total_amount
    from payments left join orders on payments.order_id = orders.order_id
    group by orders.customer_id
),
final as (
    select customers.customer_id, customers.first_name, customers.last_name,
        customer_orders.first_order, customer_orders.most_recent_order, customer_orders.number_of_orders,
        customer_payments.total_amount as customer_lifetime_value
    from customers
    left join customer_orders on customers.customer_id = customer_orders.customer_id
    left join customer_payments on customers.customer_id = customer_payments.customer_id
)
select * from final
`,
  'models/orders.sql': `{% set payment_methods = ['credit_card', 'coupon', 'bank_transfer', 'gift_card'] %}
with orders as (select * from {{ ref('stg_orders') }}),
payments as (select * from {{ ref('stg_payments') }}),
order_payments as (
    select order_id,
        {% for payment_method in payment_methods -%}
        sum(case when payment_method = '{{ payment_method }}' then amount else 0 end) as {{ payment_method }}_amount,
        {% endfor -%}
        sum(amount) as total_amount
    from payments group by order_id
),
final as (
    select orders.order_id, orders.customer_id, orders.order_date, orders.status,
        {% for payment_method in payment_methods -%}
        order_payments.{{ payment_method }}_amount,
        {% endfor -%}
        order_payments.total_amount as amount
    from orders left join order_payments on orders.order_id = order_payments.order_id
)
select * from final
`,
  'models/schema.yml': `version: 2
models:
  - name: customers
    description: One row per customer, with what is derived from their orders
    columns:
      - name: customer_id
        description: Unique for a customer
        tests: [unique, not_null]
      - name: customer_lifetime_value
        description: Total of their payments
  - name: orders
    description: "{{ doc('orders_table') }}"
    columns:
      - name: status
        description: "{{ doc('orders_status') }}"
        tests:
          - accepted_values:
              values: ['placed', 'shipped', 'completed', 'return_pending', 'returned']
      - name: customer_id
        tests:
          - relationships:
              to: ref('customers')
              field: customer_id
`,
  'models/docs.md': `{% docs orders_status %}
Where an order stands.
{% enddocs %}
{% docs orders_table %}One row per order.{% enddocs %}
`,
};

const model = (name: string) => `dbt://jaffle_shop/${name}`;

describe('jaffle_shop', async () => {
  const graph = await graphOf(PROJECT);

  test('reads without a problem', () => {
    expect(problemsOf(graph)).toEqual([]);
  });

  test.each([
    ['stg_customers', ['raw_customers']],
    ['stg_orders', ['raw_orders']],
    ['stg_payments', ['raw_payments']],
    ['customers', ['stg_customers', 'stg_orders', 'stg_payments']],
    ['orders', ['stg_orders', 'stg_payments']],
  ])('%s is built from the published parents', (name, parents) => {
    expect(upstreamOf(graph, model(name))).toEqual(parents.map(model));
  });

  test('the marts have the published columns, in order', () => {
    const names = (name: string) => columnsOf(graph, model(name)).map((column) => column.split(' ')[0]);
    expect(names('customers')).toEqual([
      'customer_id',
      'first_name',
      'last_name',
      'first_order',
      'most_recent_order',
      'number_of_orders',
      'customer_lifetime_value',
    ]);
    expect(names('orders')).toEqual([
      'order_id',
      'customer_id',
      'order_date',
      'status',
      'credit_card_amount',
      'coupon_amount',
      'bank_transfer_amount',
      'gift_card_amount',
      'amount',
    ]);
  });

  test.each([
    ['customers', 'customer_lifetime_value', ['stg_payments#amount']],
    ['customers', 'first_order', ['stg_orders#order_date']],
    ['customers', 'number_of_orders', ['stg_orders#order_id']],
    ['customers', 'customer_id', ['stg_customers#customer_id']],
    ['orders', 'amount', ['stg_payments#amount']],
    ['orders', 'gift_card_amount', ['stg_payments#amount', 'stg_payments#payment_method']],
    ['stg_payments', 'amount', ['raw_payments#amount']],
    ['stg_orders', 'customer_id', ['raw_orders#user_id']],
  ])('%s.%s comes from the right columns', (name, column, sources) => {
    expect(sourcesOf(graph, model(name), column)).toEqual(sources.map(model));
  });

  test('descriptions, docs blocks, tests and materializations are read', () => {
    const orders = graph.assets.get(model('orders'))!;
    expect(orders.description).toBe('One row per order.');
    const status = orders.columns!.find(({ name }) => name === 'status')!;
    expect(status).toMatchObject({ description: 'Where an order stands.' });
    expect(status.tests).toEqual(['accepted_values(placed, shipped, completed, return_pending, returned)']);
    expect(orders.columns!.find(({ name }) => name === 'customer_id')!.tests).toEqual(['relationships(to customers)']);
    expect(orders.facts).toMatchObject({ materialized: 'table' });
    expect(graph.assets.get(model('stg_orders'))!.facts).toMatchObject({ materialized: 'view' });
    expect(graph.assets.get(model('raw_orders'))!).toMatchObject({ node_type: 'seed', facts: { row_count: 2 } });
  });

  test('edges carry the line of the ref', () => {
    const edge = graph.upstream.get(model('customers'))!.find(({ from }) => from === model('stg_payments'))!;
    expect(edge).toMatchObject({ basis: 'dbt_ref', place: { file: 'models/customers.sql', line: 3 } });
  });

  test('a column whose expression has a name keeps no type of what it is made of', () => {
    expect(columnsOf(graph, model('stg_orders'))).toContain('order_date date');
    expect(columnsOf(graph, model('stg_payments'))).toContain('amount ?');
  });
});
