import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkspace, temporary, type Workspace } from './workspace.ts';

const manuals = temporary();
mkdirSync(join(manuals, 'pumps'));
writeFileSync(join(manuals, 'pumps', 'seals.md'), '# Seals\n\nReplace the brine seal every 400 hours.\n');
writeFileSync(join(manuals, 'pumps', 'parts.csv'), 'part,price\nbrine seal,4\n');
const ws = openWorkspace({ 'docs/a.md': '# A\n\nAbout tides.\n' }, { settings: { 'budget.calls': 0 } });
afterAll(() => ws.close());

const caller = { thread: 't', agent: undefined };
/** A call of an active group that a person confirmed. */
async function run(on: Workspace, name: string, input: object) {
  const { result } = await on.call(name, input, undefined, { caller, confirmed: true });
  return result;
}
const activate = (on: Workspace) =>
  on.call('manage_context', { action: 'ADD_CONTEXT', active_tool_groups: 'document_index_tools' }, undefined, {
    caller,
  });
const found = async (on: Workspace) =>
  (await on.ask('manage_context', { action: 'SEARCH_CONTEXT', query: 'manuals', search_scope: 'document_indexes' }))
    .document_indexes;

beforeAll(() => activate(ws));

describe('a document index', () => {
  test('is searchable and discoverable as soon as it is made, and after a restart', async () => {
    const input = { name: 'pump manuals', paths: [manuals], description: 'How to service pumps' };
    expect(await run(ws, 'create_document_index', input)).toMatchObject({
      success: true,
      index_name: 'pump manuals',
      documents: 1,
    });
    expect(await run(ws, 'search_document_index', { name: 'Pump Manuals', query: 'brine seal' })).toMatchObject({
      results: [{ index_name: 'pump manuals', doc_path: 'pumps/seals.md' }],
    });
    expect(await found(ws)).toMatchObject([{ name: 'pump manuals' }]);
    expect((await ws.ask('search_knowledge', { query: 'brine seal' })).results[0].path).toBe(
      'pump manuals/pumps/seals.md',
    );
    const again = openWorkspace({}, { folder: ws.folder, storage: ws.storage, settings: { 'budget.calls': 0 } });
    await activate(again);
    expect(await run(again, 'list_document_indexes', {})).toMatchObject({
      items: [{ index_name: 'pump manuals', documents: 1, description: 'How to service pumps' }],
    });
    await again.close();
  });

  test('takes other text files that its globs name', async () => {
    await run(ws, 'create_document_index', { name: 'prices', paths: [join(manuals, 'pumps')], include: ['**/*.csv'] });
    const { results } = (await run(ws, 'search_document_index', { name: 'prices', query: 'seal' })) as {
      results: { doc_path: string }[];
    };
    expect(results.map(({ doc_path }) => doc_path)).toEqual(['parts.csv']);
    await run(ws, 'delete_document_index', { name: 'prices' });
  });

  test('keeps its documents under a new name, and only that name is found', async () => {
    expect(await run(ws, 'rename_document_index', { name: 'pump manuals', new_name: 'manuals' })).toMatchObject({
      index_name: 'manuals',
      previous_name: 'pump manuals',
    });
    expect(await found(ws)).toMatchObject([{ name: 'manuals' }]);
    expect(await run(ws, 'search_document_index', { name: 'manuals', query: 'brine seal' })).toMatchObject({
      results: [{ index_name: 'manuals' }],
    });
    expect(await run(ws, 'search_document_index', { name: 'pump manuals', query: 'x' })).toMatchObject({
      error_code: 'unknown_index',
    });
  });

  test('is gone once deleted; the documents stay', async () => {
    expect(await run(ws, 'delete_document_index', { name: 'manuals' })).toMatchObject({ deleted: true });
    expect(await found(ws)).toEqual([]);
    expect((await ws.ask('search_keyword', { query: 'brine' })).results).toEqual([]);
    expect(readdirSync(join(manuals, 'pumps'))).toHaveLength(2);
  });

  test.each([
    ['path_not_found', { name: 'x', paths: ['/nowhere/at/all'] }],
    ['credential_store', { name: 'x', paths: ['/etc'] }],
    ['too_wide', { name: 'x', paths: [homedir()] }],
    ['bad_name', { name: 'a/b', paths: [manuals] }],
    ['name_taken', { name: 'WS', paths: [manuals] }],
  ])('is refused: %s', async (code, input) => {
    expect(await run(ws, 'create_document_index', input)).toMatchObject({ success: false, error_code: code });
    expect(await run(ws, 'list_document_indexes', {})).toMatchObject({ items: [] });
  });

  test('is made only after a person said so', async () => {
    const { result } = await ws.call('create_document_index', { name: 'x', paths: [manuals] }, undefined, { caller });
    expect(result).toMatchObject({ error_code: 'needs_confirmation' });
  });
});
