import * as vscode from 'vscode';
import { DEFAULT_AGENT } from '../../core/capabilities/world.ts';
import { UserError } from '../../core/errors.ts';
import { foreignTools } from '../foreign-tools.ts';
import { plain } from './markdown.ts';
import { askTool, type MemoryOf } from './memory.ts';

const { t } = vscode.l10n;

/** /context: the tool groups and skills of this chat. */
export async function showContext({ app, thread }: MemoryOf, signal: AbortSignal): Promise<string> {
  const asker = { thread, agent: DEFAULT_AGENT };
  const [groups, settings, { skills }] = await Promise.all([
    app.capabilities.groups({ ...asker, foreign: foreignTools() }, signal),
    app.capabilities.runSettings(asker, signal),
    app.skills.list(undefined, signal),
  ]);
  const active = groups.filter((group) => group.active);
  const others = groups.filter(
    ({ active, denied, unavailable, tools }) => !active && !denied && !unavailable && tools.length > 0,
  );
  const named = new Set(settings.active_skills);
  const list = (names: readonly string[]) =>
    names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : t('none');
  return [
    `| ${t('Active tool group')} | ${t('Tools')} |\n|---|---|\n${active
      .map(({ name, tools }) => `| \`${name}\` | ${tools.map((tool) => plain(tool.name)).join(', ')} |`)
      .join('\n')}`,
    `${t('Groups to add:')} ${list(others.map(({ name }) => name))}`,
    `${t('Active skills:')} ${list(settings.active_skills)}`,
    `${t('Skills to add:')} ${list(skills.map(({ name }) => name).filter((name) => !named.has(name)))}`,
    ...(settings.model_tier ? [`${t('Model tier:')} ${settings.model_tier}`] : []),
    t('Change it with `/context add NAME, NAME`, `/context remove NAME` or `/context reset`.'),
  ].join('\n\n');
}

/** /context add, remove and reset. */
export async function changeContext(of: MemoryOf, given: string, signal: AbortSignal): Promise<string> {
  const [, verb = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(given) ?? [];
  if (verb.toLowerCase() === 'reset') {
    await askTool('manage_context', of, { action: 'RESET_ACTIVE' }, signal);
    return showContext(of, signal);
  }
  const action = { add: 'ADD_CONTEXT', remove: 'REMOVE_CONTEXT' }[verb.toLowerCase()];
  const names = rest.split(/[\s,]+/).filter(Boolean);
  if (action === undefined || names.length === 0) {
    throw new UserError(
      'invalid_input',
      t('/context does not know "{0}".', given),
      t('Write /context, /context add NAME, /context remove NAME or /context reset.'),
    );
  }
  const { skills } = await of.app.skills.list(undefined, signal);
  const isSkill = (name: string) => skills.some((skill) => skill.name === name);
  const input = {
    action,
    active_tool_groups: names.filter((name) => !isSkill(name)).join(','),
    active_skills: names.filter(isSkill).join(','),
  };
  await askTool('manage_context', of, input, signal);
  return showContext(of, signal);
}
