import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, type Hits, useLoci } from './loci.ts';
import type { Script } from './model.ts';
import { until } from './until.ts';

describe('What the agent finds follows the files', () => {
  const loci = useLoci('freshness');

  const first = 'docs/decisions/0001-postgres-for-telemetry.md';

  test('a file changed on disk by another program', async () => {
    expect(await find('xanthophyll barometer')).not.toContain(first);
    const path = join(loci.editor.folder, first);
    await writeFile(
      path,
      `${await readFile(path, 'utf8')}\n## Afterthought\n\nThe xanthophyll barometer was never bought.\n`,
    );
    await until('the change is found', async () => (await find('xanthophyll barometer'))[0] === first);
  });

  test('a file edited and saved in the editor', async () => {
    await loci.editor.evaluate(async (api, name) => {
      const uri = api.Uri.joinPath(api.workspace.workspaceFolders![0]!.uri, name);
      const edit = new api.WorkspaceEdit();
      edit.insert(
        uri,
        new api.Position(0, 0),
        '# Quernstone rota\n\nThe quernstone is turned by whoever came last.\n\n',
      );
      await api.workspace.applyEdit(edit);
      await api.workspace.saveAll();
    }, 'docs/onboarding/first-week.md');
    await until(
      'the edit is found',
      async () => (await find('who turns the quernstone'))[0] === 'docs/onboarding/first-week.md',
    );
  });

  test('a new file, then its removal', async () => {
    const path = join(loci.editor.folder, 'docs', 'zeppelin-mooring.md');
    await writeFile(path, '# Zeppelin mooring\n\nMoor the zeppelin at the north mast.\n');
    await until(
      'the new file is found',
      async () => (await find('zeppelin mooring mast'))[0] === 'docs/zeppelin-mooring.md',
    );
    await rm(path);
    await until(
      'the removed file is gone',
      async () => !(await find('zeppelin mooring mast')).includes('docs/zeppelin-mooring.md'),
    );
  });

  test('a knowledge base that the settings name', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'loci-outside-'));
    try {
      await writeFile(join(outside, 'harbour.md'), '# Harbour master\n\nThe harbour master is called Ottoline.\n');
      await loci.editor.set('loci.knowledgeBases', [{ name: 'harbour', path: outside }]);
      await until(
        'the other folder is found',
        async () => (await find('who is the harbour master'))[0] === 'harbour/harbour.md',
      );
    } finally {
      await loci.editor.set('loci.knowledgeBases', []);
      await rm(outside, { recursive: true });
    }
  });

  test('a window shut and opened again: the same ids, and what changed meanwhile', async () => {
    const before = await hits('probe calibration in the ice bath');
    const path = join(loci.editor.folder, 'docs', 'thurible.md');
    await loci.editor.reopen(() => writeFile(path, '# The thurible\n\nThe thurible hangs in the sorting hall.\n'));
    expect(await hits('probe calibration in the ice bath')).toEqual(before);
    await until(
      'the new file is found',
      async () => (await find('where the thurible hangs'))[0] === 'docs/thurible.md',
    );
  });

  async function hits(query: string) {
    const turn = await loci.editor.ask(`Look for ${query}.`, searchOnce(query));
    return answer<Hits>(turn.calls[0]!.result).results.map(({ path, path_part_id }) => ({ path, path_part_id }));
  }

  async function find(query: string) {
    return (await hits(query)).map((hit) => hit.path);
  }
});

function* searchOnce(query: string): Script {
  yield { tool: 'loci_search_knowledge', input: { query } };
  return 'Seen.';
}
