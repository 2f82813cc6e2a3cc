import type * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { DEFAULT_AGENT } from '../../core/capabilities/world.ts';
import { foreignTools } from '../foreign-tools.ts';

/** Activates the groups of tools that the person names with # in a prompt, where the policy allows them. */
export async function activateMentioned(
  app: App,
  thread: string,
  mentioned: readonly vscode.ChatLanguageModelToolReference[],
  signal: AbortSignal,
): Promise<void> {
  if (mentioned.length === 0) return;
  const asker = { thread, agent: DEFAULT_AGENT };
  const foreign = foreignTools();
  const wanted = new Set(mentioned.map(({ name }) => name.replace(/^loci_/, '')));
  const groups = await app.capabilities.groups({ ...asker, foreign }, signal);
  const missing = groups.filter(
    ({ active, denied, unavailable, tools }) =>
      !active && !denied && unavailable === undefined && tools.some(({ name }) => wanted.has(name)),
  );
  if (missing.length === 0) return;
  const active_tool_groups = missing.map(({ name }) => name).join(',');
  const nothing = { active_skills: '', model_tier: '', tool_profile_overrides: null, context_budget_policy: null };
  await app.capabilities.activate(
    { ...asker, wanted: { ...nothing, model_tier: '', active_tool_groups }, replace: false, unknown: [], foreign },
    signal,
  );
}
