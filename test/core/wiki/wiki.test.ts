import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WikiGraph } from '../../../src/core/wiki/graph.ts';
import { colleague, filesOf, git, REVENUE, temporary } from './team.ts';

const refusal = (code: string) => expect.objectContaining({ code });

describe('writing', () => {
  test('a learning is one readable file under .loci/wiki, with who, when and why', async () => {
    const ada = colleague();
    git(ada.folder, 'init', '-q');
    git(ada.folder, 'config', 'user.name', 'Ada Lovelace');
    const { statement_id, status, stored } = await ada.write('Revenue is recognised on shipment date.', {
      commit_message: 'From the finance review',
    });
    expect({ status, stored }).toEqual({ status: 'active', stored: 'team' });
    const [[name, content]] = Object.entries(ada.files()) as [[string, string]];
    expect(name).toBe(`revenue.${statement_id}.md`);
    expect(content).toMatch(/^---\nevent: created\nstatement_id: lrn_/);
    expect(content).toMatch(/\n---\n\nRevenue is recognised on shipment date\.\n$/);
    expect((await ada.read()).learnings[0]).toMatchObject({
      statement_id,
      text: 'Revenue is recognised on shipment date.',
      category: 'final',
      privacy_class: 'metadata',
      written: {
        at: '2026-03-01T10:00:00.000Z',
        author: 'Ada Lovelace',
        agent: 'default',
        thread: 'thread-1',
        source_channel: 'chat',
        message: 'From the finance review',
      },
    });
  });

  test('values stay out of the workspace, unless they are shared by setting', async () => {
    const ada = colleague();
    const { stored } = await ada.write('Acme bought 4,200 crates.', { privacy_class: 'contains_values' });
    expect(stored).toBe('this_machine');
    expect(ada.files()).toEqual({});
    expect(await ada.texts()).toEqual(['Acme bought 4,200 crates.']);
    const sharing = colleague({ shareValues: true });
    await sharing.write('Acme bought 4,200 crates.', { privacy_class: 'contains_values' });
    expect(Object.keys(sharing.files())).toHaveLength(1);
  });

  test('the same text twice is one learning, and the stricter class stays', async () => {
    const ada = colleague();
    const first = await ada.write('Amounts are in cents.');
    const again = await ada.write('  Amounts are\nin cents. ');
    expect(again).toMatchObject({ statement_id: first.statement_id, deduplicated: true });
    expect(Object.keys(ada.files())).toHaveLength(1);
    const strict = await ada.write('Amounts are in cents.', { privacy_class: 'contains_values' });
    expect(strict).toMatchObject({ statement_id: first.statement_id, privacy_class: 'contains_values' });
    const lax = await ada.write('Amounts are in cents.', { privacy_class: 'metadata' });
    expect(lax).toMatchObject({ deduplicated: true, privacy_class: 'contains_values' });
  });

  test('calls at the same time write one learning', async () => {
    const ada = colleague();
    const all = await Promise.all(Array.from({ length: 5 }, () => ada.write('Amounts are in cents.')));
    expect(new Set(all.map(({ statement_id }) => statement_id)).size).toBe(1);
  });

  test.each([
    ['wiki_write_disabled', colleague({ writeEnabled: false }), {}],
    ['empty_content', colleague(), { content: ' \n ' }],
    ['content_too_long', colleague(), { content: 'x'.repeat(5000) }],
    ['holds_secret', colleague(), { content: `Read it with password: ${'s3cr3t-'.repeat(3)}` }],
    ['bad_qualified_name', colleague(), { qualified_name: 'REVENUE' }],
    ['bad_qualified_name', colleague(), { qualified_name: 'snowflake://A\nB' }],
    ['unknown_wiki', colleague(), { wiki_id: 'other' }],
    ['unknown_key', colleague(), { supersedes_key: 'lrn_nosuchthing' }],
  ])('%s', async (code, ada, more) => {
    const { content = 'Amounts are in cents.', ...rest } = more as { content?: string };
    await expect(ada.write(content, rest)).rejects.toEqual(refusal(code));
    expect(ada.files()).toEqual({});
  });

  test('a wiki folder that leads out of the workspace is neither read nor written', async () => {
    const ada = colleague();
    const outside = temporary();
    mkdirSync(join(ada.folder, '.loci'));
    symlinkSync(outside, join(ada.folder, '.loci', 'wiki'));
    await expect(ada.write('Amounts are in cents.')).rejects.toEqual(refusal('wiki_outside'));
    expect(filesOf(outside)).toEqual({});
    expect((await ada.entries()).problems).toHaveLength(1);
  });

  test.skipIf(process.getuid?.() === 0)('a folder that cannot be written is said', async () => {
    const ada = colleague();
    chmodSync(ada.folder, 0o500);
    await expect(ada.write('Amounts are in cents.')).rejects.toEqual(refusal('not_writable'));
    chmodSync(ada.folder, 0o700);
  });
});

