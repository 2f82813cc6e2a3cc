import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkspace, resultBytes, temporary, type Workspace } from './workspace.ts';

const formats = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/formats', name));
const deep = Array.from({ length: 60 }, (_, i) => `level ${i} ${'n'.repeat(20)}`).join('/');
const folders = Object.fromEntries(
  Array.from({ length: 200 }, (_, i) => [
    `many/folder ${String(i).padStart(3, '0')} ${'w'.repeat(60)}/x.md`,
    `# X ${i}\n`,
  ]),
);

const hostile: Readonly<Record<string, string | Uint8Array>> = {
  'good.md': '# Good\n\nThe word needle4711 stands here.\n',
  'one-line.txt': `${'x'.repeat(300_000)} giantneedle ${'y '.repeat(100_000)}`,
  'cjk.md': `# 漢字\n\n${'漢字仮名交じり文。'.repeat(2000)}`,
  'escapes.md': `# Q\n\n${'"\\\t'.repeat(6000)}\n`,
  'emoji.md': `# E\n\n${'😀'.repeat(5000)}\n`,
  'headings.md': Array.from({ length: 1000 }, (_, i) => `## Heading ${i}\n\nText ${i}.\n`).join('\n'),
  'same.md': '# Same\n\nword\n\n'.repeat(300),
  'long-heading.md': `# ${'long heading '.repeat(1000)}\n\ntext\n\n## ${'"'.repeat(5000)}\n\nmore longword ${'z '.repeat(8000)}\n`,
  'nested.md': [1, 2, 3, 4, 5, 6]
    .map((level) => `${'#'.repeat(level)} ${`h${level} `.repeat(300)}\n\nbody\n`)
    .join('\n'),
  'code.md': `# Code\n\n\`\`\`\n${'let value = "text";\n'.repeat(330)}\`\`\`\n`,
  'table.md': `# Table\n\n|a|b|\n|-|-|\n${'|one|two|\n'.repeat(3000)}`,
  'binary.md': Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256),
  'invalid-utf8.md': Buffer.concat([Buffer.from('# Title\n\nmarker4712 '), Buffer.from([0xff, 0xfe, 0x80])]),
  'damaged.pdf': formats('damaged.pdf'),
  'encrypted.pdf': formats('encrypted.pdf'),
  'empty.md': '',
  'pictures.md': Array.from({ length: 9 }, (_, i) => `![picture ${i} ${'alt '.repeat(500)}](p${i}.svg)`).join(' '),
  'p0.svg': `<svg xmlns="http://www.w3.org/2000/svg"><text>${'"<w '.repeat(3000)}</text></svg>`,
  'équipe 東京/naïve file.md': '# 引き継ぎ\n\nmarker4713\n',
  'big.txt': 'too large '.repeat(60_000),
  [`${deep}/leaf.md`]: '# Leaf\n\ndeepneedle\n',
  ...folders,
};

let ws: Workspace;
beforeAll(async () => {
  ws = openWorkspace(hostile, { settings: { 'budget.calls': 0, 'index.maxFileSizeMB': 0.55 } });
  symlinkSync('.', join(ws.folder, 'loop'));
  await ws.ask('list_contents');
});
afterAll(() => ws.close());

test('what cannot be read is left out by name, and the rest is found', async () => {
  const { results, index_status: status } = await ws.ask('search_keyword', { query: 'needle4711' });
  expect(results[0].path).toBe('good.md');
  expect(status).toMatchObject({
    status: 'ready',
    skipped: { damaged: 1, encrypted: 1, binary: 1, too_large: 1 },
  });
  const skipped = await ws.app.knowledge.skipped(undefined);
  expect(skipped.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
    'big.txt too_large',
    'binary.md binary',
    'damaged.pdf damaged',
    'encrypted.pdf encrypted',
  ]);
  for (const { detail } of skipped) expect(detail).toMatch(/\w.*[.)]$/);
});

