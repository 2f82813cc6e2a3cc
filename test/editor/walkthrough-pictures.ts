import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { root } from '../../src/build/root.ts';
import type { Editor } from './drive.ts';
import { answer } from './loci.ts';
import type { Script } from './model.ts';
import { unfoldOnly } from './unfold.ts';

const folder = join(root, 'media', 'walkthrough');

const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  hc: 'Default High Contrast',
} as const;

/** Pictures for the walkthrough, each in a dark, a light and a high-contrast theme, from a chat that has used Loci. */
export async function takeWalkthroughPictures(editor: Editor): Promise<void> {
  await mkdir(folder, { recursive: true });
  await editor.ask('Trace the recalled lot to its customers.', traceLot());
  const hint = editor.page.getByLabel('Dismiss notification');
  if (await hint.isVisible()) await hint.click();
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
  answer(yield { tool: 'loci_search_knowledge', input: { query: 'trace a lot to the customers who got it' } });
  return `The view \`core.v_lot_traceability\` leads from a lot to its orders:

1. Run \`trace.sql\` of the skill **lot-trace** with the lot.
2. List the customers by \`delivered_at\`, newest first.

Source: \`docs/runbooks/lot-recall.md\``;
}

async function takeAll(editor: Editor, theme: string): Promise<void> {
  const { page } = editor;
  const run = (command: string) =>
    editor.evaluate((api, id) => api.commands.executeCommand(id) as PromiseLike<null>, command);
  const row = (label: string) => page.locator('.part.sidebar .monaco-list-row', { hasText: label }).first();
  const unfold = async (label: string) => {
    if ((await row(label).getAttribute('aria-expanded')) !== 'true')
      await row(label).locator('.monaco-tl-twistie').click();
  };
  const save = async (name: string, part: Locator, most = Number.POSITIVE_INFINITY) => {
    // Off everything, which looks otherwise under the pointer.
    await page.mouse.move(800, 600);
    await sleep(500);
    const box = (await part.boundingBox())!;
    const clip = { ...box, height: Math.min(box.height, most) };
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`), clip });
  };
  const sidebar = page.locator('.part.sidebar');

  await run('workbench.action.closeAllEditors');
  await run('workbench.view.extension.loci');
  await unfoldOnly(editor, 'Skills');
  await row('probe-swap').waitFor();
  await save('skills', sidebar, 420);
  await unfoldOnly(editor, 'Tool Groups');
  await unfold('Team wiki');
  await row('wiki_search').waitFor();
  await save('groups', sidebar, 520);
  await unfoldOnly(editor, 'Knowledge');
  await unfold('docs');
  await row('api').waitFor();
  await save('knowledge', sidebar, 520);
  await save('agent', page.locator('.part.auxiliarybar'));
  await run('loci.search');
  await page.locator('.quick-input-title', { hasText: 'Search Knowledge' }).waitFor();
  await page.keyboard.type('customs hold at Narita');
  await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
  await save('search', page.locator('.quick-input-widget'));
  await page.keyboard.press('Escape');
}