describe('superseding', () => {
  test('hides the old learning from page and search, for good', async () => {
    const ada = colleague();
    const old = await ada.write('Loaded at 02:00.');
    const next = await ada.write('Loaded at 03:00.', { supersedes_key: old.statement_id });
    expect(await ada.texts()).toEqual(['Loaded at 03:00.']);
    expect((await ada.search('loaded 02:00')).learning_hits.map(({ statement_id }) => statement_id)).toEqual([
      next.statement_id,
    ]);
    expect((await ada.entries()).items.find(({ statement_id }) => statement_id === old.statement_id)).toMatchObject({
      status: 'superseded',
      superseded_by: next.statement_id,
    });
  });

  test('a key that is no longer active says what took its place', async () => {
    const ada = colleague();
    const old = await ada.write('Loaded at 02:00.');
    const next = await ada.write('Loaded at 03:00.', { supersedes_key: old.statement_id });
    const late = ada.write('Loaded at 04:00.', { supersedes_key: old.statement_id });
    await expect(late).rejects.toMatchObject({
      code: 'inactive_key',
      next: expect.stringContaining(next.statement_id),
      details: { status: 'superseded' },
    });
    await expect(ada.edit(old.statement_id, { content: 'Loaded at 05:00.' })).rejects.toEqual(refusal('inactive_key'));
  });

  test('a retry of the replacing write is one learning', async () => {
    const ada = colleague();
    const old = await ada.write('Loaded at 02:00.');
    const next = await ada.write('Loaded at 03:00.', { supersedes_key: old.statement_id });
    const again = await ada.write('Loaded at 03:00.', { supersedes_key: old.statement_id });
    expect(again).toMatchObject({ statement_id: next.statement_id, deduplicated: true });
  });

  test('a beginning that fits one id means it; one that fits several is refused with them', async () => {
    const ada = colleague();
    const file = (id: string, text: string) =>
      ada.put(
        `x.${id}.md`,
        `---\nevent: created\nstatement_id: ${id}\nevent_id: e-${id}\nat: 2026-01-01T00:00:00Z\nauthor: Ada\nsource_channel: chat\nanchor: ${REVENUE}\ncategory: final\nprivacy_class: metadata\n---\n${text}\n`,
      );
    file('lrn_aaaabbbb', 'One.');
    file('lrn_aaaacccc', 'Two.');
    await expect(ada.edit('lrn_aaaa', { content: 'Three.' })).rejects.toMatchObject({
      code: 'ambiguous_key',
      details: { candidates: [{ statement_id: 'lrn_aaaabbbb' }, { statement_id: 'lrn_aaaacccc' }] },
    });
    expect(await ada.edit('lrn_aaaab', { content: 'Three.' })).toMatchObject({
      statement_id: 'lrn_aaaabbbb',
      applied: true,
    });
  });
});

