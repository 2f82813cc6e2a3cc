import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openWorkspace, resultBytes, temporary } from './workspace.ts';

const handbook = temporary();
mkdirSync(join(handbook, 'finance'));
writeFileSync(join(handbook, 'finance', 'refunds.md'), '# Refunds\n\nLate crates are refunded within ten days.\n');
writeFileSync(join(handbook, 'long.md'), Array.from({ length: 3000 }, (_, i) => `Line ${i} about tides.`).join('\n'));
writeFileSync(join(handbook, 'one-line.txt'), 'salt '.repeat(10_000));

const ws = openWorkspace(
  { 'docs/refunds.md': '# Refunds here\n\nNothing about crates.\n', 'docs/a.md': '# A\n' },
  { settings: { knowledgeBases: [{ name: 'handbook', path: handbook }], 'budget.calls': 0 } },
);
afterAll(() => ws.close());

describe('search_knowledge_bases', () => {
  test('finds passages of one base or all, with the handles that reading takes', async () => {
    const { results } = await ws.ask('search_knowledge_bases', {
      query: 'late crates refunded',
      knowledge_base_id: 'handbook',
    });
    expect(results[0]).toMatchObject({
      index_name: 'handbook',
      doc_path: 'finance/refunds.md',
      file_name: 'refunds.md',
      title: 'Refunds',
      preview: expect.stringContaining('ten days'),
    });
    const all = await ws.ask('search_knowledge_bases', { query: 'refunds', top_k: 50 });
    expect(new Set(all.results.map((hit: { index_name: string }) => hit.index_name))).toEqual(
      new Set(['ws', 'handbook']),
    );
    expect(resultBytes(await ws.ask('search_knowledge_bases', { query: 'tides', top_k: 50 }))).toBeLessThan(8000);
  });

  test('names the bases there are when asked for another', async () => {
    const refusal = await ws.refuse('search_knowledge_bases', { query: 'x', knowledge_base_id: 'nowhere' });
    expect(refusal).toMatchObject({
      error_code: 'unknown_knowledge_base',
      next_step: expect.stringContaining('handbook'),
    });
  });

  test('keeps to the bases that are assigned to the agent, as do all tools of the knowledge bases', async () => {
    const limit = (knowledge_bases: string[]) =>
      ws.call('set_agent_capability_policy', { agent: 'default', knowledge_bases }, undefined, { confirmed: true });
    const asAgent = { caller: { thread: 't', agent: undefined } };
    const ask = async (name: string, input: object) => (await ws.call(name, input, undefined, asAgent)).result;
    const { items } = (await ws.ask('find', { name: 'long.md' })) as { items: { path_part_id: string }[] };
    const id = items[0]!.path_part_id;
    expect(await ask('read', { path_part_id: id })).toMatchObject({ success: true });
    expect((await limit(['ws'])).result).toMatchObject({ policy: { knowledge_bases: ['ws'] } });
    try {
      const { results } = (await ask('search_knowledge_bases', { query: 'refunds' })) as unknown as Found;
      expect(new Set(results.map(({ index_name }) => index_name))).toEqual(new Set(['ws']));
      // A base that is not assigned is as if it were not there.
      expect(await ask('search_knowledge_bases', { query: 'x', knowledge_base_id: 'handbook' })).toMatchObject({
        error_code: 'unknown_knowledge_base',
      });
      expect(await ask('read_knowledge_base_doc', { index_name: 'handbook', doc_path: 'long.md' })).toMatchObject({
        error_code: 'unknown_knowledge_base',
      });
      expect(await ask('read', { path_part_id: id })).toMatchObject({ error_code: 'unknown_id' });
      expect(await ask('find', { name: 'long.md' })).toMatchObject({ items: [] });
      const context = await ask('manage_context', { query: 'tides', search_scope: 'knowledge_bases' });
      expect(JSON.stringify(context)).not.toContain('handbook');
      expect((await limit(['nowhere'])).result).toMatchObject({ error_code: 'unknown_knowledge_base' });
      await limit([]);
      expect(await ask('search_knowledge', { query: 'refunds' })).toMatchObject({
        results: [],
        index_status: { status: 'unavailable', reason: 'No knowledge base is assigned to this agent.' },
      });
    } finally {
      await limit(['*']);
    }
    expect(await ask('read', { path_part_id: id })).toMatchObject({ success: true });
  });
});

