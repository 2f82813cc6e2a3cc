import { describe, expect, test } from 'vitest';
import { answer, type Hits, type Items, outcome, type Reading, useLoci } from './loci.ts';
import type { Script } from './model.ts';

const tools = [
  'list_contents',
  'find',
  'get_info',
  'read',
  'read_around',
  'search_knowledge',
  'search_keyword',
  'view_chunk_image',
];

describe("Copilot's agent mode", () => {
  const loci = useLoci('agent');

  test('offers the knowledge tools, each with a schema of its input', async () => {
    const turn = await loci.editor.ask('What can you do?', searchProbes());
    const offered = turn.requests[0]?.tools?.map((tool) => tool.function) ?? [];
    expect(offered.map((tool) => tool.name)).toEqual(expect.arrayContaining(tools.map((name) => `loci_${name}`)));
    for (const { name, description, parameters } of offered.filter((tool) => tool.name.startsWith('loci_'))) {
      expect(description, name).toMatch(/\w/);
      expect(parameters, name).toMatchObject({ type: 'object', properties: expect.any(Object) });
    }
  });

  test('answers a question by a search', async () => {
    const turn = await loci.editor.ask('How often is a probe calibrated?', searchProbes());
    expect(turn.answer).toContain('180 days');
    await loci.editor.picture('agent-search');
  });

  test('reads a large document by its table of contents', async () => {
    const turn = await loci.editor.ask('How is a probe put into the ice bath?', readIceBath());
    expect(turn.calls.map((call) => call.tool)).toEqual(['loci_find', 'loci_read', 'loci_read']);
    expect(turn.answer).toContain('brinectl probe calibrate --probe P-117 --bath ice');
  });

  test('reads what stands around a hit', async () => {
    const turn = await loci.editor.ask('How did the customs hold go on?', readAroundHold());
    expect(turn.answer).toContain('inspection begins, takes 12 minutes');
  });

  test('is shown the picture of a chunk', async () => {
    const turn = await loci.editor.ask('Show me the temperatures of the customs hold.', viewHold());
    const [picture] = turn.calls.at(-1)?.result.images ?? [];
    expect(picture).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
    await loci.editor.picture('agent-picture');
  });

  test('is told of its mistakes in a way that leads on', async () => {
    const turn = await loci.editor.ask('Read the folder docs.', readFolder());
    expect(turn.answer).toMatch(/^Call list_contents with path_part_id [0-9a-f-]{36}/);
  });

  test('is warned when four calls are left, and stopped when none is', async () => {
    const turn = await loci.editor.ask('Search again and again.', spendBudget());
    const answers = turn.calls.map((call) => outcome(call.result));
    expect(answers.map((each) => each.calls_remaining)).toEqual([...Array(20).keys()].reverse().concat(0));
    expect(answers.map((each) => each.budget_warning !== undefined)).toEqual(
      answers.map((_, call) => call >= 15 && call < 20),
    );
    expect(answers[15]?.budget_warning).toContain('4 tool calls remain');
    expect(answers[20]).toMatchObject({ success: false, error_code: 'budget_exhausted' });
    await loci.editor.picture('agent-budget');
  });

  test('has a new budget for the next request of the same chat', async () => {
    const turn = await loci.editor.ask('And once more.', searchProbes(), { sameChat: true });
    expect(turn.answer).toContain('180 days');
  });

  test('is told when it repeats a call', async () => {
    const turn = await loci.editor.ask('Search the same twice.', repeatSearch());
    const [first, second] = turn.calls.map((call) => outcome(call.result));
    expect(first?.repeated_call).toBeUndefined();
    expect(second?.repeated_call).toContain('as call 1 ');
  });

  test('has the budget that the settings give it', async () => {
    await loci.editor.set('loci.budget.calls', 1);
    const turn = await loci.editor.ask('Search the same twice, with a budget of one call.', repeatSearch());
    const [first, second] = turn.calls.map((call) => outcome(call.result));
    expect(first).toMatchObject({ success: true, calls_remaining: 0 });
    expect(second).toMatchObject({ success: false, error_code: 'budget_exhausted' });
  });
});

function search(query: string) {
  return { tool: 'loci_search_knowledge', input: { query } };
}

function* searchProbes(): Script {
  const { results } = answer<Hits>(yield search('How often must a temperature probe be calibrated?'));
  return results.map((hit) => hit.content).join('\n');
}

function* readIceBath(): Script {
  const { items } = answer<Items>(yield { tool: 'loci_find', input: { name: 'operations-handbook' } });
  const contents = answer<Reading>(yield { tool: 'loci_read', input: { path_part_id: items[0]?.path_part_id } });
  expect(contents.mode).toBe('table_of_contents');
  const section = contents.sections?.find((entry) => entry.heading === '4. Cold chain');
  const reading = answer<Reading>(yield { tool: 'loci_read', input: { path_part_id: section?.path_part_id } });
  return (reading.chunks ?? []).map((chunk) => chunk.content).join('\n');
}

function* readAroundHold(): Script {
  const { results } = answer<Hits>(yield search('INC-086 timeline of the customs hold at Narita'));
  const hit = results.find((found) => found.path.includes('INC-086'));
  const around = answer<Reading>(
    yield { tool: 'loci_read_around', input: { chunk_id: hit?.path_part_id, window: 10 } },
  );
  return (around.chunks ?? []).map((chunk) => chunk.content).join('\n');
}

function* viewHold(): Script {
  const { items } = answer<Items>(yield { tool: 'loci_find', input: { name: 'INC-086' } });
  const document = answer<Reading>(yield { tool: 'loci_read', input: { path_part_id: items[0]?.path_part_id } });
  const chunk = document.chunks?.find((candidate) => candidate.images);
  yield { tool: 'loci_view_chunk_image', input: { chunk_id: chunk?.path_part_id } };
  return 'Two curves that leave the band at seven in the morning.';
}

function* readFolder(): Script {
  const { items } = answer<Items>(yield { tool: 'loci_find', input: { name: 'incidents', kind: 'FOLDER' } });
  const refused = yield { tool: 'loci_read', input: { path_part_id: items[0]?.path_part_id } };
  return outcome(refused).next_step ?? '';
}

function* spendBudget(): Script {
  for (let call = 1; call <= 21; call++) yield search(`question number ${call}`);
  return 'That was all.';
}

function* repeatSearch(): Script {
  yield search('gel packs for Tokyo');
  yield search('gel packs for Tokyo');
  return 'The same.';
}