describe('editing', () => {
  test('an explicit category and privacy class are applied exactly, in either direction', async () => {
    const ada = colleague();
    const { statement_id } = await ada.write('Acme bought 4,200 crates.', { privacy_class: 'contains_values' });
    expect(ada.files()).toEqual({});
    const edited = await ada.edit(statement_id, {
      content: 'The top customer buys most crates.',
      privacy_class: 'metadata',
      category: 'rejected_approach',
    });
    expect(edited).toMatchObject({ privacy_class: 'metadata', category: 'rejected_approach', stored: 'team' });
    expect(Object.values(ada.files()).join('')).not.toContain('Acme');
    expect(await colleague({ folder: ada.folder }).texts()).toEqual(['The top customer buys most crates.']);
  });

  test('without one, the class stays as it was', async () => {
    const ada = colleague();
    const { statement_id } = await ada.write('Acme bought 4,200 crates.', { privacy_class: 'contains_values' });
    expect(await ada.edit(statement_id, { content: 'Acme bought 4,300.' })).toMatchObject({
      privacy_class: 'contains_values',
    });
  });

  test('a learning that comes to hold values leaves the workspace with its history', async () => {
    const ada = colleague();
    const { statement_id } = await ada.write('The top customer is Acme.');
    await ada.edit(statement_id, { privacy_class: 'contains_values' });
    expect(Object.values(ada.files()).join('')).not.toContain('Acme');
    expect((await ada.read()).learnings[0]).toMatchObject({ statement_id, text: 'The top customer is Acme.' });
    await expect(colleague({ folder: ada.folder }).read()).rejects.toEqual(refusal('not_in_wiki'));
    expect((await ada.wiki.history({ statement_id })).events.length).toBeGreaterThan(1);
  });

  describe('a retry', () => {
    test('of an edit that is in place changes nothing', async () => {
      const ada = colleague();
      const { statement_id } = await ada.write('Loaded at 02:00.');
      await ada.edit(statement_id, { content: 'Loaded at 03:00.', category: 'exploratory' });
      const files = Object.keys(ada.files()).length;
      const again = await ada.edit(statement_id, { content: 'Loaded at 03:00.', category: 'exploratory' });
      expect(again).toMatchObject({ applied: false, deduplicated: true, reason: 'duplicate_edit' });
      expect(Object.keys(ada.files())).toHaveLength(files);
    });

    test('adds the category and class that the earlier edit did not bring', async () => {
      const ada = colleague();
      const { statement_id } = await ada.write('Loaded at 02:00.');
      await ada.edit(statement_id, { content: 'Loaded at 03:00.' });
      const again = await ada.edit(statement_id, { content: 'Loaded at 03:00.', category: 'open_question' });
      expect(again).toMatchObject({ applied: true, reason: 'reapplied_after_noop_event', category: 'open_question' });
    });

    test('does not overwrite a later edit', async () => {
      const ada = colleague();
      const { statement_id } = await ada.write('Loaded at 02:00.');
      await ada.edit(statement_id, { content: 'Loaded at 03:00.' });
      await ada.edit(statement_id, { content: 'Loaded at 04:00.' });
      const late = await ada.edit(statement_id, { content: 'Loaded at 03:00.', category: 'exploratory' });
      expect(late).toMatchObject({ applied: false, reason: 'stale_retry_suppressed', category: 'final' });
      expect(await ada.texts()).toEqual(['Loaded at 04:00.']);
    });
  });
});

