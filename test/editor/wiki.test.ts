import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, outcome, useLoci } from './loci.ts';
import type { Script } from './model.ts';
import { until } from './until.ts';

const TRIPS = 'dbt://saltmarrow/fct_shipments';
const LEARNING = 'A shipment counts as late from the second minute on, by the timetable of the route.';

describe('The team wiki and the advisor', () => {
  const loci = useLoci('wiki');

  const run = (command: string, ...args: unknown[]) =>
    loci.editor.evaluate(
      (api, name, given) => api.commands.executeCommand(name, ...given) as PromiseLike<null>,
      command,
      args,
    );
  const rows = () => loci.editor.page.locator('.pane:has(.pane-header[aria-label^="Team Wiki"]) .monaco-list-row');
  const row = (label: string) => rows().filter({ hasText: label }).first();

  test('what an agent writes waits for a person, and is found by another chat once approved', async () => {
    await loci.editor.set('loci.wiki.writeEnabled', true);
    const asking = loci.editor.ask('Remember when a shipment is late.', writeLearning());
    // The person is asked before anything is written.
    const allow = loci.editor.page.getByRole('button', { name: /^Allow/ }).first();
    await allow.waitFor({ timeout: 30_000 });
    await loci.editor.picture('wiki-confirmation');
    await allow.click();
    expect((await asking).answer).toBe('pending');
    const before = await loci.editor.ask('When is a shipment late?', findLearning());
    expect(before.answer).toBe('unknown');

    await run('loci.wiki.focus');
    await row('A shipment counts as late').waitFor();
    await loci.editor.picture('wiki-pending');
    await row('A shipment counts as late').hover();
    await row('A shipment counts as late').getByRole('button', { name: 'Approve Learning' }).click();
    await until('the learning is active', async () =>
      (await rows().allTextContents()).some((text) => text.startsWith('Active')),
    );
    await loci.editor.picture('wiki-active');

    const after = await loci.editor.ask('When is a shipment late, again?', findLearning());
    expect(after.answer).toBe(LEARNING);
    const files = await readdir(join(loci.editor.folder, '.loci', 'wiki'), { recursive: true });
    expect(files.filter((file) => file.endsWith('.md')).length).toBeGreaterThan(1);
  });

  test('the advisor is refused in an ordinary chat', async () => {
    const turn = await loci.editor.ask('What is new?', askAdvisor());
    expect(turn.offered).not.toContain('loci_get_release_notes');
    expect(turn.answer).toBe('refused');
  });

  test('the advisor reports what is new, on its own thread', async () => {
    const turn = await loci.editor.ask('@loci /whatsnew', advise());
    expect(turn.offered).toEqual(
      expect.arrayContaining(['loci_get_release_notes', 'loci_get_install_inventory', 'loci_save_upgrade_summary']),
    );
    expect(turn.answer).toMatch(/v\d+\.\d+\.\d+\.md$/);
    await loci.editor.page.getByRole('button', { name: 'Open Report' }).click();
    await until('the report is open', () =>
      loci.editor.evaluate((api) => api.window.activeTextEditor?.document.getText().includes('# Loci') ?? false),
    );
    await loci.editor.picture('advisor');
  });
});

const ACTIVATE = { tool: 'loci_manage_context', input: { action: 'ADD_CONTEXT', active_tool_groups: 'wiki_tools' } };

function* writeLearning(): Script {
  yield ACTIVATE;
  const write = { qualified_name: TRIPS, content: LEARNING, commit_message: 'From the operations handbook' };
  const call = { tool_name: 'wiki_write', arguments: write };
  return answer<{ readonly status: string }>(yield { tool: 'loci_call_tool', input: call }).status;
}

function* findLearning(): Script {
  yield ACTIVATE;
  const call = { tool_name: 'wiki_search', arguments: { query: 'shipment counts as late' } };
  const { learning_hits: hits = [] } = answer<{ readonly learning_hits?: readonly { learning_text: string }[] }>(
    yield { tool: 'loci_call_tool', input: call },
  );
  return hits[0]?.learning_text ?? 'unknown';
}

function* askAdvisor(): Script {
  const result = yield { tool: 'loci_call_tool', input: { tool_name: 'get_release_notes' } };
  return outcome(result).error_code ?? 'answered';
}

function* advise(): Script {
  const notes = answer<{ readonly runtime_version: string }>(yield { tool: 'loci_get_release_notes', input: {} });
  answer(yield { tool: 'loci_get_install_inventory', input: {} });
  const text = `# Loci ${notes.runtime_version}\n\nThis workspace gains skills, data lineage and thread memory.\n\n## Before you go on\n\nNothing to do.\n`;
  const saved = answer<{ readonly path: string }>(
    yield { tool: 'loci_save_upgrade_summary', input: { summary_markdown: text } },
  );
  return saved.path;
}
