import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { foreignTools } from '../foreign-tools.ts';
import type { CommandId } from '../manifest.ts';
import type { Chooser } from './choose.ts';
import type { GroupNode } from './groups-tree.ts';
import type { LatestChat } from './latest-chat.ts';
import type { SkillNode } from './skills-tree.ts';

type SwitchId = Extract<CommandId, `loci.${'skill' | 'group'}.${Verb}`>;
type Verb = 'activate' | 'deactivate' | 'addDefault' | 'removeDefault' | 'allow' | 'deny';

/** What each verb changes, and for which group or skill it makes sense. */
interface Meaning {
  readonly where: 'thread' | 'default' | 'policy';
  readonly on: boolean;
  fits(state: { active: boolean; default: boolean; denied: boolean }): boolean;
}

const MEANINGS: Readonly<Record<Verb, Meaning>> = {
  activate: { where: 'thread', on: true, fits: ({ active, denied }) => !active && !denied },
  deactivate: { where: 'thread', on: false, fits: ({ active }) => active },
  addDefault: { where: 'default', on: true, fits: (state) => !state.default && !state.denied },
  removeDefault: { where: 'default', on: false, fits: (state) => state.default },
  allow: { where: 'policy', on: true, fits: ({ denied }) => denied },
  deny: { where: 'policy', on: false, fits: ({ denied }) => !denied },
};

/** The commands that switch skills and tool groups, on a node of their tree or on what the person then chooses. */
export function switchCommands(
  app: App,
  chat: LatestChat,
  choose: Chooser,
): Record<SwitchId, (node?: SkillNode | GroupNode) => Promise<void>> {
  const change = async (kind: 'skill' | 'tool_group', name: string, { where, on }: Meaning): Promise<void> => {
    const wanted = { kind, name, on, foreign: foreignTools() };
    if (where === 'default') return app.capabilities.switchDefault(wanted);
    if (where === 'policy') return app.capabilities.switchAllowed(wanted);
    if (chat.thread !== undefined) return app.capabilities.switchInThread({ ...wanted, thread: chat.thread });
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'No chat has used Loci in this window yet. Ask something first, or make it a default of new chats.',
      ),
    );
  };

  const skill = (verb: Verb, title: string) => async (node?: SkillNode | GroupNode) => {
    const { fits } = MEANINGS[verb];
    const chosen =
      node?.kind === 'skill'
        ? node.skill
        : await choose.skill(title, (name, { active, standard, denied }) =>
            fits({ active: active.includes(name), default: standard.includes(name), denied: denied.includes(name) }),
          );
    if (chosen) await change('skill', chosen.name, MEANINGS[verb]);
  };

  const group = (verb: Verb, title: string) => async (node?: SkillNode | GroupNode) => {
    const { fits } = MEANINGS[verb];
    const chosen =
      node?.kind === 'group'
        ? node.group
        : await choose.group(title, (one) => one.activation !== 'always' && fits(one));
    if (chosen) await change('tool_group', chosen.name, MEANINGS[verb]);
  };

  const { t } = vscode.l10n;
  return {
    'loci.skill.activate': skill('activate', t('Activate which skill in the latest chat?')),
    'loci.skill.deactivate': skill('deactivate', t('Deactivate which skill in the latest chat?')),
    'loci.skill.addDefault': skill('addDefault', t('Start new chats with which skill?')),
    'loci.skill.removeDefault': skill('removeDefault', t('No longer start new chats with which skill?')),
    'loci.skill.allow': skill('allow', t('Allow agents which skill?')),
    'loci.skill.deny': skill('deny', t('Deny agents which skill?')),
    'loci.group.activate': group('activate', t('Activate which tool group in the latest chat?')),
    'loci.group.deactivate': group('deactivate', t('Deactivate which tool group in the latest chat?')),
    'loci.group.addDefault': group('addDefault', t('Start new chats with which tool group?')),
    'loci.group.removeDefault': group('removeDefault', t('No longer start new chats with which tool group?')),
    'loci.group.allow': group('allow', t('Allow agents which tool group?')),
    'loci.group.deny': group('deny', t('Deny agents which tool group?')),
  };
}
