import type { Editor } from './drive.ts';

/** Unfolds one view of the sidebar that is open, and folds the others. */
export async function unfoldOnly({ page }: Editor, view: string): Promise<void> {
  for (const header of await page.locator('.part.sidebar .pane-header').all()) {
    const unfolded = (await header.getAttribute('aria-expanded')) === 'true';
    const isWanted = (await header.getAttribute('aria-label'))?.startsWith(view) ?? false;
    if (unfolded !== isWanted) await header.click();
  }
}
