import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resultBytes, sampleWorkspace, type Workspace } from './workspace.ts';

let ws: Workspace;
beforeAll(async () => {
  ws = sampleWorkspace({ settings: { 'budget.calls': 0 } });
  await ws.ask('list_contents');
});
afterAll(() => ws.close());

const HANDBOOK = 'operations-handbook.md';

describe('list_contents', () => {
  test('starts at the top and goes down by id; folders first, hidden and ignored ones left out', async () => {
    const top = await ws.ask('list_contents');
    const names = top.items.map((item: { name: string }) => item.name);
    expect(names).toEqual(['.github', 'data', 'docs', 'notebooks', 'sql', 'README.md']);
    const docs = await ws.ask('list_contents', { path_part_id: top.items[2].path_part_id });
    expect(docs.path).toBe('ws > docs');
    expect(docs.items.map((item: { name: string }) => item.name)).toContain('équipe 東京');
    expect(docs.items.map((item: { name: string }) => item.name)).not.toContain('archive');
    expect(await ws.ask('list_contents', { path_part_id: null })).toMatchObject({ items: top.items });
  });

  test('directs documents, sections and chunks to read', async () => {
    const document = await ws.idOf(HANDBOOK);
    const { sections } = await ws.ask('read', { path_part_id: document });
    for (const id of [document, sections[0].path_part_id]) {
      const { error_code, next_step } = await ws.refuse('list_contents', { path_part_id: id });
      expect(error_code).toBe('not_a_folder');
      expect(next_step).toBe(`Call read with path_part_id ${id}.`);
    }
  });

  test('pages by limit and offset', async () => {
    const first = await ws.ask('list_contents', { limit: 4 });
    expect(first.pagination).toEqual({
      total: 6,
      returned: 4,
      limit: 4,
      offset: 0,
      has_more: true,
      next_offset: 4,
    });
    const second = await ws.ask('list_contents', { limit: 4, offset: 4 });
    expect(second.items).toHaveLength(2);
    expect(second.pagination.next_offset).toBeNull();
  });
});

describe('find', () => {
  test('matches any part of the name, upper or lower case alike, best first', async () => {
    const { items } = await ws.ask('find', { name: 'OPERATIONS-hand' });
    expect(items).toMatchObject([{ kind: 'DOCUMENT', path: `docs/handbook/${HANDBOOK}` }]);
    const glossary = await ws.ask('find', { name: 'glossary' });
    expect(glossary.items[0].path).toBe('docs/glossary.md');
    const japanese = await ws.ask('find', { name: '引き継ぎ' });
    expect(japanese.items[0].path).toBe('docs/équipe 東京/引き継ぎ.md');
  });

  test('filters by kind and says when nothing matches', async () => {
    const folders = await ws.ask('find', { name: 'runbooks', kind: 'FOLDER' });
    expect(folders.items.map((item: { kind: string }) => item.kind)).toEqual(['FOLDER']);
    const documents = await ws.ask('find', { name: 'runbooks', kind: 'DOCUMENT' });
    expect(new Set(documents.items.map((item: { kind: string }) => item.kind))).toEqual(new Set(['DOCUMENT']));
    const none = await ws.ask('find', { name: 'zzz-no-such' });
    expect(none).toMatchObject({ items: [], note: expect.stringContaining('Nothing') });
    expect((await ws.refuse('find', { name: '  ' })).error_code).toBe('empty_name');
  });
});

describe('get_info', () => {
  test('gives kind, path and breadcrumb of every kind of node, and the way up', async () => {
    const document = await ws.idOf(HANDBOOK);
    const info = await ws.ask('get_info', { path_part_id: document });
    expect(info).toMatchObject({ kind: 'DOCUMENT', name: HANDBOOK, path: `ws > docs > handbook > ${HANDBOOK}` });
    expect(info.breadcrumb.map((crumb: { name: string }) => crumb.name)).toEqual(['ws', 'docs', 'handbook', HANDBOOK]);
    const folder = await ws.ask('list_contents', { path_part_id: info.parent_id });
    expect(folder.items.map((item: { path_part_id: string }) => item.path_part_id)).toContain(document);
    const { results } = await ws.ask('search_keyword', { query: 'TIDE-4041' });
    const chunk = await ws.ask('get_info', { path_part_id: results[0].path_part_id });
    expect(chunk.kind).toBe('CHUNK');
    const section = await ws.ask('get_info', { path_part_id: chunk.parent_id });
    expect(section.kind).toBe('SECTION');
    expect(section.breadcrumb.at(-1).path_part_id).toBe(chunk.parent_id);
  });
});

