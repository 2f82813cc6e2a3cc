import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import type { CommandId } from '../manifest.ts';
import { showSearch } from '../search-picker.ts';
import type { Chooser } from './choose.ts';
import { type DataNode, openAt } from './data-tree.ts';
import { type GroupNode, referenceOf } from './groups-tree.ts';
import type { KnowledgeNode } from './knowledge-tree.ts';
import { newSkill } from './new-skill.ts';
import type { SkillNode } from './skills-tree.ts';

type Node = SkillNode | GroupNode | KnowledgeNode | DataNode;
type FileCommandId = Extract<
  CommandId,
  | 'loci.skill.open'
  | 'loci.skill.use'
  | 'loci.skill.create'
  | 'loci.tool.use'
  | 'loci.open'
  | 'loci.reveal'
  | 'loci.copyReference'
>;

/** The commands that open, show and refer to what a tree lists. */
export function fileCommands(app: App, choose: Chooser): Record<FileCommandId, (node?: Node) => unknown> {
  const { t } = vscode.l10n;
  return {
    async 'loci.skill.open'(node) {
      const path = pathOf(node) ?? (await choose.skill(t('Open which skill?')))?.file;
      if (path) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
    },
    async 'loci.skill.use'(node) {
      const skill = node?.kind === 'skill' ? node.skill : await choose.skill(t('Use which skill?'));
      if (skill) await startPrompt(`/${skill.name} `);
    },
    'loci.skill.create': () => newSkill(app),
    async 'loci.tool.use'(node) {
      const reference =
        node?.kind === 'tool' ? referenceOf(node.group, node.tool) : await choose.tool(t('Use which tool?'));
      if (reference) await startPrompt(`${reference} `);
    },
    'loci.open'(node) {
      if (node?.kind === 'entry' && node.entry.path !== undefined) {
        const { command, arguments: args = [] } = openAt(node.entry.path, node.entry.line);
        return vscode.commands.executeCommand(command, ...args);
      }
      const path = pathOf(node);
      return path ? vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path)) : showSearch(app);
    },
    async 'loci.reveal'(node) {
      const path = pathOf(node) ?? (await choose.skill(t('Reveal which skill?')))?.file;
      if (path) await reveal(vscode.Uri.file(path));
    },
    async 'loci.copyReference'(node) {
      const reference = referenceTo(node) ?? (await choose.tool(t('Copy the reference to which tool?')));
      if (!reference) return;
      await vscode.env.clipboard.writeText(reference);
      vscode.window.setStatusBarMessage(t('Copied {0}', reference), 3000);
    },
  };
}

function pathOf(node: Node | undefined): string | undefined {
  switch (node?.kind) {
    case 'skill':
    case 'unused':
      return node.skill.file ?? undefined;
    case 'file':
      return vscode.Uri.joinPath(vscode.Uri.file(node.skill.folder!), node.path).fsPath;
    case 'item':
      return node.item.path;
    default:
      return undefined;
  }
}

/** What a prompt or a tool call names the node by. */
function referenceTo(node: Node | undefined): string | undefined {
  switch (node?.kind) {
    case 'skill':
      return node.skill.name;
    case 'group':
      return node.group.name;
    case 'tool':
      return referenceOf(node.group, node.tool);
    case 'item':
      return node.item.path_part_id;
    default:
      return pathOf(node);
  }
}

/** Files of the workspace in the editor's own explorer, others in the system's. */
async function reveal(uri: vscode.Uri): Promise<void> {
  const command = vscode.workspace.getWorkspaceFolder(uri) ? 'revealInExplorer' : 'revealFileInOS';
  await vscode.commands.executeCommand(command, uri);
}

/** Opens the chat with the beginning of a prompt, for the person to go on with. */
async function startPrompt(query: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', { query, isPartialQuery: true, mode: 'agent' });
}