test.each([
  ['marker4712', 'invalid-utf8.md'],
  ['marker4713', 'équipe 東京/naïve file.md'],
  ['giantneedle', 'one-line.txt'],
])('%s is found in %s', async (query, path) => {
  const { results } = await ws.ask('search_keyword', { query });
  expect(results[0].path).toBe(path);
  expect(results[0].content).toContain(query);
});

test('every default answer stays below 8,000 bytes, whatever the documents hold', async () => {
  const sizes: [number, string][] = [];
  const measured = async (name: string, input: Record<string, unknown>) => {
    const { result } = await ws.call(name, input);
    sizes.push([resultBytes(result), `${name} ${JSON.stringify(input).slice(0, 80)}`]);
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the tool returns
    return result as any;
  };
  const top = await measured('list_contents', { limit: 100 });
  for (const { kind, path_part_id: id } of top.items) {
    await measured('get_info', { path_part_id: id });
    if (kind === 'FOLDER') await measured('list_contents', { path_part_id: id, limit: 100 });
    else {
      const { sections = [], chunks = [] } = await measured('read', { path_part_id: id, limit: 100 });
      for (const { path_part_id: part } of [...sections.slice(0, 8), ...chunks.slice(0, 8)]) {
        await measured('get_info', { path_part_id: part });
        const inner = await measured('read', { path_part_id: part });
        for (const chunk of (inner.chunks ?? [inner.chunk]).slice(0, 2)) {
          await measured('read', { path_part_id: chunk.path_part_id });
          await measured('read_around', { chunk_id: chunk.path_part_id, window: 10 });
          await measured('view_chunk_image', { chunk_id: chunk.path_part_id });
        }
      }
    }
  }
  await measured('list_contents', { path_part_id: await ws.idOf('many'), limit: 100 });
  for (const name of ['leaf', 'level', 'x.md', 'm'.repeat(50_000), '\u0001'.repeat(9999)])
    await measured('find', { name, limit: 100 });
  const leaf = await ws.idOf('leaf.md');
  const { breadcrumb_omitted: omitted } = await measured('get_info', { path_part_id: leaf });
  expect(omitted).toBeGreaterThan(0);
  for (const query of ['漢字', 'longword', 'h6 body', 'value text', 'deepneedle leaf', 'x', 'heading text', 'one two'])
    for (const name of ['search_keyword', 'search_knowledge'])
      for (const include_raw of [false, true]) await measured(name, { query, top_k: 20, include_raw });
  await measured('read', { path_part_id: 'x'.repeat(100_000) });
  await measured('read', Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`unknown${i}`, i])));
  await measured('search_keyword', { query: 'x', parent_path_part_ids: Array(5000).fill(7) });
  await measured('search_keyword', { query: `${'"'.repeat(1900)} word` });
  expect(sizes.filter(([bytes]) => bytes >= 8000)).toEqual([]);
}, 60_000);

test('following next_offset inside a giant chunk gives its whole text once', async () => {
  for (const name of ['escapes.md', 'one-line.txt', 'emoji.md', 'code.md', 'table.md']) {
    const whole = await ws.ask('read', { path_part_id: await ws.idOf(name) });
    let text = '';
    let id: string | null = whole.chunks?.[0].path_part_id;
    if (!id) id = (await ws.ask('read', { path_part_id: whole.sections[0].path_part_id })).chunks[0].path_part_id;
    for (let chunks = 0; id !== null && chunks < 20; chunks++) {
      let next: string | null = null;
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const part: { chunk: { content: string; next_offset?: number }; next_id: string | null } = await ws.ask(
          'read',
          {
            path_part_id: id,
            offset,
          },
        );
        text += part.chunk.content;
        offset = part.chunk.next_offset;
        next = part.next_id;
      }
      id = next;
    }
    expect(text.length).toBeGreaterThan(1000);
    expect(String(hostile[name]).startsWith(text), name).toBe(true);
  }
});