interface Found {
  readonly results: readonly { readonly index_name: string }[];
}

describe('read_knowledge_base_doc', () => {
  test('reads by path, name or id, exactly as a hit gave them', async () => {
    const { results } = await ws.ask('search_knowledge_bases', { query: 'late crates refunded' });
    const { index_name, doc_path, file_name, file_id } = results[0];
    for (const handle of [{ doc_path }, { file_name }, { file_id }]) {
      const doc = await ws.ask('read_knowledge_base_doc', { index_name, ...handle });
      expect(doc).toMatchObject({ doc_path: 'finance/refunds.md', has_more: false, next_start: null });
      expect(doc.content).toBe('# Refunds\n\nLate crates are refunded within ten days.\n');
    }
  });

  test.each(['lines', 'chars', 'chunks'])('pages through a long document in %s', async (pagination_mode) => {
    let text = '';
    for (let start: number | null = 0; start !== null; ) {
      const doc = await ws.ask('read_knowledge_base_doc', {
        index_name: 'handbook',
        doc_path: 'long.md',
        pagination_mode,
        start,
      });
      expect(resultBytes(doc)).toBeLessThan(8000);
      text += doc.content;
      start = doc.next_start;
    }
    expect(text).toBe(Array.from({ length: 3000 }, (_, i) => `Line ${i} about tides.`).join('\n'));
  });

  test('a line of 50 KB is read on in characters', async () => {
    const first = await ws.ask('read_knowledge_base_doc', { index_name: 'handbook', file_name: 'one-line.txt' });
    expect(first).toMatchObject({ limited_by_size: true, total: 1, rest_of_unit: { pagination_mode: 'chars' } });
    const rest = await ws.ask('read_knowledge_base_doc', {
      index_name: 'handbook',
      file_name: 'one-line.txt',
      ...first.rest_of_unit,
    });
    expect(rest.content.startsWith('salt ')).toBe(true);
  });

  test('says what is wrong with a handle', async () => {
    const refused = async (input: object) =>
      (await ws.refuse('read_knowledge_base_doc', { index_name: 'handbook', ...input })).error_code;
    expect(await refused({})).toBe('no_document');
    expect(await refused({ doc_path: 'refund.md' })).toBe('document_not_found');
    expect(await refused({ doc_path: '../../../etc/passwd' })).toBe('document_not_found');
    expect(await refused({ doc_path: 'long.md', knowledge_base_id: 'ws' })).toBe('not_in_knowledge_base');
  });
});

describe('product documentation', () => {
  test('is found and read, but is no part of the knowledge bases', async () => {
    const { results } = await ws.ask('search_product_docs', { query: 'what does Loci give agents' });
    expect(results.length).toBeGreaterThan(0);
    const { doc_path, file_name } = results[0];
    const page = await ws.ask('read_product_doc', { doc_path });
    expect(page.content.length).toBeGreaterThan(20);
    expect((await ws.ask('read_product_doc', { file_name })).content).toBe(page.content);
    const listed = await ws.ask('list_contents');
    expect(listed.items.map(({ name }: { name: string }) => name).sort()).toEqual(['handbook', 'ws']);
  });

  test('a document of the person is pointed elsewhere', async () => {
    const refusal = await ws.refuse('read_product_doc', { doc_path: 'finance/refunds.md' });
    expect(refusal).toMatchObject({
      error_code: 'product_doc_not_found',
      next_step: expect.stringContaining('read_knowledge_base_doc'),
    });
  });
});

test('the wiki is no part of the knowledge bases either', async () => {
  ws.write({ '.loci/wiki/x.lrn_aaaabbbbcccc.md': '---\nevent: created\n---\nUnreviewed flotsam.\n' });
  await ws.app.knowledge.changed({ paths: [join(ws.folder, '.loci/wiki/x.lrn_aaaabbbbcccc.md')] });
  expect((await ws.ask('search_keyword', { query: 'flotsam' })).results).toEqual([]);
});
