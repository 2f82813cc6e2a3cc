import { describe, expect, test } from 'vitest';
import { answer, type Hits, outcome, useLoci } from './loci.ts';
import type { Script } from './model.ts';
import { until } from './until.ts';

const QUESTION = 'How often must a temperature probe be calibrated?';

describe('@loci', () => {
  const loci = useLoci('participant');
  /** The first result of the chat, word by word, and the call's id. */
  const first = { text: '', id: '' };
  let thread = '';

  const ask = (text: string, script: Script, sameChat = false) =>
    loci.editor.ask(`@loci ${text}`, script, { sameChat });

  /** Sends a slash command, which no model hears of, and returns what is then shown last in the chat. */
  const enter = async (command: string): Promise<string> => {
    await loci.editor.evaluate(
      (api, query) =>
        api.commands.executeCommand('workbench.action.chat.open', {
          query,
          blockOnResponse: true,
        }) as PromiseLike<null>,
      `@loci ${command}`,
    );
    return until('the answer is shown', async () => {
      const shown = await loci.editor.page.locator('.interactive-item-container.interactive-response').allInnerTexts();
      // Code is shown with spaces that do not break.
      return shown.at(-1)?.replaceAll('\u00a0', ' ').trim();
    });
  };

  test('answers with the tools of the active groups, and no others', async () => {
    const turn = await ask(QUESTION, searchProbes());
    expect(turn.answer).toContain('180 days');
    expect(turn.offered).toEqual(expect.arrayContaining(['loci_search_knowledge', 'loci_manage_thread_memory']));
    expect(turn.offered.filter((name) => !name.startsWith('loci_'))).toEqual([]);
    expect(turn.offered).not.toContain('loci_wiki_search');
    first.text = turn.calls[0]!.result.text;
    await loci.editor.picture('participant-answer');
  });

  test('offers what a call has activated in the same turn', async () => {
    const turn = await ask('What does the team know about trips?', activateWiki(), true);
    expect(turn.offered).not.toContain('loci_wiki_search');
    expect(turn.answer).toBe('true');
  });

  test('says how full its memory is, and compresses it when it is told to', async () => {
    expect(await enter('/memory')).toMatch(/% of the window.*has not been compacted/s);
    expect(await enter('/compress 5')).toMatch(/messages are hidden behind a summary/);
    expect(await enter('/memory')).toMatch(/compaction-1/);
    await loci.editor.picture('participant-memory');
  });

  test('recovers a hidden result exactly', async () => {
    const turn = await ask('What exactly did the first search say?', recoverFirst(first), true);
    expect(turn.answer).toBe('equal');
    const prompt = JSON.stringify(turn.requests[0]?.messages);
    expect(prompt).toContain('[Summary of messages 1');
    expect(prompt).not.toContain(JSON.stringify(first.text).slice(1, 300));
    expect(await enter(`/recover ${first.id}`)).toContain('180 days');
  });

  test('compresses itself by a tool call', async () => {
    const turn = await ask('Compress this.', compress(), true);
    expect(JSON.parse(turn.calls[0]!.result.text)).toMatchObject({
      success: true,
      status: 'compressed',
      action: 'COMPRESS',
    });
  });

  test('shows and changes what is active', async () => {
    expect(await enter('/context')).toContain('wiki_tools');
    expect(await enter('/context remove wiki_tools')).toMatch(/Groups to add:.*wiki_tools/s);
    expect(await enter('/context add no_such_group')).toContain('no_such_group');
  });

  test('stops a model that goes on after its budget', async () => {
    const turn = ask('Search again and again.', searchForever());
    await expect(turn).rejects.toThrow('The chat ended');
    await loci.editor.picture('participant-budget');
  });

  test('keeps its threads, and finds them after a restart', async () => {
    await loci.editor.reopen(async () => {});
    const turn = await loci.editor.ask('@loci Find the chat about probes.', findThread());
    const { results } = JSON.parse(turn.answer) as { results: { title: string; thread_id: string }[] };
    thread = results.find(({ title }) => title === QUESTION)?.thread_id ?? '';
    expect(results).toContainEqual(expect.objectContaining({ title: QUESTION, source: 'loci' }));
  });

  test('lists them in the Thread Memory view', async () => {
    await loci.editor.evaluate((api) => api.commands.executeCommand('loci.threads.focus') as PromiseLike<null>);
    const row = loci.editor.page.locator('.pane-body .monaco-list-row', { hasText: QUESTION.slice(0, 20) }).first();
    await row.waitFor({ timeout: 60_000 });
    expect(await row.textContent()).toMatch(/[█░]{5} \d+ % · \d+ hidden/);
    await loci.editor.picture('participant-threads');
  });

  test('shows memory over time, and opens the chat', async () => {
    const run = (command: string) =>
      loci.editor.evaluate(
        (api, name, thread) =>
          api.commands.executeCommand(name, {
            kind: 'thread',
            thread: { id: thread, source: 'loci', title: 'Probes' },
          }) as PromiseLike<null>,
        command,
        thread,
      );
    await run('loci.thread.picture');
    await until('the picture is drawn', async () => {
      const frames = loci.editor.page.frames();
      const drawings = await Promise.all(frames.map((frame) => frame.locator('svg[role=img] polyline.line').count()));
      return drawings.includes(1);
    });
    await loci.editor.picture('participant-picture');
    await run('loci.thread.open');
    await until('the chat is open', async () =>
      (await loci.editor.page.locator('.editor-instance .interactive-session').textContent())?.includes(
        'no_such_group',
      ),
    );
  });
});

