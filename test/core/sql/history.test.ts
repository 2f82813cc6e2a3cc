import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameTable, tableOf } from '../../../src/core/sql/history/anchors.ts';
import type { ChatMessage, PastChat } from '../../../src/core/sql/history/chat-sql.ts';
import { type Learning, validate } from '../../../src/core/sql/history/find.ts';
import { historyLog } from '../../../src/core/sql/history/log.ts';
import { overlap, wordsOf } from '../../../src/core/sql/history/topic.ts';
import { type Domain, openDomain, temporary } from './domain.ts';

const shop = {
  'shop.sqlite': {
    script:
      'create table customer_orders (id int, amount real); insert into customer_orders values (1, 2); create table churn_scores (id int, score real)',
  },
};
const connections = [{ type: 'sqlite', name: 'shop', path: 'shop.sqlite' }];

type FindInput = Parameters<Domain['sql']['findPast']>[0];
const ask = (domain: Domain, topic: string, more: Partial<FindInput> = {}) =>
  domain.sql.findPast({
    topic,
    anchor_qns: null,
    connection_id: null,
    since: null,
    until: null,
    scope: 'self',
    limit: 10,
    include_categories: null,
    ...more,
  });

const learning = (anchor_qn: string, category: Learning['category'], text = `About ${anchor_qn}`): Learning => ({
  statement_id: `${anchor_qn} ${category}`,
  anchor_qn,
  text,
  category,
});

function wiki(all: readonly Learning[]) {
  return {
    async overlays({ qualified_names, query }: { qualified_names: readonly string[]; query: string }) {
      const on = Object.fromEntries(
        qualified_names.map((name) => [name, { learnings: all.filter(({ anchor_qn }) => anchor_qn === name) }]),
      );
      return {
        on,
        hits: query === '' ? [] : all.filter(({ text }) => query.split(' ').some((word) => text.includes(word))),
      };
    },
  };
}

async function* chats(...messages: ChatMessage[]): AsyncIterable<PastChat> {
  yield { thread_id: 'c', source: 'c', stamp: '', updated: 0, messages: async () => messages };
}

