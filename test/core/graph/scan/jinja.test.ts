import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTemplate } from '../../../../src/core/graph/scan/dbt-template.ts';
import { parseTemplate } from '../../../../src/core/graph/scan/jinja.ts';

const render = (text: string) => renderTemplate(parseTemplate(text).nodes);
const sql = (text: string) => render(text).sql.replace(/\s+/g, ' ').trim();

test('references become tables, each once', () => {
  const { sql: text, refs } = render("select * from {{ ref('a') }} join {{ source('s', 't') }} join {{ ref('a') }}");
  expect(text).toBe('select * from loci_ref_0 join loci_ref_1 join loci_ref_0');
  expect(refs.map(({ ref }) => ref)).toEqual([
    { kind: 'dbt', name: 'a' },
    { kind: 'dbt_source', source: 's', table: 't' },
  ]);
});

test('packages and versions of a reference are kept', () => {
  const { refs } = render("{{ ref('pkg', 'm', v=2) }} {{ ref('n', version='3') }}");
  expect(refs.map(({ ref }) => ref)).toEqual([
    { kind: 'dbt', name: 'm', package: 'pkg', version: '2' },
    { kind: 'dbt', name: 'n', version: '3' },
  ]);
});

test.each([
  ["{% set xs = ['a', 'b'] %}{% for x in xs %}{{ x }}_n{% if not loop.last %}, {% endif %}{% endfor %}", 'a_n, b_n'],
  ["{% for k, v in [('a', 1), ('b', 2)] %}{{ k }}{{ v }} {% endfor %}", 'a1 b2'],
  ["{% for c in [{'name': 'x'}, {'name': 'y'}] %}{{ c.name }} {% endfor %}", 'x y'],
  ['{% if is_incremental() %}where x{% else %}all{% endif %}', 'all'],
  ["{% if target.name == 'dev' %}first{% else %}second{% endif %}", 'first'],
  ['{# {{ not_this }} #}kept', 'kept'],
  ['{% raw %}{{ as it is }}{% endraw %}', '{{ as it is }}'],
  ["{{ cents_to_eur('amount_cents') }}", 'cents_to_eur(amount_cents)'],
  ["{{ dbt_utils.generate_surrogate_key(['a', 'b']) }}", 'generate_surrogate_key(a, b)'],
  ["select {{ dbt_utils.star(from=ref('m')) }}", 'select *'],
  ['cast(x as {{ dbt.type_string() }})', 'cast(x as varchar)'],
  ["{{ var('limit', 10) }}", '10'],
  ["{{ config(materialized='table', meta={'a': {'b': 1}}) }}select 1", 'select 1'],
  ['{% macro m(a) %}never{% endmacro %}select 1', 'select 1'],
  ["{{ 'a' ~ '_' ~ 'b' }}", 'a_b'],
])('%s becomes %s', (template, expected) => {
  expect(sql(template)).toBe(expected);
});

test('the config is read, wherever it is said', () => {
  const { config } = render("{{ config(materialized='incremental', tags=['a', 'b'], enabled=true) }}");
  expect(config).toEqual({ materialized: 'incremental', tags: ['a', 'b'], enabled: 'true' });
});

test('references count in branches that are not taken', () => {
  const { refs } = render("{% if target.name == 'x' %}{{ ref('a') }}{% else %}{{ ref('b') }}{% endif %}");
  expect(refs.map(({ ref }) => 'name' in ref && ref.name)).toEqual(['a', 'b']);
});

test('lines of the SQL lead back to lines of the template', () => {
  const { sql: text, lines } = render("{% set xs = ['a',\n'b'] %}\n{% for x in xs %}\n{{ x }}\n{% endfor %}\nlast");
  const at = text.split('\n').indexOf('last');
  expect(lines[at]).toBe(6);
  expect(lines).toHaveLength(text.split('\n').length);
});

test('what is not closed is said, and the rest read', () => {
  expect(parseTemplate('a {{ b').problems).toEqual([{ line: 1, message: '{{ is not closed.' }]);
  expect(parseTemplate('{% if x %}\nb').problems).toEqual([{ line: 1, message: '{% if %} is not closed.' }]);
  expect(parseTemplate('a\n{% endfor %}').problems).toEqual([{ line: 2, message: '{% endfor %} closes nothing.' }]);
  expect(sql('{% if x %}b')).toBe('b');
});

describe('hostile templates', () => {
  test.each([
    ['loops in loops', `${'{% for a in [1,2,3,4,5,6,7,8,9,10] %}'.repeat(12)}x${'{% endfor %}'.repeat(12)}`],
    ['a text that doubles itself', `{% set a = 'xxxxxxxx' %}${'{% set a = a ~ a %}'.repeat(60)}{{ a }}`],
    ['brackets without end', `{{ ${'('.repeat(50_000)}`],
    ['brackets in brackets', `{{ ${'['.repeat(20_000)}${']'.repeat(20_000)} }}`],
    ['a chain of operators', `{{ ${'a or '.repeat(50_000)}b }}`],
    ['tags in tags', '{% if a %}'.repeat(50_000)],
    ['nots', `{{ ${'not '.repeat(100_000)}x }}`],
    ['calls in calls', `{{ ${'f('.repeat(20_000)}1${')'.repeat(20_000)} }}`],
    ['raws', '{% raw %}'.repeat(20_000)],
  ])('%s end', (_, template) => {
    const { sql: text } = render(template);
    expect(text.length).toBeLessThan(2_000_000);
  });

  test('no text makes the reader throw', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      '{#',
      '#}',
      'for x in',
      'endfor',
      'if',
      'else',
      'elif',
      "'",
      '"',
      '(',
      ')',
      '[',
      'ref',
      'set a =',
      ' ',
      '\n',
      'raw',
      'a',
      ',',
      '~',
      '|',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const { nodes } = parseTemplate(text);
        const { lines, sql: made } = renderTemplate(nodes);
        expect(lines).toHaveLength(made.split('\n').length);
      }),
      { numRuns: 500 },
    );
  });
});
