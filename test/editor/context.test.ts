import { describe, expect, test } from 'vitest';
import { answer, outcome, useLoci } from './loci.ts';
import type { Script } from './model.ts';

describe('a tool group', () => {
  const loci = useLoci('context');

  test('is found, activated and called in one turn, and offered in the next', async () => {
    const turn = await loci.editor.ask('What does the team know about the trips table?', discoverWiki());
    expect(turn.offered).toContain('loci_manage_context');
    expect(turn.offered).not.toContain('loci_wiki_search');
    const [refused, found, added, called] = turn.calls.map(({ result }) => outcome(result));
    expect(refused).toMatchObject({ success: false, error_code: 'tool_group_inactive' });
    expect(found).toMatchObject({ success: true });
    expect(added).toMatchObject({ success: true, new_tool_groups_added: ['wiki_tools'] });
    expect(called).toMatchObject({ success: true });

    const next = await loci.editor.ask('Look again.', callDirectly(), { sameChat: true });
    expect(next.offered).toContain('loci_wiki_search');
    expect(next.answer).toBe('true');
    await loci.editor.picture('context-activation');
  });

  test('stays inactive in another chat, which says how to activate it', async () => {
    const turn = await loci.editor.ask('And in a new chat?', callDirectly());
    expect(turn.answer).toBe('false');
    expect(outcome(turn.calls[0]!.result)).toMatchObject({
      error_code: 'tool_group_inactive',
      next_step: expect.stringContaining('active_tool_groups="wiki_tools"'),
    });
  });

  test('that is private is unknown to everyone', async () => {
    const turn = await loci.editor.ask('Advise me.', askForPrivate());
    expect(turn.answer).toContain('Unknown tool group: upgrade_advisor_tools');
    expect(turn.offered.filter((name) => name.includes('release_notes'))).toEqual([]);
  });
});

describe('a skill of the workspace', () => {
  const loci = useLoci('skills');

  test('is found by meaning and handed over as it is activated', async () => {
    const turn = await loci.editor.ask('The oysters got too warm. Write it up.', activateSkill());
    expect(turn.answer).toContain('# Excursion report');
    const [first, again] = turn.calls.slice(1).map(({ result }) => outcome(result));
    expect(first).toMatchObject({
      new_skills_added: ['excursion-report'],
      auto_activated_skills: ['lot-trace'],
      inlined_skills: ['lot-trace', 'excursion-report'],
    });
    expect(again).toMatchObject({ new_skills_added: [], inlined_skills: [] });
  });
});

interface Found {
  readonly tool_groups: readonly { readonly name: string }[];
  readonly skills: readonly { readonly name: string }[];
}

function* discoverWiki(): Script {
  const wiki = { tool: 'loci_call_tool', input: { tool_name: 'wiki_search', arguments: { query: 'trips' } } };
  yield wiki;
  const { tool_groups } = answer<Found>(
    yield { tool: 'loci_manage_context', input: { query: 'what the team has learned', search_scope: 'tools' } },
  );
  const name = tool_groups.find((group) => group.name === 'wiki_tools')?.name;
  yield { tool: 'loci_manage_context', input: { action: 'ADD_CONTEXT', active_tool_groups: name } };
  yield wiki;
  return 'Nothing yet.';
}

function* callDirectly(): Script {
  const result = yield { tool: 'loci_wiki_search', input: { query: 'trips' } };
  return String(outcome(result).success);
}

function* askForPrivate(): Script {
  const add = { action: 'ADD_CONTEXT', active_tool_groups: 'upgrade_advisor_tools' };
  const result = yield { tool: 'loci_manage_context', input: add };
  return (JSON.parse(result.text) as { error: string }).error;
}

function* activateSkill(): Script {
  const { skills } = answer<Found>(
    yield { tool: 'loci_manage_context', input: { query: 'a crate got too warm on the way', search_scope: 'skills' } },
  );
  const add = { tool: 'loci_manage_context', input: { action: 'ADD_CONTEXT', active_skills: skills[0]?.name } };
  const { skill_activation_hints: hints } = answer<{
    readonly skill_activation_hints: readonly { readonly primary_file_content: string }[];
  }>(yield add);
  yield add;
  return hints.at(-1)?.primary_file_content ?? '';
}
