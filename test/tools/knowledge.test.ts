import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resultBytes, sampleWorkspace, type Workspace } from './workspace.ts';

const NOWHERE = '01234567-89ab-8def-8123-456789abcdef';

let ws: Workspace;
beforeAll(async () => {
  ws = sampleWorkspace({ settings: { 'budget.calls': 0 } });
  await ws.ask('list_contents');
});
afterAll(() => ws.close());

const HANDBOOK = 'operations-handbook.md';

async function failure(name: string, input: unknown) {
  const { ok, result } = await ws.call(name, input);
  expect(ok).toBe(false);
  expect(result).toMatchObject({ success: false });
  return result as { error: string; error_code: string; next_step: string; index_status: { status: string } };
}

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
      const { error_code, next_step } = await failure('list_contents', { path_part_id: id });
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
    expect((await failure('find', { name: '  ' })).error_code).toBe('empty_name');
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
    const { error_code, next_step } = await failure('read', { path_part_id: folder });
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
    expect((await failure('read_around', { chunk_id: document })).next_step).toContain('Call read ');
    const folder = (await ws.ask('find', { name: 'runbooks', kind: 'FOLDER' })).items[0].path_part_id;
    expect((await failure('read_around', { chunk_id: folder })).next_step).toContain('Call list_contents ');
  });
});