describe('find_past_queries', () => {
  test('finds what was run, by the words of a table’s name', async () => {
    const domain = await openDomain(shop, { config: { connections } });
    await domain.run('sqlite.shop', 'select sum(amount) as total from main.customer_orders', { thread: 't1' });
    await domain.run('sqlite.shop', 'select * from churn_scores');
    const found = await ask(domain, 'that report on customer orders we built yesterday');
    expect(found).toMatchObject({
      total_matches: 1,
      matched_queries: [
        {
          thread_id: 't1',
          source: 'run',
          connection_id: 'sqlite.shop',
          sql: 'select sum(amount) as total from main.customer_orders',
          columns: ['total'],
          row_count: 1,
          first_page_preview: null,
          first_page_redacted: false,
          validation_status: 'unvalidated',
          category: null,
          matched_anchors: ['sqlite://sqlite.shop/customer_orders'],
        },
      ],
      why_matched: { resolution_method: 'query_text', resolved_anchors: ['sqlite://sqlite.shop/customer_orders'] },
      relevant_conventions: [],
      prior_concerns: [],
      coverage: { recorded_queries: 2, past_chats: { status: 'unavailable' } },
    });
    expect((await ask(domain, 'the churn analysis')).matched_queries).toMatchObject([
      { sql: 'select * from churn_scores' },
    ]);
    expect(await ask(domain, 'warehouse capacity')).toMatchObject({
      matched_queries: [],
      why_matched: { resolution_method: 'none' },
      next_step: expect.stringContaining('search_threads'),
    });
  });

  test('resolves the topic by what is most certain', async () => {
    const learnings = wiki([learning('sqlite://sqlite.shop/churn_scores', 'final', 'Attrition is measured monthly')]);
    const domain = await openDomain(shop, { config: { connections }, learnings });
    await domain.run('sqlite.shop', 'select * from churn_scores');
    const method = async (topic: string, anchor_qns: string[] | null = null) => {
      const { why_matched, total_matches } = await ask(domain, topic, { anchor_qns });
      return [why_matched.resolution_method, total_matches];
    };
    expect(await method('x', ['sqlite://sqlite.shop/churn_scores'])).toEqual(['explicit', 1]);
    expect(await method('x', ['sqlite://sqlite.shop/other'])).toEqual(['explicit', 0]);
    expect(await method('what reads sqlite://sqlite.shop/churn_scores?')).toEqual(['topic_explicit_qn', 1]);
    expect(await method('churn')).toEqual(['query_text', 1]);
    expect(await method('Attrition')).toEqual(['wiki_text', 1]);
    expect(await method('nothing alike')).toEqual(['none', 0]);
  });

  test('filters by time and connection', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const domain = await openDomain(shop, {
      now: () => now,
      config: { connections: [...connections, { type: 'sqlite', name: 'copy', path: 'shop.sqlite' }] },
    });
    await domain.run('sqlite.shop', 'select 1 from churn_scores');
    now = Date.parse('2026-02-01T00:00:00Z');
    await domain.run('sqlite.copy', 'select 2 from churn_scores');
    const found = async (more: Partial<FindInput>) =>
      (await ask(domain, 'churn', more)).matched_queries.map(({ sql }) => sql.slice(7, 8));
    expect(await found({})).toEqual(['2', '1']);
    expect(await found({ since: '2026-01-15' })).toEqual(['2']);
    expect(await found({ until: '2026-01-15T00:00:00Z' })).toEqual(['1']);
    expect(await found({ connection_id: 'sqlite.shop' })).toEqual(['1']);
    expect(await found({ limit: 1 })).toEqual(['2']);
    await expect(found({ since: 'yesterday' })).rejects.toMatchObject({ code: 'bad_time' });
  });

  test('judges by the learnings of the wiki', async () => {
    const table = 'sqlite://main/churn_scores';
    const status = async (categories: Learning['category'][], include: FindInput['include_categories'] = null) => {
      const domain = await openDomain(shop, {
        config: { connections },
        learnings: wiki(categories.map((category) => learning(table, category))),
      });
      await domain.run('sqlite.shop', 'select * from churn_scores');
      const found = await ask(domain, 'churn', { include_categories: include });
      const [match] = found.matched_queries;
      return [
        match?.validation_status,
        match?.category,
        found.relevant_conventions.length,
        found.prior_concerns.length,
      ];
    };
    expect(await status([])).toEqual(['unvalidated', null, 0, 0]);
    expect(await status(['final'])).toEqual(['validated', 'final', 1, 0]);
    expect(await status(['exploratory'])).toEqual(['unvalidated', null, 0, 0]);
    expect(await status(['exploratory'], ['final', 'exploratory'])).toEqual(['validated', 'exploratory', 1, 0]);
    expect(await status(['rejected_approach'])).toEqual(['rejected', 'rejected_approach', 0, 1]);
    expect(await status(['rejected_approach'], ['rejected_approach'])).toEqual(['rejected', 'rejected_approach', 0, 1]);
    expect(await status(['final', 'rejected_approach'])).toEqual(['validated', 'rejected_approach', 1, 1]);
  });

  test('keeps and shows rows only where that is allowed', async () => {
    const domain = await openDomain(shop, { config: { connections } });
    await domain.run('sqlite.shop', 'select amount as a from customer_orders');
    await domain.configure({ connections, keepPreviews: true });
    await domain.run('sqlite.shop', 'select amount as b from customer_orders');
    const previews = async () =>
      (await ask(domain, 'customer orders')).matched_queries.map(
        ({ columns, first_page_preview, first_page_redacted }) => [columns[0], first_page_preview, first_page_redacted],
      );
    expect(await previews()).toEqual([
      ['b', { columns: ['b'], rows: [[2]] }, false],
      ['a', null, false],
    ]);
    await domain.configure({ connections, keepPreviews: false });
    expect(await previews()).toEqual([
      ['b', null, true],
      ['a', null, false],
    ]);
  });

  test('of other workspaces come only where that is allowed, and never with rows', async () => {
    const storage = temporary();
    const other = await openDomain(shop, { storage, config: { connections, keepPreviews: true } });
    await other.run('sqlite.shop', 'select amount from customer_orders');
    const here = await openDomain(shop, { storage, config: { connections } });
    expect((await ask(here, 'customer orders')).total_matches).toBe(0);
    await expect(ask(here, 'customer orders', { scope: 'all' })).rejects.toMatchObject({ code: 'scope_not_allowed' });
    await here.configure({ connections, otherWorkspaces: true, keepPreviews: true });
    expect((await ask(here, 'customer orders', { scope: 'all' })).matched_queries).toMatchObject([
      { first_page_preview: null, first_page_redacted: true },
    ]);
  });

  test('finds SQL of chats and of tracked files, and counts what no parser reads', async () => {
    const folder = temporary();
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const called = { sql: 'select o.id from mart.customer_orders o', connection_id: 'snowflake.prod' };
    const fenced = [
      'with c as (select * from CUSTOMER_ORDERS) select count(*) from c',
      'select the customer orders please',
    ];
    const past = () =>
      chats(
        { text: '', calls: [{ name: 'warehouse_query', arguments: JSON.stringify(called) }] },
        { text: fenced.map((sql) => `\`\`\`sql\n${sql}\n\`\`\`\n`).join('\n') },
      );
    const files = {
      'reports/orders.sql': '-- monthly\nselect 1;\n\nselect sum(amount)\nfrom customer_orders;\n',
      'untracked.sql': 'select * from customer_orders',
      'broken.sql': 'select from from customer_orders;',
    };
    const domain = await openDomain(files, { folder, chats: past });
    execFileSync('git', ['add', 'reports', 'broken.sql'], { cwd: folder });
    const found = await ask(domain, 'customer orders');
    expect(
      found.matched_queries.map(({ source, file, line, thread_id }) => [source, file, line, thread_id]).sort(),
    ).toEqual([
      ['chat_fence', undefined, undefined, 'c'],
      ['chat_tool', undefined, undefined, 'c'],
      ['workspace_file', 'reports/orders.sql', 4, null],
    ]);
    expect(found.coverage).toEqual({
      recorded_queries: 0,
      past_chats: { status: 'searched', queries: 2 },
      workspace_sql_files: { files: 2, queries: 2, unparsed: 1 },
      unparsed: 1,
    });
    expect((await ask(domain, 'x', { anchor_qns: ['snowflake://DB/MART/CUSTOMER_ORDERS'] })).total_matches).toBe(3);
  });

  test('stays below 8,000 bytes', async () => {
    const domain = await openDomain(shop, { config: { connections, keepPreviews: true } });
    for (let i = 0; i < 12; i++)
      await domain.run('sqlite.shop', `select ${i} as n, '${'ü'.repeat(3000)}' as t from customer_orders`);
    const found = await ask(domain, 'customer orders', { limit: 50 });
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThan(7900);
    expect(found).toMatchObject({ total_matches: 12, left_out: expect.stringMatching(/^\d+ further/) });
  });

  test('keeps failures, and no secrets', async () => {
    const domain = await openDomain(shop, { config: { connections } });
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await expect(domain.run('sqlite.shop', `select nope, '${token}' from customer_orders`)).rejects.toThrow();
    const [file] = readdirSync(join(domain.storage, 'sql', 'history'));
    const text = readFileSync(join(domain.storage, 'sql', 'history', file!), 'utf8');
    expect(text).toContain('no such column');
    expect(text).not.toContain(token);
  });
});

