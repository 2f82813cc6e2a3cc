import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, root } from './bundle.ts';

const cli = join(root, 'dist/cli.js');

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

let temporary: string;
let workspace: string;
beforeAll(async () => {
  await bundle();
  temporary = mkdtempSync(join(tmpdir(), 'loci door 東京 '));
  workspace = join(temporary, 'équipe du café');
  cpSync(join(root, 'test/fixtures/sample-workspace'), workspace, { recursive: true });
}, 120_000);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

let storages = 0;
const newStorage = () => join(temporary, `storage ${storages++}`);

function start(args: readonly string[], stdin?: string) {
  const child = spawn(process.execPath, [cli, ...args], { cwd: temporary });
  child.stdin.end(stdin);
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], stdout, stderr]): Ended => ({ code, signal, stdout, stderr }),
  );
  return { child, ended };
}

const run = (args: readonly string[], stdin?: string) => start(args, stdin).ended;

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the tool returns
function tool(name: string, input: unknown, ...options: string[]): Promise<{ code: number | null; result: any }> {
  return run(['tool', name, JSON.stringify(input), '--workspace', workspace, ...options]).then(({ code, stdout }) => ({
    code,
    result: JSON.parse(stdout),
  }));
}

/** A folder of as many documents as keep an index busy for a second or two. */
function largeFolder(): string {
  const folder = join(temporary, `large ${storages++}`);
  mkdirSync(folder);
  const filler = Array.from({ length: 200 }, (_, i) => `word${i} text of the filler.`).join('\n');
  for (let i = 0; i < 800; i++) writeFileSync(join(folder, `f${i}.md`), `# File ${i}\n\nunique${i}\n\n${filler}\n`);
  return folder;
}

describe('exit codes and output', () => {
  // One storage for all of these: only the first call reads the workspace.
  const storage = () => join(temporary, 'shared storage');

  test('0 and JSON alone on stdout for an answer', async () => {
    const at = storage();
    const { code, stdout, stderr } = await run([
      'tool',
      'search_keyword',
      '{"query":"TIDE-4041"}',
      '--workspace',
      workspace,
      '--storage',
      at,
    ]);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout.endsWith('}\n')).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      index_status: { status: 'ready' },
      semantic_index: { status: 'available' },
    });
    expect(existsSync(at)).toBe(true);
  });

  test('1 and JSON for what the caller can mend', async () => {
    const { code, result } = await tool('read', { path_part_id: 'nonsense' }, '--storage', storage());
    expect(code).toBe(1);
    expect(result).toMatchObject({ success: false, error: expect.stringContaining('nonsense') });
  });

  test('SQL over a file of the workspace, in a process of its own', async () => {
    writeFileSync(join(workspace, 'crates.csv'), 'crate,degrees\n1,4.5\n2,\n');
    const sql = 'select count(*) as n, max(degrees) as d from crates';
    const { result } = await tool('run_query', { connection_id: 'workspace', sql }, '--storage', storage());
    expect(result).toMatchObject({ success: true, columns: [{ name: 'n' }, { name: 'd' }], rows: [[2, 4.5]] });
  });

  test.each([
    [['tool']],
    [['tool', 'no_such_tool']],
    [['tool', 'read', '{not json']],
    [['tool', 'read', '{}', 'more']],
    [['no-such-command']],
    [['tool', 'read', '{}', '--no-such-option']],
    [['tool', 'read', '{}', '--workspace', '/no/such/folder']],
    [['search']],
    [['search', 'x', '--limit', '0']],
  ])('2, and nothing on stdout, for %j', async (args) => {
    const { code, stdout, stderr } = await run([...args, '--storage', storage()]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^loci: /);
    expect(stderr).toContain('Usage:');
  });

  test('the editor’s names of tools work too, and - takes the input from stdin', async () => {
    const options = ['--workspace', workspace, '--storage', storage()];
    const { code, stdout } = await run(['tool', 'loci_find', '-', ...options], '{"name":"glossary"}');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).items[0].path).toBe('docs/glossary.md');
  });

  test('help, version and the list of tools need no workspace', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run(['tools'])).stdout.trim().split('\n').length).toBeGreaterThanOrEqual(8);
  });

  test('search and index speak to people', async () => {
    const options = ['--workspace', workspace, '--storage', storage()];
    const index = await run(['index', ...options]);
    expect(index.code).toBe(0);
    expect(index.stdout).toMatch(/^ready: \d+ documents, \d+ chunks\nsearch by meaning: available/);
    const search = await run(['search', 'TIDE-4041', '--limit', '2', ...options]);
    expect(search.code).toBe(0);
    expect(search.stdout).toMatch(/^docs\/\S+:\d+ /);
  });

  test('an image comes as base64 in the JSON', async () => {
    const at = storage();
    const found = await tool('find', { name: 'probe-field-guide.pdf' }, '--storage', at);
    const id = found.result.items[0].path_part_id;
    const read = await tool('read', { path_part_id: id }, '--storage', at);
    const part = read.result.chunks
      ? read.result
      : (await tool('read', { path_part_id: read.result.sections[0].path_part_id }, '--storage', at)).result;
    const { code, result } = await tool('view_chunk_image', { chunk_id: part.chunks[0].path_part_id }, '--storage', at);
    expect(code).toBe(0);
    expect(Buffer.from(result.images[0].data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });
});