test('a document that grows over the size cap is left out and reported', async () => {
  const small = openWorkspace({ 'a.md': '# A\n\nalpha\n' }, { settings: { 'index.maxFileSizeMB': 0.1 } });
  const id = await small.idOf('a.md');
  small.write({ 'a.md': 'x '.repeat(60_000) });
  expect((await small.call('read', { path_part_id: id })).result.error_code).toBe('deleted');
  expect((await small.ask('list_contents')).index_status.skipped).toEqual({ too_large: 1 });
  await small.close();
});

describe('the saved index', () => {
  const files = { 'a.md': '# A\n\nalphaword\n', 'b.md': '# B\n\nbetaword\n' };
  const reopened = async (between: (home: string, folder: string) => void) => {
    const storage = temporary();
    const first = openWorkspace(files, { storage });
    await first.ask('list_contents');
    await first.app.dispose();
    const home = join(storage, 'indexes', readdirSync(join(storage, 'indexes'))[0]!);
    between(home, first.folder);
    const second = openWorkspace({}, { storage, folder: first.folder });
    await second.ask('list_contents');
    return second;
  };

  test('reopens as it was, with the same ids', async () => {
    let before = '';
    const first = openWorkspace(files);
    before = await first.idOf('a.md');
    await first.close();
    const second = await reopened(() => undefined);
    expect(await second.idOf('a.md')).toBe(before);
    expect(second.logged).toEqual([]);
    await second.close();
  });

  test('notices what changed, came and went while it was closed', async () => {
    const second = await reopened((_, folder) => {
      writeFileSync(join(folder, 'a.md'), '# A\n\nchangedword and more\n');
      writeFileSync(join(folder, 'c.md'), '# C\n\nnewword\n');
      rmSync(join(folder, 'b.md'));
    });
    expect((await second.ask('search_keyword', { query: 'changedword' })).results).toHaveLength(1);
    expect((await second.ask('search_keyword', { query: 'newword' })).results).toHaveLength(1);
    for (const query of ['alphaword', 'betaword'])
      expect((await second.ask('search_keyword', { query })).results).toEqual([]);
    await second.close();
  });

  test('is built anew when any of its files is damaged', async () => {
    const second = await reopened((home) => {
      const generation = readdirSync(home).find((name) => name.startsWith('g-'))!;
      for (const name of readdirSync(join(home, generation))) writeFileSync(join(home, generation, name), 'garbage');
    });
    expect((await second.ask('search_keyword', { query: 'alphaword' })).results).toHaveLength(1);
    expect(second.logged[0]).toContain('built anew');
    await second.close();
  });

  test('two windows save into one storage and both go on', async () => {
    const storage = temporary();
    const one = openWorkspace(files, { storage });
    const two = openWorkspace({}, { storage, folder: one.folder });
    await Promise.all([one.ask('list_contents'), two.ask('list_contents')]);
    await Promise.all([one.app.dispose(), two.app.dispose()]);
    const third = openWorkspace({}, { storage, folder: one.folder });
    expect((await third.ask('search_keyword', { query: 'betaword' })).results).toHaveLength(1);
    expect(third.logged).toEqual([]);
    await third.close();
  });

  test('stays in memory where nothing can be written', async () => {
    const readOnly = openWorkspace(files, { storage: '/dev/null/nowhere' });
    expect((await readOnly.ask('search_keyword', { query: 'alphaword' })).results).toHaveLength(1);
    await readOnly.app.dispose();
    expect(readOnly.logged.join()).toContain('stays in memory');
  });
});

test.skipIf(process.getuid?.() === 0)('folders and files that may not be read are named', async () => {
  const locked = openWorkspace({ 'a.md': '# A\n\nalpha\n', 'locked/b.md': '# B\n', 'c.md': '# C\n' });
  chmodSync(join(locked.folder, 'locked'), 0);
  chmodSync(join(locked.folder, 'c.md'), 0);
  const { index_status: status } = await locked.ask('search_keyword', { query: 'alpha' });
  expect(status).toMatchObject({ documents: 1, skipped: { unreadable: 2 } });
  chmodSync(join(locked.folder, 'locked'), 0o700);
  await locked.close();
});
