import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOWHERE, openWorkspace, resultBytes, sampleWorkspace, type Workspace } from './workspace.ts';

let ws: Workspace;
beforeAll(async () => {
  ws = sampleWorkspace({ settings: { 'budget.calls': 0 } });
  await ws.ask('list_contents');
});
afterAll(() => ws.close());

describe('every tool', () => {
  const calls: [string, string][] = [
    ['get_info', 'path_part_id'],
    ['read', 'path_part_id'],
    ['read_around', 'chunk_id'],
    ['view_chunk_image', 'chunk_id'],
  ];
  test.each(calls)('%s names a wrong or foreign id, and how complete the index is', async (name, parameter) => {
    const malformed = await ws.refuse(name, { [parameter]: 'docs/glossary.md' });
    expect(malformed.error_code).toBe('not_a_uuid');
    const foreign = await ws.refuse(name, { [parameter]: NOWHERE });
    expect(foreign.error_code).toBe('unknown_id');
    expect(foreign).toMatchObject({ index_status: { status: 'ready' }, semantic_index: { status: 'available' } });
    const missing = await ws.refuse(name, {});
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
    expect((await ws.refuse(name, input)).error_code).toBe('invalid_input');
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

test('secrets in documents do not reach the agent, and the answer says how many were taken out', async () => {
  const key = `AKIA${'ABCDEFGH234567QR'}`;
  const own = openWorkspace({
    'deploy.md': `# Deploy\n\nUse the key ${key} and the address postgres://ops:hunter22@db/prod.\n`,
  });
  try {
    const { result } = await own.call('search_keyword', { query: 'deploy key address' });
    expect(JSON.stringify(result)).not.toMatch(/AKIA|hunter22/);
    expect(JSON.stringify(result)).toContain('postgres://ops:[redacted:password]@db/prod');
    expect(result.redacted).toBe(2);
  } finally {
    await own.close();
  }
});