test('a thread has one budget across processes, at the same time too', async () => {
  const storage = newStorage();
  const limited = mkdtempSync(join(temporary, 'limited '));
  mkdirSync(join(limited, '.vscode'));
  writeFileSync(join(limited, '.vscode/settings.json'), '{ "loci.budget.calls": 4, /* a comment */ }');
  writeFileSync(join(limited, 'a.md'), '# A\n');
  const call = (name: string) =>
    run(['tool', 'find', JSON.stringify({ name }), '--workspace', limited, '--storage', storage, '--thread', 't 1']);
  const together = await Promise.all(['a', 'b', 'c'].map(call));
  const left = together.map(({ stdout }) => JSON.parse(stdout).calls_remaining).sort();
  expect(left).toEqual([1, 2, 3]);
  expect(JSON.parse((await call('d')).stdout)).toMatchObject({ success: true, calls_remaining: 0 });
  const over = await call('e');
  expect(over.code).toBe(1);
  expect(JSON.parse(over.stdout)).toMatchObject({ success: false, error_code: 'budget_exhausted' });
});

test('several folders are searched together, each named in the paths', async () => {
  const other = join(temporary, 'second folder');
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, 'b.md'), '# B\n\nTIDE-4041 seconds the motion.\n');
  const { result } = await tool(
    'search_keyword',
    { query: 'TIDE-4041' },
    '--workspace',
    other,
    '--storage',
    newStorage(),
  );
  const paths = result.results.map(({ path }: { path: string }) => path);
  expect(paths).toContain('second folder/b.md');
  expect(paths.some((path: string) => path.startsWith('équipe du café/docs/'))).toBe(true);
});

test('ids are the same on another machine: other path, other storage', async () => {
  const moved = join(temporary, 'moved');
  cpSync(workspace, moved, { recursive: true });
  const ids = async (folder: string) => {
    const options = ['--workspace', folder, '--storage', newStorage()];
    const { stdout } = await run(['tool', 'search_keyword', '{"query":"partition","top_k":10}', ...options]);
    return JSON.parse(stdout).results.map(({ path_part_id: id }: { path_part_id: string }) => id);
  };
  const here = await ids(workspace);
  expect(here.length).toBeGreaterThan(5);
  expect(await ids(moved)).toEqual(here);
});

describe('interrupted while indexing', () => {
  test('SIGINT stops with 130 and keeps what was read', async () => {
    const storage = newStorage();
    const options = ['--workspace', largeFolder(), '--storage', storage];
    const { child, ended } = start(['tool', 'find', '{"name":"f1"}', '--thread', 't', ...options]);
    // The call is counted just before the wait for the index.
    while (!existsSync(join(storage, 'runs'))) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    // A fast machine may have been done.
    expect([130, 0]).toContain(code);
    if (code === 130) expect(stderr).toBe('loci: stopped.\n');
    const { stdout } = await run(['tool', 'search_keyword', '{"query":"unique799","top_k":1}', ...options]);
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ path: 'f799.md' }], index_status: { documents: 800 } });
  });

  test('killed at any moment, it reopens whole', async () => {
    const options = ['--workspace', largeFolder(), '--storage', newStorage()];
    for (const ms of [200, 500, 900, 1400]) {
      const { child, ended } = start(['index', ...options]);
      await new Promise((resolve) => setTimeout(resolve, ms));
      child.kill('SIGKILL');
      await ended;
    }
    const { code, stdout, stderr } = await run([
      'tool',
      'search_keyword',
      '{"query":"unique777","top_k":1}',
      ...options,
    ]);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ path: 'f777.md' }],
      index_status: { status: 'ready', documents: 800 },
    });
  });
});

test('processes on one storage at once all answer, and leave one whole index', async () => {
  const storage = newStorage();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => tool('search_keyword', { query: 'TIDE-4041' }, '--storage', storage)),
  );
  for (const { code, result } of answers) {
    expect(code).toBe(0);
    expect(result.results).toEqual(answers[0]!.result.results);
  }
  const after = await run(['tool', 'list_contents', '--workspace', workspace, '--storage', storage, '--verbose']);
  expect(after).toMatchObject({ code: 0, stderr: '' });
});

test('a storage that cannot be written is said, and the answer given', async () => {
  const file = join(temporary, 'a file');
  writeFileSync(file, '');
  const options = ['--workspace', workspace, '--storage', file];
  const { code, stdout, stderr } = await run(['tool', 'search_keyword', '{"query":"TIDE-4041"}', ...options]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).results.length).toBeGreaterThan(0);
  expect(stderr).toContain('could not be saved and stays in memory');
});

test('a reader that goes away early is no failure', async () => {
  const child = spawn(process.execPath, [cli, 'tools'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