describe('anchors', () => {
  test.each([
    ['snowflake://A/B/ORDERS', 'snowflake://b/orders', true],
    ['snowflake://A/B/ORDERS', 'snowflake://c/orders', false],
    ['snowflake://A/B/ORDERS', 'postgres://b/orders', false],
    ['sqlite://sqlite.shop/orders', 'sqlite://main/orders', true],
    ['sqlite://main/orders', 'sqlite://data/shop.sqlite/orders', true],
    ['sqlite://main/orders', 'sqlite://main/order_items', false],
    ['generic://orders', 'bigquery://p/d/orders', true],
    ['file://data/a.csv', 'file://a.csv', true],
    ['postgres://main/orders', 'postgres://x/orders', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect([sameTable(a, b), sameTable(b, a)]).toEqual([same, same]);
  });

  test('names of tables and words of topics', () => {
    expect([tableOf('file://data/My%23claims.csv'), tableOf('postgres://a/b/c')]).toEqual(['My#claims', 'c']);
    expect(overlap(wordsOf('customer order mart'), 'CUSTOMER_ORDERS')).toBe(1);
    expect(overlap(wordsOf('churn'), 'fct_customer_churn_daily')).toBeGreaterThan(0);
    expect(overlap(wordsOf('the report on tables'), 'report_table')).toBe(0);
  });

  test('validation never calls a query validated by a rejection alone', () => {
    const category = fc.constantFrom<Learning['category']>(
      'final',
      'exploratory',
      'rejected_approach',
      'superseded',
      'open_question',
    );
    fc.assert(
      fc.property(fc.array(category), fc.array(category), (categories, included) => {
        const { validation_status, category: worst } = validate(
          categories.map((each) => learning('a', each)),
          included,
        );
        const qualifying = categories.filter((each) => each !== 'rejected_approach' && included.includes(each));
        expect(validation_status === 'validated').toBe(qualifying.length > 0);
        expect(validation_status === 'rejected').toBe(
          qualifying.length === 0 && categories.length > 0 && categories.every((each) => each === 'rejected_approach'),
        );
        if (validation_status !== 'unvalidated') expect(categories).toContain(worst);
      }),
    );
  });
});

describe('the log on disk', () => {
  const writer = (folder: string, name: string) => `
    import { historyLog } from ${JSON.stringify(join(import.meta.dirname, '../../../src/core/sql/history/log.ts'))};
    const log = historyLog(${JSON.stringify(folder)});
    for (let i = 0; ; i++) {
      await log.append({ v: 1, id: ${JSON.stringify(name)} + i, at: '2026-01-01T00:00:00Z', workspace: '', connection_id: 'c', dialect: 'sqlite', sql: 'select ' + 'x'.repeat(2000), anchors: [], columns: [], rows: 0, milliseconds: 1 });
      if (i === 20) process.stdout.write('ready');
    }`;

  test('survives two processes that write, and are killed', async () => {
    const folder = temporary();
    for (let round = 0; round < 3; round++) {
      const processes = ['a', 'b'].map((name) =>
        spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', writer(folder, `${name}${round}-`)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
      );
      await Promise.all(processes.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))));
      for (const child of processes) child.kill('SIGKILL');
      await Promise.all(processes.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    }
    const log = historyLog(folder);
    const { entries, damaged } = await log.entries();
    const last = new Map<string, number>();
    for (const { id } of entries) {
      const [writerName, number] = id.split('-') as [string, string];
      // Each process's entries are all there, in order, up to where it was killed.
      expect(Number(number)).toBe((last.get(writerName) ?? -1) + 1);
      last.set(writerName, Number(number));
    }
    expect([...last.values()].every((count) => count >= 20)).toBe(true);
    expect(damaged).toBeLessThanOrEqual(6);
  });

  test('is read on from where it was, and again when it was cut', async () => {
    const folder = temporary();
    const log = historyLog(folder);
    const entry = {
      v: 1 as const,
      at: '2026-01-01T00:00:00Z',
      workspace: '',
      connection_id: 'c',
      dialect: 'sqlite',
      sql: 's',
      anchors: [],
      columns: [],
      rows: 0,
      milliseconds: 1,
    };
    const ids = async () => (await log.entries()).entries.map(({ id }) => id);
    expect(await ids()).toEqual([]);
    await log.append({ ...entry, id: '1' });
    expect(await ids()).toEqual(['1']);
    const path = join(folder, 'queries-2026-01.jsonl');
    writeFileSync(path, '{"v":1,"id":"half', { flag: 'a' });
    expect(await ids()).toEqual(['1']);
    await historyLog(folder).append({ ...entry, id: '2' });
    expect(await ids()).toEqual(['1', '2']);
    writeFileSync(path, '');
    expect(await ids()).toEqual([]);
    rmSync(path);
    expect(await ids()).toEqual([]);
  });

  test('drops its oldest months when it grows too large', async () => {
    const folder = temporary();
    for (const month of ['01', '02', '03'])
      writeFileSync(join(folder, `queries-2026-${month}.jsonl`), 'x'.repeat(60_000_000));
    await historyLog(folder).rotate();
    expect(readdirSync(folder)).toEqual(['queries-2026-03.jsonl']);
    expect(statSync(join(folder, 'queries-2026-03.jsonl')).size).toBe(60_000_000);
  });
});
