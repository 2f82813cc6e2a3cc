import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Editor } from './editor.ts';
import { startLoci } from './loci.ts';

const commands = ['Loci: Search Knowledge', 'Loci: Show Index Status', 'Loci: Rebuild Index'];

describe('The window', () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await startLoci();
  });
  afterAll(() => editor?.close());

  test('has the extension active, without a fault', async () => {
    const state = await editor.evaluate(async (api) => {
      const extension = api.extensions.getExtension('loci.loci');
      await extension?.activate();
      return { active: extension?.isActive, kind: extension?.extensionKind === api.ExtensionKind.Workspace };
    });
    expect(state).toEqual({ active: true, kind: true });
  });

  test('shows the index in the status bar', async () => {
    const item = editor.page.locator('.statusbar-item', { hasText: 'Loci' });
    await item.waitFor();
    await editor.picture('window-status');
  });

  test.each(commands)('has the command %s in the palette', async (title) => {
    await openPalette(title);
    const row = editor.page.locator('.quick-input-list .monaco-list-row').first();
    await expect.poll(() => row.textContent()).toContain(title);
    await editor.page.keyboard.press('Escape');
  });

  test('shows the state of the index on request', async () => {
    await openPalette('Loci: Show Index Status');
    await editor.page.keyboard.press('Enter');
    await editor.page
      .locator('.quick-input-widget')
      .waitFor({ state: 'hidden' })
      .catch(() => {});
    await editor.picture('window-index-status');
  });

  async function openPalette(text: string): Promise<void> {
    await editor.page.locator('.monaco-workbench').click({ position: { x: 700, y: 400 } });
    await editor.page.keyboard.press('F1');
    await editor.page.locator('.quick-input-widget input').first().waitFor();
    await editor.page.keyboard.type(text);
  }
});