describe('review', () => {
  test('what an agent writes waits for a person, then another chat finds it', async () => {
    const ada = colleague({ review: true });
    const { statement_id, status } = await ada.write('Revenue is recognised on shipment date.');
    expect(status).toBe('pending');
    expect((await ada.search('revenue shipment')).learning_hits).toEqual([]);
    expect(await ada.read()).toMatchObject({ learnings: [], pending_review: 1, pending: [{ statement_id }] });
    await ada.approve(statement_id);
    expect((await ada.search('revenue shipment')).learning_hits).toMatchObject([{ statement_id, score: 1 }]);
  });

  test('an edit waits while the approved text stays', async () => {
    const ada = colleague({ review: true });
    const { statement_id } = await ada.write('Loaded at 02:00.');
    await ada.approve(statement_id);
    expect(await ada.edit(statement_id, { content: 'Loaded at 03:00.' })).toMatchObject({
      status: 'active',
      edit_pending_review: true,
    });
    expect(await ada.texts()).toEqual(['Loaded at 02:00.']);
    const again = await ada.edit(statement_id, { content: 'Loaded at 03:00.' });
    expect(again).toMatchObject({ applied: false, reason: 'duplicate_edit' });
    await ada.reject(statement_id);
    expect(await ada.texts()).toEqual(['Loaded at 02:00.']);
    await ada.edit(statement_id, { content: 'Loaded at 04:00.' });
    await ada.approve(statement_id);
    expect(await ada.texts()).toEqual(['Loaded at 04:00.']);
  });

  test('a replacement takes effect when it is approved', async () => {
    const ada = colleague({ review: true });
    const old = await ada.write('Loaded at 02:00.');
    await ada.approve(old.statement_id);
    const next = await ada.write('Loaded at 03:00.', { supersedes_key: old.statement_id });
    expect(await ada.texts()).toEqual(['Loaded at 02:00.']);
    await ada.approve(next.statement_id);
    expect(await ada.texts()).toEqual(['Loaded at 03:00.']);
  });

  test('a text that no longer holds values is shared only once a person says so', async () => {
    const ada = colleague({ review: true });
    const { statement_id } = await ada.write('Acme bought 4,200 crates.', { privacy_class: 'contains_values' });
    await ada.approve(statement_id);
    await ada.edit(statement_id, { content: 'Acme bought much.', privacy_class: 'metadata' });
    expect(ada.files()).toEqual({});
    await ada.approve(statement_id);
    expect(await colleague({ folder: ada.folder }).texts()).toEqual(['Acme bought much.']);
  });

  test('a rejected learning is not saved again by an agent, and can be approved after all', async () => {
    const ada = colleague({ review: true });
    const { statement_id } = await ada.write('Loaded at 02:00.');
    await ada.reject(statement_id);
    await expect(ada.write('Loaded at 02:00.')).rejects.toEqual(refusal('rejected_before'));
    expect((await ada.entries()).items[0]!.status).toBe('rejected');
    await ada.approve(statement_id);
    expect(await ada.texts()).toEqual(['Loaded at 02:00.']);
    await ada.reject(statement_id);
    await expect(ada.read()).rejects.toEqual(refusal('not_in_wiki'));
    await expect(ada.reject(statement_id)).rejects.toEqual(refusal('nothing_to_decide'));
  });

  test('what a person edits they have approved', async () => {
    const ada = colleague({ review: true });
    const { statement_id } = await ada.write('Loaded at 02:00.');
    const edit = { statement_id, content: 'Loaded at 02:30.', category: null, privacy_class: null, commit_message: '' };
    expect(await ada.wiki.revise({ ...edit, content: 'Loaded at 02:00.' })).toMatchObject({
      applied: false,
      status: 'pending',
    });
    expect(await ada.wiki.revise(edit)).toMatchObject({ applied: true, status: 'active' });
    const [item] = (await ada.entries()).items;
    expect(item).toMatchObject({ status: 'active', text: 'Loaded at 02:30.' });
    expect(item).not.toHaveProperty('undecided');
    expect(item).not.toHaveProperty('proposed');
  });

  test('a person edits whatever the setting, and deletes for good', async () => {
    const ada = colleague({ review: true, writeEnabled: false });
    const bea = colleague({ folder: ada.folder, storage: ada.storage });
    const { statement_id } = await bea.write('Loaded at 02:00.');
    const edit = { statement_id, content: 'Loaded at 02:30.', category: null, privacy_class: null, commit_message: '' };
    expect(await ada.wiki.revise(edit)).toMatchObject({ applied: true, status: 'active' });
    expect((await ada.wiki.history({ statement_id })).events).toMatchObject([
      { event: 'created', agent: 'default' },
      { event: 'edited', changes: ['text'], source_channel: 'editor', text: 'Loaded at 02:30.' },
    ]);
    await ada.remove(statement_id);
    expect((await ada.entries()).items).toEqual([]);
    expect(Object.values(ada.files()).join('')).not.toContain('Loaded');
  });
});

