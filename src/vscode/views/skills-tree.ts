import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';
import type { LatestChat } from './latest-chat.ts';
import { tooltip } from './tooltip.ts';
import type { TreeSource } from './tree.ts';

type Listed = Awaited<ReturnType<Domains['skills']['list']>>;
type Standing = Awaited<ReturnType<Domains['capabilities']['skills']>>;
export type ListedSkill = Listed['skills'][number];
export type UnusedSkill = Listed['unused'][number];

export type SkillNode =
  | { readonly kind: 'source'; readonly source: string; readonly children: readonly SkillNode[] }
  | { readonly kind: 'skill'; readonly skill: ListedSkill; readonly standing: Standing }
  | { readonly kind: 'unused'; readonly skill: UnusedSkill }
  | { readonly kind: 'file'; readonly skill: ListedSkill; readonly path: string }
  | { readonly kind: 'create' };

/** Skills by where they come from; those that cannot be used among them, with the reason. */
export function skillsTree(app: App, chat: LatestChat): TreeSource<SkillNode> {
  return {
    async roots() {
      const asker = { thread: chat.thread, agent: undefined };
      const [{ skills, unused }, standing] = await Promise.all([
        app.skills.list(undefined),
        app.capabilities.skills(asker),
      ]);
      const sources = new Map<string, SkillNode[]>();
      const under = (source: string): SkillNode[] => {
        const known = sources.get(source) ?? [];
        sources.set(source, known);
        return known;
      };
      // A workspace without skills still has its place, so that it can be given one.
      if (app.host.folders().length > 0) under('workspace');
      for (const skill of skills) under(skill.source).push({ kind: 'skill', skill, standing });
      for (const skill of unused) under(skill.source).push({ kind: 'unused', skill });
      if (sources.get('workspace')?.length === 0) under('workspace').push({ kind: 'create' });
      return [...sources].map(([source, children]): SkillNode => ({ kind: 'source', source, children }));
    },
    async children(node) {
      if (node.kind === 'source') return node.children;
      if (node.kind !== 'skill' || node.skill.folder === null) return [];
      const { files } = await app.skills.files({ name: node.skill.name });
      return files.map(({ path }): SkillNode => ({ kind: 'file', skill: node.skill, path }));
    },
    item: itemOf,
  };
}

function itemOf(node: SkillNode): vscode.TreeItem {
  switch (node.kind) {
    case 'source':
      return sourceItem(node.source);
    case 'skill':
      return skillItem(node);
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
  const item = new vscode.TreeItem(sourceName(source), Expanded);
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

function skillItem({ skill, standing }: Extract<SkillNode, { kind: 'skill' }>): vscode.TreeItem {
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
