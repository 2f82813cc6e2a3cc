import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOWHERE, resultBytes, sampleWorkspace, type Workspace } from './workspace.ts';

let ws: Workspace;
beforeAll(async () => {
  ws = sampleWorkspace({ settings: { 'budget.calls': 0 } });
  await ws.ask('list_contents');
});
afterAll(() => ws.close());

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
    expect((await ws.refuse('search_knowledge', { query: ' ?! ' })).error_code).toBe('empty_query');
    expect((await ws.refuse('search_keyword', { query: 'word '.repeat(1000) })).error_code).toBe('query_too_long');
    expect((await ws.refuse('search_keyword', { query: 'x', parent_path_part_ids: [NOWHERE] })).error_code).toBe(
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
    expect((await ws.refuse('view_chunk_image', { chunk_id: results[0].path_part_id })).error_code).toBe('no_image');
  });
});