describe('reading', () => {
  const graph: WikiGraph = {
    node: async (name) =>
      name === 'sqlite://shop/orders'
        ? {
            qualified_name: name,
            name: 'orders',
            node_type: 'table',
            source_system: 'sqlite',
            content: '## Columns\n- id INTEGER',
          }
        : undefined,
    children: async (prefix) =>
      prefix === ''
        ? [{ qualified_name: 'sqlite://', name: 'sqlite', node_type: 'source_system' }]
        : prefix === 'sqlite://shop'
          ? [{ qualified_name: 'sqlite://shop/orders', name: 'orders', node_type: 'table' }]
          : [],
    search: async () => [{ qualified_name: 'sqlite://shop/orders', name: 'orders', node_type: 'table', score: 0.7 }],
  };

  test('a page shows the asset and its learnings, those of the historical anchor and of columns too', async () => {
    const ada = colleague({ graph });
    await ada.write('One row an order.', { qualified_name: 'sqlite://shop/orders' });
    await ada.write('Older than 2024: partial.', { qualified_name: 'sqlite://main/Orders' });
    await ada.write('Cents.', { qualified_name: 'sqlite://shop/orders#total' });
    await ada.write('Of another table.', { qualified_name: 'sqlite://shop/orders_old' });
    const page = await ada.read('sqlite://shop/orders');
    expect(page).toMatchObject({
      page_kind: 'graph',
      title: 'orders',
      node_type: 'table',
      content: '## Columns\n- id INTEGER',
    });
    expect(page.learnings.map(({ text }) => text).sort()).toEqual([
      'Cents.',
      'Older than 2024: partial.',
      'One row an order.',
    ]);
  });

  test('an anchor that the graph does not have gives a page of learnings only', async () => {
    const ada = colleague({ graph });
    await ada.write('Loaded at 02:00.');
    expect(await ada.read()).toMatchObject({ page_kind: 'learnings_only', title: 'REVENUE', learnings_count: 1 });
    expect((await ada.read(REVENUE.toLowerCase())).learnings_count).toBe(1);
    await expect(ada.read('snowflake://OTHER/FINANCE/REVENUE')).rejects.toMatchObject({
      code: 'not_in_wiki',
      next: expect.stringContaining(REVENUE),
    });
  });

  test('listing goes down the graph and the branches of learnings alike', async () => {
    const ada = colleague({ graph });
    await ada.write('Loaded at 02:00.');
    await ada.write('One row an order.', { qualified_name: 'sqlite://shop/orders' });
    const list = async (prefix: string) => (await ada.wiki.list({ prefix, ...ada.page })).items;
    expect(await list('')).toMatchObject([
      { qualified_name: 'snowflake://', learnings: 1, has_children: true },
      { qualified_name: 'sqlite://', node_type: 'source_system', learnings: 1 },
    ]);
    expect(await list('snowflake')).toMatchObject([
      { qualified_name: 'snowflake://ANALYTICS', node_type: 'not_in_graph' },
    ]);
    expect(await list('snowflake://ANALYTICS/FINANCE/')).toMatchObject([{ qualified_name: REVENUE, name: 'REVENUE' }]);
    expect(await list('sqlite://shop')).toMatchObject([
      { qualified_name: 'sqlite://shop/orders', node_type: 'table', learnings: 1 },
    ]);
    expect(await list(REVENUE)).toEqual([]);
    await expect(list('oracle://')).rejects.toEqual(refusal('unknown_prefix'));
  });

  test('search returns nodes and learnings, scored from 0 to 1, every page of them once', async () => {
    const ada = colleague({ graph });
    for (let i = 0; i < 45; i++) await ada.write(`Fact ${i}: revenue of region ${i} is booked late.`);
    const found: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const answer: Awaited<ReturnType<typeof ada.search>> = await ada.wiki.search({
        query: 'revenue booked late',
        wiki_id: 'default',
        limit: 20,
        offset,
      });
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(8000);
      for (const { score, statement_id } of answer.learning_hits) {
        expect(score).toBe(1);
        found.push(statement_id);
      }
      expect(answer.results.length).toBe(offset === 0 ? 1 : 0);
      offset = answer.pagination.next_offset;
    }
    expect(new Set(found).size).toBe(45);
    expect(found).toHaveLength(45);
  });

  test('a page of many learnings is paged and stays small', async () => {
    const ada = colleague();
    for (let i = 0; i < 8; i++) await ada.write(`${i} ${'long learning '.repeat(200)}`);
    const first = await ada.read();
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(8000);
    expect(first.pagination.has_more).toBe(true);
    expect(first.learnings_count).toBe(8);
  });
});

test('a page stays small however much the graph and the files have to say', async () => {
  const content = 'column '.repeat(5000);
  const node = { qualified_name: REVENUE, name: 'REVENUE', node_type: 'table', source_system: 'snowflake', content };
  const ada = colleague({ graph: { node: async () => node, children: async () => [], search: async () => [] } });
  for (let i = 0; i < 3; i++)
    await ada.write(`${i} ${'long learning '.repeat(250)}`, { commit_message: 'why '.repeat(500) });
  const texts: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Awaited<ReturnType<typeof ada.read>> = await ada.wiki.read({
      qualified_name: REVENUE,
      wiki_id: 'default',
      limit: 20,
      offset,
    });
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(8000);
    expect(page).toMatchObject({ content_truncated: true });
    texts.push(...page.learnings.map(({ text }) => text));
    offset = page.pagination.next_offset;
  }
  expect(texts.map((text) => text.length)).toEqual([3501, 3501, 3501]);
});