describe('read', () => {
  test('directs folders to list_contents', async () => {
    const folder = (await ws.ask('find', { name: 'runbooks', kind: 'FOLDER' })).items[0].path_part_id;
    const { error_code, next_step } = await ws.refuse('read', { path_part_id: folder });
    expect(error_code).toBe('is_folder');
    expect(next_step).toBe(`Call list_contents with path_part_id ${folder}.`);
  });

  test('reads a small document whole', async () => {
    const id = await ws.idOf('0003-money-in-cents.md');
    const result = await ws.ask('read', { path_part_id: id });
    expect(result).toMatchObject({ kind: 'DOCUMENT', mode: 'inline' });
    expect(result.total_tokens).toBeLessThanOrEqual(2000);
    expect(result.pagination.has_more).toBe(false);
  });

  test('the token budget decides between whole and table of contents', async () => {
    const id = await ws.idOf('errors.md');
    const { total_tokens: total } = await ws.ask('read', { path_part_id: id });
    expect(total).toBeGreaterThan(200);
    const inline = sampleWorkspace({ settings: { 'read.tokenBudget': total } });
    const contents = sampleWorkspace({ settings: { 'read.tokenBudget': total - 1 } });
    try {
      expect((await inline.ask('read', { path_part_id: id })).mode).toBe('inline');
      expect((await contents.ask('read', { path_part_id: id })).mode).toBe('table_of_contents');
    } finally {
      await inline.close();
      await contents.close();
    }
  });

  test("the large handbook's table of contents leads to every chunk once, in order", async () => {
    const id = await ws.idOf(HANDBOOK);
    const met: string[] = [];
    const takeChunks = async (section: string) => {
      for (let offset: number | null = 0; offset !== null; ) {
        const part = await ws.ask('read', { path_part_id: section, offset });
        expect(resultBytes(part)).toBeLessThan(8000);
        met.push(...part.chunks.map((chunk: { path_part_id: string }) => chunk.path_part_id));
        offset = part.pagination.next_offset;
      }
    };
    const toc = await ws.ask('read', { path_part_id: id });
    expect(toc.mode).toBe('table_of_contents');
    if (toc.introduction) {
      for (let id: string | null = toc.introduction.path_part_id, left = toc.introduction.chunks; left > 0; left--) {
        met.push(id!);
        id = (await ws.ask('read', { path_part_id: id })).next_id;
      }
    }
    const entries: { path_part_id: string; level: number; chunks: number; tokens: number }[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const part = await ws.ask('read', { path_part_id: id, offset });
      entries.push(...part.sections);
      offset = part.pagination.next_offset;
    }
    expect(entries).toHaveLength(toc.pagination.total);
    const outer = Math.min(...entries.map(({ level }) => level));
    for (const { path_part_id } of entries.filter(({ level }) => level === outer)) await takeChunks(path_part_id);
    const info = await ws.ask('get_info', { path_part_id: id });
    expect(met).toHaveLength(info.chunks);
    expect(new Set(met).size).toBe(met.length);
    // The chain of neighbours is the document's own order.
    let next: string | null = met[0]!;
    for (const chunk of met) {
      expect(chunk).toBe(next);
      next = (await ws.ask('read', { path_part_id: chunk })).next_id;
    }
    expect(next).toBeNull();
    for (const { path_part_id, tokens, chunks } of entries) {
      expect(await ws.ask('get_info', { path_part_id })).toMatchObject({ tokens, chunks });
    }
  }, 60_000);
});

describe('read_around', () => {
  test('gives the whole section when it is small, else the window around the anchor', async () => {
    const { results } = await ws.ask('search_keyword', { query: 'TIDE-4041' });
    const anchor = results[0].path_part_id;
    const whole = await ws.ask('read_around', { chunk_id: anchor });
    expect(whole.full_section).toBe(true);
    expect(whole.chunks[whole.anchor_position].path_part_id).toBe(anchor);
    const handbook = await ws.ask('read', { path_part_id: await ws.idOf(HANDBOOK) });
    const big = handbook.sections.find((section: { tokens: number }) => section.tokens > 4000);
    const { chunks } = await ws.ask('read', { path_part_id: big.path_part_id, limit: 5 });
    const narrow = sampleWorkspace({ settings: { 'read.tokenBudget': 200 } });
    try {
      const middle = chunks[2].path_part_id;
      const around = await narrow.ask('read_around', { chunk_id: middle });
      const shown = around.chunks.map((chunk: { path_part_id: string }) => chunk.path_part_id);
      expect(shown[around.anchor_position]).toBe(middle);
      expect(around.full_section || shown.length === 3).toBe(true);
      const wide = await narrow.ask('read_around', { chunk_id: middle, window: 10 });
      expect(wide.chunks.length).toBeGreaterThanOrEqual(shown.length);
      expect(resultBytes(wide)).toBeLessThan(8000);
    } finally {
      await narrow.close();
    }
  });

  test('directs folders and documents to their tools', async () => {
    const document = await ws.idOf(HANDBOOK);
    expect((await ws.refuse('read_around', { chunk_id: document })).next_step).toContain('Call read ');
    const folder = (await ws.ask('find', { name: 'runbooks', kind: 'FOLDER' })).items[0].path_part_id;
    expect((await ws.refuse('read_around', { chunk_id: folder })).next_step).toContain('Call list_contents ');
  });
});
