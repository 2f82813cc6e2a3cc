import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ListedSkill, SkillNode, UnusedSkill } from './skills-tree.ts';
import { tooltip } from './tooltip.ts';

/** How a node of the skills tree looks. */
export function skillItem(node: SkillNode): vscode.TreeItem {
  switch (node.kind) {
    case 'source':
      return sourceItem(node.source);
    case 'skill':
      return usableItem(node);
    case 'unused':
      return unusedItem(node.skill);
    case 'file':
      return fileItem(node.skill, node.path);
    case 'create':
      return createItem();
  }
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** The name of a source for a person. */
export function sourceName(source: string): string {
  if (source === 'workspace') return vscode.l10n.t('Workspace');
  if (source === 'user') return vscode.l10n.t('User');
  if (source === 'setting') return vscode.l10n.t('Settings');
  return source.replace(/^extension /, '');
}

function sourceItem(source: string): vscode.TreeItem {
  // An extension may bring dozens, which a person does not work on.
  const item = new vscode.TreeItem(sourceName(source), source.startsWith('extension ') ? Collapsed : Expanded);
  item.id = `source:${source}`;
  item.contextValue = 'source';
  if (source.startsWith('extension ')) item.description = vscode.l10n.t('extension');
  item.tooltip = tooltip({
    title: sourceName(source),
    notes: [
      source === 'workspace'
        ? vscode.l10n.t('From .agents/skills, .github/skills and .claude/skills of the workspace folders.')
        : source === 'user'
          ? vscode.l10n.t('From ~/.agents/skills, ~/.copilot/skills and ~/.claude/skills.')
          : source === 'setting'
            ? vscode.l10n.t('From the settings loci.skills.folders and chat.agentSkillsLocations.')
            : vscode.l10n.t('Contributed by an installed extension.'),
    ],
  });
  return item;
}

function usableItem({ skill, standing }: Extract<SkillNode, { kind: 'skill' }>): vscode.TreeItem {
  const { name, description, file, folder, prerequisites } = skill;
  const [active, read, standard, denied] = [standing.active, standing.read, standing.standard, standing.denied].map(
    (names) => names.includes(name),
  );
  const item = new vscode.TreeItem(name, folder === null ? None : Collapsed);
  item.id = `skill:${file ?? `${skill.source}/${name}`}`;
  item.description = [
    denied && vscode.l10n.t('denied'),
    active && vscode.l10n.t('active'),
    read && vscode.l10n.t('read'),
    standard && vscode.l10n.t('default'),
  ]
    .filter(Boolean)
    .join(' · ');
  item.iconPath = denied
    ? new vscode.ThemeIcon('circle-slash')
    : active
      ? new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('charts.green'))
      : new vscode.ThemeIcon('lightbulb');
  item.contextValue = [
    'skill switchable available',
    active ? 'active' : 'inactive',
    standard ? 'default' : 'optional',
    denied ? 'denied' : 'allowed',
    file === null ? 'described' : 'onDisk',
  ].join(' ');
  item.tooltip = tooltip({
    title: name,
    text: description,
    notes: [
      denied ? vscode.l10n.t('The policy of the default agent denies this skill.') : undefined,
      active
        ? read
          ? vscode.l10n.t('Active in the latest chat, which has been given its SKILL.md.')
          : vscode.l10n.t('Active in the latest chat, which has not read its SKILL.md yet.')
        : undefined,
      standard ? vscode.l10n.t('New chats start with it.') : undefined,
      prerequisites.length > 0 ? vscode.l10n.t('Activates {0} as well.', prerequisites.join(', ')) : undefined,
      skill.model_invocable ? undefined : vscode.l10n.t('Agents do not choose it by themselves.'),
      file ?? vscode.l10n.t('It has no file, only this description.'),
    ],
  });
  item.accessibilityInformation = {
    label: [name, vscode.l10n.t('skill'), item.description || vscode.l10n.t('not active')].join(', '),
  };
  if (file !== null) item.command = openCommand(file);
  return item;
}

function unusedItem({ name, file, reason, diagnostics, source }: UnusedSkill): vscode.TreeItem {
  const first = diagnostics.find(({ severity, code }) => severity === 'error' || code === 'shadowed');
  const invalid = reason === 'invalid';
  const item = new vscode.TreeItem(name, None);
  item.id = `skill:${file}`;
  item.description = invalid ? vscode.l10n.t('invalid') : vscode.l10n.t('not used');
  item.iconPath = invalid
    ? new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'))
    : new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  item.contextValue = `unused onDisk ${reason}`;
  const problems = diagnostics.filter(({ severity }) => severity !== 'hint');
  item.tooltip = tooltip({
    title: name,
    notes: [
      invalid ? vscode.l10n.t('This skill cannot be used until its SKILL.md is mended.') : undefined,
      ...problems.map(({ line, message }) => vscode.l10n.t('Line {0}: {1}', line, message)),
      file,
    ],
  });
  item.accessibilityInformation = {
    label: [name, vscode.l10n.t('skill of {0}', sourceName(source)), item.description, first?.message ?? ''].join(', '),
  };
  item.command = openCommand(file, first && { line: first.line, column: first.column });
  return item;
}

function fileItem(skill: ListedSkill, path: string): vscode.TreeItem {
  const uri = vscode.Uri.joinPath(vscode.Uri.file(skill.folder!), path);
  const item = new vscode.TreeItem(basename(path), None);
  item.id = `skill-file:${skill.file}:${path}`;
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'file onDisk';
  if (path.includes('/')) item.description = path.slice(0, path.lastIndexOf('/'));
  item.tooltip = tooltip({ title: path, notes: [vscode.l10n.t('Bundled with the skill {0}.', skill.name)] });
  item.command = openCommand(uri.fsPath);
  return item;
}

function createItem(): vscode.TreeItem {
  const title = vscode.l10n.t('New Skill…');
  const item = new vscode.TreeItem(title, None);
  item.iconPath = new vscode.ThemeIcon('add');
  item.description = vscode.l10n.t('the workspace has none');
  item.tooltip = tooltip({
    title,
    notes: [vscode.l10n.t('A skill is a folder with a SKILL.md that teaches agents how to do one thing.')],
  });
  item.command = { command: 'loci.skill.create', title };
  return item;
}

function openCommand(file: string, at?: { line: number; column: number }): vscode.Command {
  const position = at && new vscode.Position(at.line - 1, at.column - 1);
  const options = position ? [{ selection: new vscode.Range(position, position) }] : [];
  return { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [vscode.Uri.file(file), ...options] };
}
