import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkspace } from './workspace.ts';

const ws = openWorkspace(
  {
    '.github/prompts/explain.prompt.md': '---\ndescription: Explains a column\n---\nExplain it.\n',
    '.vscode/mcp.json': '{ // servers\n "servers": { "weather": { "command": "w", "env": { "TOKEN": "hush" } } } }',
    '.loci/enhancement-requests.md':
      '# Wishes\n\n- [ ] Search in French\n  with accents\n- [x] Dark theme\n- [ ] Faster start\n',
    'docs/a.md': '# A\n',
  },
  { settings: { 'budget.calls': 0 } },
);
afterAll(() => ws.close());

const THREAD = 'upgrade_advisor_1';
const GROUP = { groups: ['upgrade_advisor_tools'], skills: ['post-upgrade-advisor'] };
async function ask(name: string, input: object = {}, thread = THREAD) {
  const { result } = await ws.call(name, input, undefined, { caller: { thread, agent: undefined }, confirmed: true });
  return result;
}
const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
const REPORT = `# Loci ${version} in this workspace\n\nNothing changes for you, but two wishes came true; here is which and how.\n`;

describe('the advisor on its own thread', () => {
  beforeAll(() => ws.app.capabilities.pin({ ...GROUP, thread: THREAD, agent: undefined }));

  test('reads the notes this build ships', async () => {
    expect(await ask('get_release_notes')).toMatchObject({ success: true, runtime_version: version, start_line: 1 });
  });

  test('sees what is set up here, without its secrets', async () => {
    const inventory = await ask('get_install_inventory');
    expect(inventory).toMatchObject({
      success: true,
      counts: { knowledge_bases: 1, prompt_files: 1, mcp_servers: 1 },
      prompt_files: [{ name: 'explain' }],
      mcp_servers: [{ name: 'weather' }],
    });
    expect(JSON.stringify(inventory)).not.toContain('hush');
  });

  test('sees the open requests alone', async () => {
    expect(await ask('get_open_enhancement_requests')).toMatchObject({
      requests: [{ title: 'Search in French', description: 'with accents' }, { title: 'Faster start' }],
    });
    ws.write({ '.loci/enhancement-requests.json': '{ broken' });
    expect(await ask('get_open_enhancement_requests')).toMatchObject({ error_code: 'damaged_requests' });
    ws.write({
      '.loci/enhancement-requests.json': '[{"title": "Export", "id": 7}, {"title": "Old", "status": "Closed"}]',
    });
    const { requests } = (await ask('get_open_enhancement_requests')) as { requests: object[] };
    expect(requests).toContainEqual({ title: 'Export', id: '7' });
    expect(requests).toHaveLength(3);
  });

  test.each([
    ['too short', 'Done.'],
    ['no heading', REPORT.replace('# ', '')],
    ['another version', REPORT.replaceAll(version, '99.0.0')],
    ['a placeholder', `${REPORT}\nTODO: finish\n`],
    ['an open fence', `${REPORT}\n\`\`\`sql\nselect 1\n`],
  ])('a report with %s is refused and nothing is saved', async (_, summary_markdown) => {
    expect(await ask('save_upgrade_summary', { summary_markdown })).toMatchObject({ error_code: 'unfinished_report' });
    expect((await ws.app.advisor.news(undefined)).report).toBeNull();
  });

  test('saves a finished report, where the extension finds it', async () => {
    expect(await ask('save_upgrade_summary', { summary_markdown: REPORT, version })).toMatchObject({
      saved: true,
      version,
    });
    expect(await ws.app.advisor.news(undefined)).toMatchObject({ version, isNew: true, report: REPORT });
    await ws.app.advisor.markSeen(undefined);
    expect(await ws.app.advisor.news(undefined)).toMatchObject({ isNew: false });
    expect(await ws.app.advisor.instructions(undefined)).toContain('save_upgrade_summary');
  });
});

test('elsewhere there is one refusal, whatever is amiss', async () => {
  const pin = (thread: string, groups: string[], skills: string[]) =>
    ws.app.capabilities.pin({ groups, skills, thread, agent: undefined });
  await pin('upgrade_advisor_2', GROUP.groups, []);
  await pin('ordinary', GROUP.groups, GROUP.skills);
  const refusals = await Promise.all([
    ask('get_release_notes', {}, 'upgrade_advisor_2'),
    ask('get_install_inventory', {}, 'ordinary'),
    ask('get_open_enhancement_requests', {}, 'unknown'),
    ask('save_upgrade_summary', { summary_markdown: REPORT }, 'upgrade_advisor_3'),
    ws.call('get_release_notes', {}).then(({ result }) => result),
  ]);
  expect(new Set(refusals.map(({ error, error_code, next_step }) => `${error_code} ${error} ${next_step}`)).size).toBe(
    1,
  );
  expect(refusals[0]).toMatchObject({ success: false, error_code: 'refused' });
});
