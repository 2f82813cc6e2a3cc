import { describe, expect, test } from 'vitest';
import { useLoci } from './loci.ts';

const commands = ['Loci: Search Knowledge', 'Loci: Show Index Status', 'Loci: Rebuild Index'];

describe('The window', () => {
  const loci = useLoci('window');

  test('has the extension active, without a fault', async () => {
    const state = await loci.editor.evaluate(async (api) => {
      const extension = api.extensions.getExtension('loci.loci');
      await extension?.activate();
      return { active: extension?.isActive, kind: extension?.extensionKind === api.ExtensionKind.Workspace };
    });
    expect(state).toEqual({ active: true, kind: true });
  });

  test('shows the index in the status bar', async () => {
    const item = loci.editor.page.locator('.statusbar-item', { hasText: 'Loci' });
    await item.waitFor();
    await loci.editor.picture('window-status');
  });

  test.each(commands)('has the command %s in the palette', async (title) => {
    await openPalette(title);
    const row = loci.editor.page.locator('.quick-input-list .monaco-list-row').first();
    await expect.poll(() => row.textContent()).toContain(title);
    await loci.editor.page.keyboard.press('Escape');
  });

  test('shows the state of the index on request', async () => {
    await openPalette('Loci: Show Index Status');
    await loci.editor.page.keyboard.press('Enter');
    await loci.editor.page
      .locator('.quick-input-widget')
      .waitFor({ state: 'hidden' })
      .catch(() => {});
    await loci.editor.picture('window-index-status');
  });

  async function openPalette(text: string): Promise<void> {
    await loci.editor.page.locator('.monaco-workbench').click({ position: { x: 700, y: 400 } });
    await loci.editor.page.keyboard.press('F1');
    await loci.editor.page.locator('.quick-input-widget input').first().waitFor();
    await loci.editor.page.keyboard.type(text);
  }
});