describe('search', () => {
  test.each(['search_knowledge', 'search_keyword'])('%s returns passages with their place', async (name) => {
    const { results } = await ws.ask(name, { query: 'TIDE-4041 readings older' });
    expect(results.length).toBeLessThanOrEqual(5);
    for (const result of results) {
      expect(result).toMatchObject({
        path_part_id: expect.any(String),
        content: expect.any(String),
        score: expect.any(Number),
        chunk_type: expect.stringMatching(/^(TEXT|TABLE|CODE|IMAGE)$/),
        path: expect.any(String),
      });
      expect((await ws.ask('get_info', { path_part_id: result.path_part_id })).kind).toBe('CHUNK');
    }
    const scores = results.map((result: { score: number }) => result.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('top_k and the scope hold', async () => {
    const folder = (await ws.ask('find', { name: 'runbooks', kind: 'FOLDER' })).items[0].path_part_id;
    const scoped = await ws.ask('search_knowledge', { query: 'partition', top_k: 20, parent_path_part_ids: [folder] });
    expect(scoped.results.length).toBeGreaterThan(3);
    for (const { path } of scoped.results) expect(path).toMatch(/^docs\/runbooks\//);
    const one = await ws.ask('search_knowledge', { query: 'partition', top_k: 1 });
    expect(one.results).toHaveLength(1);
    const many = await ws.ask('search_knowledge', { query: 'orders shipments readings', top_k: 20 });
    expect(many.results.length + (many.omitted ?? 0)).toBe(20);
    expect(resultBytes(many)).toBeLessThan(8000);
  });

  test('a query without words or of absurd length is an error to mend', async () => {
    expect((await failure('search_knowledge', { query: ' ?! ' })).error_code).toBe('empty_query');
    expect((await failure('search_keyword', { query: 'word '.repeat(1000) })).error_code).toBe('query_too_long');
    expect((await failure('search_keyword', { query: 'x', parent_path_part_ids: [NOWHERE] })).error_code).toBe(
      'unknown_id',
    );
  });

  test('include_raw explains the score', async () => {
    const { results } = await ws.ask('search_keyword', { query: 'TIDE-4041', include_raw: true });
    expect(results[0].raw.terms.length).toBeGreaterThan(0);
    expect((await ws.ask('search_keyword', { query: 'TIDE-4041' })).results[0].raw).toBeUndefined();
  });
});

describe('view_chunk_image', () => {
  test('shows the picture of a Markdown image, a notebook output and a PDF page', async () => {
    const withPicture = async (name: string) => {
      const whole = await ws.ask('read', { path_part_id: await ws.idOf(name), limit: 100 });
      const sections = whole.sections ?? [{ path_part_id: whole.path_part_id }];
      for (const { path_part_id } of sections) {
        const { chunks } = await ws.ask('read', { path_part_id });
        const found = chunks.find((chunk: { images?: number; page?: number }) => chunk.images || chunk.page);
        if (found) return found.path_part_id as string;
      }
      throw new Error(`no picture in ${name}`);
    };
    for (const name of ['telemetry-pipeline.md', 'cold_chain_september.ipynb', 'probe-field-guide.pdf']) {
      const { ok, result, images } = await ws.call('view_chunk_image', { chunk_id: await withPicture(name) });
      expect(ok, name).toBe(true);
      expect(images.length).toBeGreaterThan(0);
      expect(images[0]!.mime).toMatch(/^image\/(png|jpeg)$/);
      expect(result.descriptions).toHaveLength(images.length);
      expect(JSON.stringify(result)).not.toContain('base64');
    }
  });

  test('says which chunks have one when this has none', async () => {
    const { results } = await ws.ask('search_keyword', { query: 'TIDE-4041' });
    expect((await failure('view_chunk_image', { chunk_id: results[0].path_part_id })).error_code).toBe('no_image');
  });
});

describe('every tool', () => {
  const calls: [string, string][] = [
    ['get_info', 'path_part_id'],
    ['read', 'path_part_id'],
    ['read_around', 'chunk_id'],
    ['view_chunk_image', 'chunk_id'],
  ];
  test.each(calls)('%s names a wrong or foreign id, and how complete the index is', async (name, parameter) => {
    const malformed = await failure(name, { [parameter]: 'docs/glossary.md' });
    expect(malformed.error_code).toBe('not_a_uuid');
    const foreign = await failure(name, { [parameter]: NOWHERE });
    expect(foreign.error_code).toBe('unknown_id');
    expect(foreign).toMatchObject({ index_status: { status: 'ready' }, semantic_index: { status: 'available' } });
    const missing = await failure(name, {});
    expect(missing.error_code).toBe('invalid_input');
    expect(missing.error).toContain(parameter);
  });

  test.each([
    ['list_contents', { limit: 0 }],
    ['list_contents', { limit: 101 }],
    ['list_contents', { offset: -1 }],
    ['list_contents', { limit: 1.5 }],
    ['find', { name: 'a', kind: 'SECTION' }],
    ['find', { name: 'a', limit: '20' }],
    ['read_around', { chunk_id: NOWHERE, window: 0 }],
    ['read_around', { chunk_id: NOWHERE, window: 11 }],
    ['search_knowledge', { query: 'a', top_k: 0 }],
    ['search_keyword', { query: 'a', top_k: 21 }],
    ['search_keyword', { query: 'a', parent_path_part_ids: 'x' }],
    ['search_keyword', []],
    ['search_keyword', 'query'],
  ])('%s refuses %j', async (name, input) => {
    expect((await failure(name, input)).error_code).toBe('invalid_input');
  });

  test('accepts the other name of an id and names parameters it does not know', async () => {
    const id = await ws.idOf('glossary.md');
    const { chunks, sections } = await ws.ask('read', { chunk_id: id });
    const inside = (chunks ?? sections)[0].path_part_id;
    expect((await ws.ask('get_info', { path_part_id: inside, colour: 'red' })).warnings).toEqual([
      'Unknown parameters were ignored: colour.',
    ]);
  });

  test('default answers over the whole workspace stay below 8,000 bytes', async () => {
    const sizes: [number, string][] = [];
    const measured = async (name: string, input: Record<string, unknown>) => {
      const result = await ws.ask(name, input);
      sizes.push([resultBytes(result), `${name} ${JSON.stringify(input)}`]);
      return result;
    };
    const walk = async (path_part_id: string | null): Promise<void> => {
      const { items } = await measured('list_contents', { path_part_id });
      for (const item of items) {
        await measured('get_info', { path_part_id: item.path_part_id });
        if (item.kind === 'FOLDER') await walk(item.path_part_id);
        else {
          const { sections = [], chunks = [] } = await measured('read', { path_part_id: item.path_part_id });
          for (const part of [...sections.slice(0, 5), ...chunks]) {
            await measured('read', { path_part_id: part.path_part_id });
          }
          for (const chunk of chunks) await measured('read_around', { chunk_id: chunk.path_part_id, window: 10 });
        }
      }
    };
    await walk(null);
    expect(sizes.length).toBeGreaterThan(300);
    expect(sizes.filter(([bytes]) => bytes >= 8000)).toEqual([]);
  }, 60_000);
});

test('a document that is deleted or edited between search and read', async () => {
  const own = sampleWorkspace();
  try {
    const { results } = await own.ask('search_keyword', { query: 'TIDE-4041', top_k: 1 });
    const { path_part_id: chunk, document_id: document, path } = results[0];
    own.write({ [path]: '# Replaced\n\nA newword4711 stands here.\n' });
    const gone = await own.call('read', { path_part_id: chunk });
    expect(gone.result).toMatchObject({ success: false, error_code: 'gone' });
    expect(gone.result.next_step).toContain(document);
    expect((await own.ask('read', { path_part_id: document })).chunks[0].content).toContain('newword4711');
    expect((await own.ask('search_keyword', { query: 'newword4711' })).results[0].path).toBe(path);
    rmSync(join(own.folder, path));
    const deleted = await own.call('read', { path_part_id: document });
    expect(deleted.result).toMatchObject({ success: false, error_code: 'deleted' });
    expect((await own.ask('search_keyword', { query: 'newword4711' })).results).toEqual([]);
  } finally {
    await own.close();
  }
});