describe('A chat of the editor', () => {
  const loci = useLoci('compact');

  test('is compacted by the editor when its turn ends, and the hidden result is recovered', async () => {
    const first = { text: '', id: '' };
    const turn = await loci.editor.ask(QUESTION, searchProbes());
    first.text = turn.calls[0]!.result.text;
    await loci.editor.ask('Compress this.', compress(), { sameChat: true });
    await until(
      'the chat is compacted',
      async () => {
        const status = await loci.editor.ask('How full is it?', memoryStatus(), { sameChat: true });
        return Number(status.answer) > 0;
      },
      90_000,
    );
    const again = await loci.editor.ask('And the first result?', recoverFirst(first), { sameChat: true });
    expect(again.answer).toBe('equal');
  });
});

function* searchProbes(): Script {
  const { results } = answer<Hits>(yield { tool: 'loci_search_knowledge', input: { query: QUESTION } });
  return results.map((hit) => hit.content).join('\n');
}

function* activateWiki(): Script {
  answer(yield { tool: 'loci_manage_context', input: { action: 'ADD_CONTEXT', active_tool_groups: 'wiki_tools' } });
  const result = yield { tool: 'loci_wiki_search', input: { query: 'trips' } };
  return String(outcome(result).success);
}

interface Blocks {
  readonly blocks: readonly { readonly kind: string; readonly handle: string; readonly tool_name?: string }[];
}

/** Gets the chat's first result back, page by page, and compares it with what it was. */
function* recoverFirst(first: { text: string; id: string }): Script {
  const list = { action: 'LIST_RECOVERABLE_BLOCKS', include_nested: true };
  const { blocks } = answer<Blocks>(yield { tool: 'loci_manage_thread_memory', input: list });
  const block = blocks.find(({ kind, tool_name }) => kind === 'tool_result' && tool_name === 'loci_search_knowledge');
  first.id = block?.handle ?? '';
  let text = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const input = { action: 'GET_COMPRESSED_TOOL_RESULT', result_tool_call_id: first.id, result_offset: offset };
    const chunk: { value_chunk: string; next_offset: number | null } = answer(
      yield { tool: 'loci_manage_thread_memory', input },
    );
    text += chunk.value_chunk;
    offset = chunk.next_offset;
  }
  return text === first.text ? 'equal' : `It was ${first.text} and is ${text}`;
}

function* compress(): Script {
  yield { tool: 'loci_manage_thread_memory', input: { action: 'COMPRESS', target_percentage: 2 } };
  return 'Done.';
}

function* memoryStatus(): Script {
  const status = answer<{ total_compressions: number }>(
    yield { tool: 'loci_manage_thread_memory', input: { action: 'GET_STATUS' } },
  );
  return String(status.total_compressions);
}

function* searchForever(): Script {
  for (let n = 1; ; n++) yield { tool: 'loci_search_knowledge', input: { query: `question number ${n}` } };
}

function* findThread(): Script {
  const input = { query: 'calibration of probes', response_format: 'structured' };
  return (yield { tool: 'loci_search_threads', input }).text;
}
