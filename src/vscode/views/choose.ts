import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import { foreignTools } from '../foreign-tools.ts';
import { type ListedGroup, referenceOf } from './groups-tree.ts';
import type { LatestChat } from './latest-chat.ts';
import { sourceName } from './skill-items.ts';
import type { ListedSkill } from './skills-tree.ts';

type Standing = Awaited<ReturnType<Domains['capabilities']['skills']>>;

/** Asks for a skill, tool group or tool where a command was not called on one. Undefined when the person thinks better of it. */
export function chooser(app: App, chat: LatestChat) {
  const asker = () => ({ thread: chat.thread, agent: undefined });

  const choose = async <T>(
    title: string,
    none: string,
    rows: readonly (vscode.QuickPickItem & { readonly value: T })[],
  ): Promise<T | undefined> => {
    if (rows.length === 0) {
      void vscode.window.showInformationMessage(none);
      return undefined;
    }
    const options = { title, matchOnDescription: true, matchOnDetail: true };
    return (await vscode.window.showQuickPick(rows, options))?.value;
  };

  const allGroups = () => app.capabilities.groups({ ...asker(), foreign: foreignTools() });

  return {
    async skill(
      title: string,
      fits: (name: string, standing: Standing) => boolean = () => true,
    ): Promise<ListedSkill | undefined> {
      const [{ skills }, standing] = await Promise.all([app.skills.list(undefined), app.capabilities.skills(asker())]);
      const rows = skills
        .filter(({ name }) => fits(name, standing))
        .map((skill) => ({
          label: skill.name,
          description: sourceName(skill.source),
          detail: skill.description,
          value: skill,
        }));
      return choose(title, vscode.l10n.t('There is no skill to which this applies.'), rows);
    },

    async group(title: string, fits: (group: ListedGroup) => boolean): Promise<ListedGroup | undefined> {
      const rows = (await allGroups())
        .filter((group) => group.tools.length > 0 && fits(group))
        .map((group) => ({ label: group.title, description: group.name, detail: group.description, value: group }));
      return choose(title, vscode.l10n.t('There is no tool group to which this applies.'), rows);
    },

    /** What a tool is called in a prompt. */
    async tool(title: string): Promise<string | undefined> {
      const rows = (await allGroups())
        .filter(({ denied, unavailable }) => !denied && unavailable === undefined)
        .flatMap((group) =>
          group.tools.map((tool) => ({
            label: referenceOf(group, tool),
            description: group.title,
            detail: tool.description,
            value: referenceOf(group, tool),
          })),
        );
      return choose(title, vscode.l10n.t('There is no tool to which this applies.'), rows);
    },
  };
}

export type Chooser = ReturnType<typeof chooser>;
