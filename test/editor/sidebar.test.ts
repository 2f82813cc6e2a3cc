import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import texts from '../../package.nls.json' with { type: 'json' };
import { answer, outcome, useLoci } from './loci.ts';
import type { Script } from './model.ts';
import { unfoldOnly } from './unfold.ts';
import { until } from './until.ts';

describe('The sidebar', () => {
  const loci = useLoci('sidebar');

  const rows = (view: string) =>
    loci.editor.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
  const row = (view: string, label: string) => rows(view).filter({ hasText: label }).first();
  const run = (command: string, ...args: unknown[]) =>
    loci.editor.evaluate(
      (api, name, given) => api.commands.executeCommand(name, ...given) as PromiseLike<null>,
      command,
      args,
    );

  beforeAll(() => run('workbench.view.extension.loci'));

  test('shows skills by source, with the one that is not valid', async () => {
    await unfoldOnly(loci.editor, 'Skills');
    await row('Skills', 'lot-trace').waitFor();
    await expect
      .poll(() => rows('Skills').allTextContents())
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining('Workspace'),
          expect.stringContaining('safe-migration'),
          expect.stringMatching(/probe-swap.*invalid/),
          expect.stringContaining('loci.loci'),
        ]),
      );
    await expect
      .poll(() => row('Skills', 'probe-swap').getAttribute('aria-label'))
      .toMatch(/^probe-swap, skill of Workspace, invalid, The name "swap-probe"/);
    await loci.editor.page.locator('.activitybar .action-item', { hasText: '1' }).first().waitFor();
    await loci.editor.picture('sidebar-skills');
  });

  test('opens an invalid SKILL.md at what is wrong, which the Problems panel has too', async () => {
    await row('Skills', 'probe-swap').click();
    await until('the file is open at the name', () =>
      loci.editor.evaluate((api) => {
        const open = api.window.activeTextEditor;
        return open?.document.fileName.endsWith('probe-swap/SKILL.md') && open.selection.active.line === 1;
      }),
    );
    const problems = await loci.editor.evaluate((api) =>
      api.languages
        .getDiagnostics()
        .flatMap(([uri, found]) =>
          found.map(({ source, message, range }) => ({ uri: uri.path, source, message, line: range.start.line })),
        )
        .filter(({ source }) => source === 'Loci'),
    );
    expect(problems).toMatchObject([
      {
        uri: expect.stringContaining('probe-swap/SKILL.md'),
        line: 1,
        message: expect.stringContaining('"swap-probe"'),
      },
    ]);
  });

  test('sees a new skill on disk within seconds, and that it is gone', async () => {
    const folder = join(loci.editor.folder, '.agents', 'skills', 'tide-table');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), '---\nname: tide-table\ndescription: Work out high water.\n---\nDo.\n');
    await row('Skills', 'tide-table').waitFor({ timeout: 10_000 });
    await rm(folder, { recursive: true });
    await row('Skills', 'tide-table').waitFor({ state: 'detached', timeout: 10_000 });
  });

  test('shows what the agent activates in its chat, and takes it away from the agent', async () => {
    await unfoldOnly(loci.editor, 'Tool Groups');
    await row('Tool Groups', 'Team wiki').waitFor();
    const turn = await loci.editor.ask('What does the team know?', activate());
    expect(turn.answer).toContain('lot-trace');
    await expect.poll(() => row('Tool Groups', 'Team wiki').textContent()).toContain('active');
    await loci.editor.picture('sidebar-active');
    await row('Tool Groups', 'Team wiki').hover();
    await row('Tool Groups', 'Team wiki').getByRole('button', { name: 'Deactivate Tool Group in Latest Chat' }).click();
    await expect.poll(() => row('Tool Groups', 'Team wiki').textContent()).not.toContain('active');
    const refused = await loci.editor.ask('Search the wiki.', callWiki(), { sameChat: true });
    expect(refused.answer).toBe('tool_group_inactive');
    await unfoldOnly(loci.editor, 'Skills');
    await expect.poll(() => row('Skills', 'lot-trace').textContent()).toMatch(/active.*read/);
  });

  test('makes a group a default of new chats, and denies one', async () => {
    await unfoldOnly(loci.editor, 'Tool Groups');
    await row('Tool Groups', 'Lineage').hover();
    await row('Tool Groups', 'Lineage').getByRole('button', { name: 'Start New Chats with Tool Group' }).click();
    await expect.poll(() => row('Tool Groups', 'Lineage').textContent()).toContain('default');
    await row('Tool Groups', 'Goals').click({ button: 'right' });
    // The menu takes no click in the moment in which it opens.
    await loci.editor.page.getByRole('menuitem', { name: 'Deny Tool Group' }).hover();
    await loci.editor.page.keyboard.press('Enter');
    await expect.poll(() => row('Tool Groups', 'Goals').textContent()).toContain('denied');
    await loci.editor.picture('sidebar-groups');
  });

  test('lists folders and documents, and opens one', async () => {
    await unfoldOnly(loci.editor, 'Knowledge');
    await row('Knowledge', 'docs').waitFor();
    await row('Knowledge', 'docs').click();
    await row('Knowledge', 'glossary.md').waitFor();
    await row('Knowledge', 'glossary.md').click();
    await until('the document is open', () =>
      loci.editor.evaluate((api) => api.window.tabGroups.activeTabGroup.activeTab?.label === 'glossary.md'),
    );
    await loci.editor.picture('sidebar-knowledge');
  });

  test('begins a prompt with a skill', async () => {
    await unfoldOnly(loci.editor, 'Skills');
    await row('Skills', 'safe-migration').hover();
    await row('Skills', 'safe-migration').getByRole('button', { name: 'Use Skill in Chat' }).click();
    await expect
      .poll(() => loci.editor.page.locator('.interactive-input-part .view-line').first().textContent())
      .toContain('safe-migration');
  });

  test('has every command of the manifest, in the palette under "Loci:"', async () => {
    const wanted = packageJson.contributes.commands.map(({ command }) => command);
    const there = await loci.editor.evaluate((api) => api.commands.getCommands(true));
    expect(there).toEqual(expect.arrayContaining(wanted));
    const { page } = loci.editor;
    for (const word of ['Skill', 'Group', 'Chat', 'Query']) {
      const titles = packageJson.contributes.commands
        .map(({ title }) => texts[title.slice(1, -1) as keyof typeof texts])
        .filter((title) => title.endsWith(` ${word}`));
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').first().waitFor();
      await page.keyboard.type(`Loci: ${word}`);
      const found = () => page.locator('.quick-input-list .monaco-list-row').allTextContents();
      await expect.poll(found).toEqual(expect.arrayContaining([expect.stringContaining(`Loci: ${titles[0]}`)]));
      await page.keyboard.press('Escape');
    }
  });
});

function* activate(): Script {
  const added = answer<{ inlined_skills: string[] }>(
    yield {
      tool: 'loci_manage_context',
      input: { action: 'ADD_CONTEXT', active_tool_groups: 'wiki_tools', active_skills: 'lot-trace' },
    },
  );
  return added.inlined_skills.join();
}

function* callWiki(): Script {
  const { error_code } = outcome(
    yield { tool: 'loci_call_tool', input: { tool_name: 'wiki_search', arguments: { query: 'revenue' } } },
  );
  return error_code ?? 'no error';
}
