import { afterAll, describe, expect, test } from 'vitest';
import { openWorkspace, resultBytes } from './workspace.ts';

const ANCHOR = 'snowflake://ANALYTICS/FINANCE/REVENUE';
const caller = { thread: 'thread-1', agent: undefined };
const confirmed = { caller, confirmed: true };

const ws = openWorkspace({}, { settings: { 'wiki.writeEnabled': true, 'budget.calls': 0 } });
const closed = openWorkspace({});
afterAll(async () => {
  await ws.close();
  await closed.close();
});

const activate = (thread: string) =>
  ws.call('manage_context', { action: 'ADD_CONTEXT', active_tool_groups: 'wiki_tools' }, undefined, {
    caller: { thread, agent: undefined },
  });

describe('the wiki tools', () => {
  test('write what a person confirmed, and another chat finds it once it is approved', async () => {
    await activate('thread-1');
    const input = { qualified_name: ANCHOR, content: 'Revenue is recognised on shipment.', source_channel: 'forged' };
    const unasked = await ws.call('wiki_write', input, undefined, { caller });
    expect(unasked.result).toMatchObject({ success: false, error_code: 'needs_confirmation' });
    const { result } = await ws.call('wiki_write', input, undefined, confirmed);
    expect(result).toMatchObject({ success: true, status: 'pending', qualified_name: ANCHOR, stored: 'team' });
    await ws.app.wiki.approve({ statement_id: result.statement_id as string });
    await activate('thread-2');
    const other = { caller: { thread: 'thread-2', agent: undefined } };
    const found = await ws.call('wiki_search', { query: 'when is revenue recognised' }, undefined, other);
    expect(found.result).toMatchObject({ learning_hits: [{ statement_id: result.statement_id, anchor_qn: ANCHOR }] });
    const page = await ws.call('wiki_read', { qualified_name: ANCHOR }, undefined, other);
    expect(page.result).toMatchObject({
      learnings: [
        {
          text: 'Revenue is recognised on shipment.',
          written: { source_channel: 'chat', thread: 'thread-1', agent: 'default' },
        },
      ],
    });
    expect(resultBytes(page.result)).toBeLessThan(8000);
    const listed = await ws.call('wiki_list', { prefix: 'snowflake://ANALYTICS' }, undefined, other);
    expect(listed.result).toMatchObject({ items: [{ qualified_name: 'snowflake://ANALYTICS/FINANCE', learnings: 1 }] });
  });

  test('edit by key', async () => {
    const { result } = await ws.call('wiki_read', { qualified_name: ANCHOR }, undefined, confirmed);
    const [{ statement_id }] = result.learnings as [{ statement_id: string }];
    const edited = await ws.call('wiki_edit', { key: statement_id, category: 'exploratory' }, undefined, confirmed);
    expect(edited.result).toMatchObject({ applied: true, category: 'exploratory', edit_pending_review: true });
  });

  test('refuse to write while writing is off, and say which setting it is', async () => {
    const refused = await closed.call('wiki_write', { qualified_name: ANCHOR, content: 'x' }, undefined, confirmed);
    expect(refused.result).toMatchObject({ success: false, error_code: 'disabled' });
    expect(refused.result.next_step).toContain('loci.wiki.writeEnabled');
  });

  test.each([
    ['wiki_search', { query: '' }],
    ['wiki_search', { query: 'a', max_results: 201 }],
    ['wiki_read', {}],
    ['wiki_write', { qualified_name: ANCHOR, content: 'a', category: 'certain' }],
  ])('%s refuses %j', async (name, input) => {
    const { result } = await ws.call(name, input, undefined, confirmed);
    expect(result).toMatchObject({ success: false, error_code: 'invalid_input' });
  });
});
