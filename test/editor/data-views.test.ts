import { describe, expect, test } from 'vitest';
import { answer, useLoci } from './loci.ts';
import type { Script } from './model.ts';
import { until } from './until.ts';

describe('The views of data', () => {
  const loci = useLoci('data-views');

  const rows = (view: string) =>
    loci.editor.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
  const row = (view: string, label: string) => rows(view).filter({ hasText: label }).first();
  const run = (command: string, ...args: unknown[]) =>
    loci.editor.evaluate(
      (api, name, given) => api.commands.executeCommand(name, ...given) as PromiseLike<null>,
      command,
      args,
    );
  const drawing = () => loci.editor.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');

  test('list systems, assets and columns, and open the file at the line', async () => {
    await run('loci.data.focus');
    await row('Data', 'dbt').waitFor({ timeout: 30_000 });
    await row('Data', 'dbt').click();
    const project = rows('Data').nth(1);
    await expect.poll(() => rows('Data').count()).toBeGreaterThan(3);
    await loci.editor.picture('data-systems');
    expect(await project.getAttribute('aria-label')).toMatch(/\w/);
  });

  const showLineage = () =>
    run('loci.data.lineage', { kind: 'entry', entry: { qualified_name: 'dbt://saltmarrow/stg_lots' }, parent: '' });

  test('draw the lineage of an asset, with its columns, and open its file', async () => {
    await showLineage();
    await drawing().locator('svg .node').first().waitFor();
    expect(await drawing().locator('svg .node').count()).toBeGreaterThan(1);
    expect(await drawing().locator('svg .edge').count()).toBeGreaterThan(0);
    await loci.editor.picture('lineage');
    await drawing().locator('.node.start .toggle').click();
    await drawing().locator('.node.start .column').first().click();
    await drawing().locator('.node.start .column.lit').waitFor();
    await loci.editor.picture('lineage-columns');
    await drawing().locator('svg').press('+');
    await drawing().getByRole('button', { name: 'Show everything' }).click();
    await drawing().locator('.node.start [data-action="open"] .name').click();
    await until('the file of the asset is open', () =>
      loci.editor.evaluate((api) => api.window.activeTextEditor?.document.fileName.endsWith('stg_lots.sql') ?? false),
    );
  });

  test('list the data files, and the queries that an agent ran', async () => {
    await run('loci.connections.focus');
    await row('Connections', 'Files of the workspace').waitFor();
    const turn = await loci.editor.ask('How many?', countRows());
    expect(turn.answer).toMatch(/^\d+$/);
    await run('loci.queries.focus');
    await row('Query History', 'SELECT count').waitFor();
    await expect.poll(() => row('Query History', 'SELECT count').textContent()).toContain('workspace');
    await row('Connections', 'Files of the workspace').click();
    await loci.editor.picture('data-connections');
  });

  test.each(['Default Dark Modern', 'Default High Contrast'])('look right in %s', async (theme) => {
    await loci.editor.set('workbench.colorTheme', theme);
    await run('workbench.action.closeAllEditors');
    await showLineage();
    await drawing().locator('.node.start .toggle').click();
    await drawing().locator('.node.start .column').first().waitFor();
    await loci.editor.picture(`data-${theme.replaceAll(' ', '-').toLowerCase()}`);
  });
});

interface Files {
  readonly files: readonly { readonly table: string }[];
}

function* countRows(): Script {
  const add = { action: 'ADD_CONTEXT', active_tool_groups: 'data_connector_tools' };
  answer(yield { tool: 'loci_manage_context', input: add });
  const listed = { tool_name: 'list_connections', arguments: { files: true } };
  const { files } = answer<Files>(yield { tool: 'loci_call_tool', input: listed });
  const table = files.find((file) => file.table.endsWith('.csv"'))?.table ?? '';
  const query = { connection_id: 'workspace', sql: `SELECT count(*) AS n FROM ${table}` };
  const { rows } = answer<{ readonly rows: readonly (readonly unknown[])[] }>(
    yield { tool: 'loci_call_tool', input: { tool_name: 'run_query', arguments: query } },
  );
  return String(rows[0]?.[0]);
}
