import { describe, expect, test } from 'vitest';
import { useLoci } from './loci.ts';
import { until } from './until.ts';

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
    await loci.editor.page.keyboard.press('Escape');
  });

  test('shows the state of the index on request', async () => {
    await openPalette('Loci: Show Index Status');
    await loci.editor.page.keyboard.press('Enter');
    await expect.poll(() => firstRow().textContent()).toMatch(/[1-9]\d* documents, [1-9]\d* chunks.*ready/);
    await loci.editor.picture('window-index-status');
    await loci.editor.page.keyboard.press('Escape');
  });

  test('finds a passage as one types, and opens it', async () => {
    await openPalette('Loci: Search Knowledge');
    await loci.editor.page.keyboard.press('Enter');
    await loci.editor.page.locator('.quick-input-title', { hasText: 'Search Knowledge' }).waitFor();
    await loci.editor.page.keyboard.type('ice bath, step by st');
    await expect.poll(() => firstRow().textContent()).toContain('docs/handbook/operations-handbook.md');
    await loci.editor.picture('window-search');
    await loci.editor.page.keyboard.press('Enter');
    await until('the document is open at the passage', () =>
      loci.editor.evaluate((api) => {
        const open = api.window.activeTextEditor;
        return open?.document.fileName.endsWith('operations-handbook.md') && open.selection.active.line > 200;
      }),
    );
  });

  function firstRow() {
    return loci.editor.page.locator('.quick-input-list .monaco-list-row').first();
  }

  async function openPalette(text: string): Promise<void> {
    await loci.editor.page.keyboard.press('F1');
    await loci.editor.page.locator('.quick-input-widget input').first().waitFor();
    await loci.editor.page.keyboard.type(text);
    await expect.poll(() => firstRow().textContent()).toContain(text);
  }
});
