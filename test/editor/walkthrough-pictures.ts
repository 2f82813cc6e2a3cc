import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { root } from '../../src/build/root.ts';
import type { Editor } from './drive.ts';
import { answer } from './loci.ts';
import type { Script } from './model.ts';

const folder = join(root, 'media', 'walkthrough');

const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  hc: 'Default High Contrast',
} as const;

const views = ['Skills', 'Tool Groups', 'Knowledge'] as const;
type View = (typeof views)[number];

/** Pictures for the walkthrough, each in a dark, a light and a high-contrast theme, from a chat that has used Loci. */
export async function takeWalkthroughPictures(editor: Editor): Promise<void> {
  await mkdir(folder, { recursive: true });
  await editor.ask('Trace the recalled lot to its customers.', traceLot());
  for (const [theme, name] of Object.entries(themes)) {
    await editor.set('workbench.colorTheme', name);
    await sleep(1500);
    await takeAll(editor, theme);
    console.log(`Took the pictures of the ${theme} theme`);
  }
}

function* traceLot(): Script {
  answer(
    yield {
      tool: 'loci_manage_context',
      input: { action: 'ADD_CONTEXT', active_tool_groups: 'wiki_tools', active_skills: 'lot-trace' },
    },
  );
  return 'The lot went to two customers.';
}

async function takeAll(editor: Editor, theme: string): Promise<void> {
  const { page } = editor;
  const save = (name: string, part: Locator) => part.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  const run = (command: string) =>
    editor.evaluate((api, id) => api.commands.executeCommand(id) as PromiseLike<null>, command);
  const row = (label: string) => page.locator('.part.sidebar .monaco-list-row', { hasText: label }).first();
  const sidebar = page.locator('.part.sidebar');

  await run('workbench.action.closeAllEditors');
  await run('workbench.view.extension.loci');
  await only(editor, 'Skills');
  await row('probe-swap').waitFor();
  await page.mouse.move(900, 500);
  await save('skills', sidebar);
  await only(editor, 'Tool Groups');
  if ((await row('Team wiki').getAttribute('aria-expanded')) !== 'true') await row('Team wiki').click();
  await row('wiki_search').waitFor();
  await page.mouse.move(900, 500);
  await save('groups', sidebar);
  await only(editor, 'Knowledge');
  if ((await row('docs').getAttribute('aria-expanded')) !== 'true') await row('docs').click();
  await row('glossary.md').waitFor();
  await page.mouse.move(900, 500);
  await save('knowledge', sidebar);
  await save('agent', page.locator('.part.auxiliarybar'));
  await run('loci.search');
  await page.keyboard.type('customs hold at Narita');
  await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
  await sleep(500);
  await save('search', page.locator('.quick-input-widget'));
  await page.keyboard.press('Escape');
}

/** Unfolds one view of the sidebar and folds the others. */
async function only({ page }: Editor, wanted: View): Promise<void> {
  for (const view of views) {
    const header = page.locator(`.part.sidebar .pane-header[aria-label^="${view}"]`);
    const unfolded = (await header.getAttribute('aria-expanded')) === 'true';
    if (unfolded !== (view === wanted)) await header.click();
  }
}