test('a decision is about what the person saw, not what came since', async () => {
  const ada = colleague({ review: true });
  const { statement_id } = await ada.write('Loaded at 02:00.');
  const { undecided = [] } = (await ada.entries()).items[0]!;
  await ada.edit(statement_id, { content: 'Loaded at 03:00.' });
  await ada.wiki.approve({ statement_id, seen: undecided });
  expect(await ada.texts()).toEqual(['Loaded at 02:00.']);
  expect((await ada.entries()).items[0]).toMatchObject({ status: 'active', proposed: { text: 'Loaded at 03:00.' } });
});

describe('files of others', () => {
  test('what is broken or foreign is reported and costs itself alone', async () => {
    const ada = colleague();
    await ada.write('Amounts are in cents.');
    ada.put('notes.md', '# Our notes\nNot a learning.');
    ada.put('README.md', '# About this folder');
    ada.put('half.md', '---\nevent: created\nstatement_id: lrn_half');
    ada.put('yaml.md', '---\n: [\n---\ntext\n');
    ada.put('conflict.md', '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n');
    ada.put('binary.md', new Uint8Array([0, 255, 254, 0, 1]));
    ada.put('huge.md', 'x'.repeat(200_000));
    ada.put(
      'long.md',
      `---\nevent: created\nstatement_id: lrn_long\nevent_id: e-long\nat: 2026-01-01T00:00:00Z\nauthor: ${'A'.repeat(5000)}\nsource_channel: chat\nanchor: ${REVENUE}\ncategory: final\nprivacy_class: metadata\n---\ntext\n`,
    );
    ada.put('other.txt', 'no markdown');
    expect(await ada.texts()).toEqual(['Amounts are in cents.']);
    const problems = (await ada.entries()).problems.map(({ path, reason }) => `${path.split('/').at(-1)}: ${reason}`);
    expect(problems).toHaveLength(7);
    expect(problems.join('\n')).toMatch(/conflict\.md: It holds the marks of an unresolved merge/);
    expect(problems.join('\n')).toMatch(/huge\.md: It has 200000 bytes/);
  });

  test('a file a person changed by hand is read as it now is', async () => {
    const ada = colleague();
    await ada.write('Amounts are in cents.');
    const [[name, content]] = Object.entries(ada.files()) as [[string, string]];
    ada.put(name, content.replace('in cents', 'in euro cents'));
    expect(await ada.texts()).toEqual(['Amounts are in euro cents.']);
  });

  test('learnings that replace each other in a circle are all shown', async () => {
    const ada = colleague();
    const file = (id: string, other: string) =>
      ada.put(
        `${id}.md`,
        `---\nevent: created\nstatement_id: ${id}\nevent_id: e-${id}\nat: 2026-01-01T00:00:00Z\nauthor: Ada\nsource_channel: chat\nanchor: ${REVENUE}\ncategory: final\nprivacy_class: metadata\nsupersedes: ${other}\n---\n${id}\n`,
      );
    file('lrn_a', 'lrn_b');
    file('lrn_b', 'lrn_a');
    expect((await ada.texts()).sort()).toEqual(['lrn_a', 'lrn_b']);
  });
});

test('other domains get learnings by asset and by words', async () => {
  const ada = colleague();
  const { statement_id } = await ada.write('Revenue is booked on shipment.\nSee the finance handbook.');
  await ada.write('Tried joining on name.', { category: 'rejected_approach' });
  const answer = await ada.wiki.overlays({
    qualified_names: [REVENUE, 'x://none'],
    query: 'shipment',
    limit: 3,
    categories: ['final'],
  });
  expect(answer.on).toEqual({
    [REVENUE]: {
      total: 1,
      learnings: [expect.objectContaining({ statement_id, headline: 'Revenue is booked on shipment.' })],
    },
  });
  expect(answer.hits).toMatchObject([{ statement_id, anchor_qn: REVENUE, score: 1 }]);
});
