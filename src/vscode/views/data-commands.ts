import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import type { CommandId } from '../manifest.ts';
import type { DataNode } from './data-tree.ts';
import type { Lineage } from './lineage.ts';

type DataCommandId = Exclude<Extract<CommandId, `loci.data.${string}`>, 'loci.data.refresh'>;

/** What can be done with a data asset. */
export function dataCommands(app: App, lineage: Lineage): Record<DataCommandId, (node?: DataNode) => Promise<unknown>> {
  const { t } = vscode.l10n;

  /** Qualified name of the node's asset, or of one that the person looks up by name. */
  const assetOf = async (node: DataNode | undefined, title: string): Promise<string | undefined> => {
    if (node?.kind === 'entry') return node.entry.qualified_name;
    const query = await vscode.window.showInputBox({ title, prompt: t('Part of its name') });
    if (query === undefined) return undefined;
    const { results } = await app.graph.find({ query, source_system: '', node_type: '', limit: 50, offset: 0 });
    const rows = results.map(({ name, node_type, qualified_name }) => ({
      label: name,
      description: node_type,
      detail: qualified_name,
    }));
    if (rows.length > 0) return (await vscode.window.showQuickPick(rows, { title, matchOnDetail: true }))?.detail;
    void vscode.window.showInformationMessage(t('No data asset has "{0}" in its name.', query));
    return undefined;
  };

  return {
    async 'loci.data.lineage'(node) {
      const name = await assetOf(node, t('Show the lineage of which asset?'));
      if (name !== undefined) await lineage.show(name.split('#')[0]!);
    },
    async 'loci.data.copyName'(node) {
      const name = await assetOf(node, t('Copy the qualified name of which asset?'));
      if (name !== undefined) await vscode.env.clipboard.writeText(name);
    },
    async 'loci.data.ask'(node) {
      const name = await assetOf(node, t('Ask about which asset?'));
      if (name === undefined) return;
      const query = t('What is {0}, where does it come from, and what depends on it?', name);
      await vscode.commands.executeCommand('workbench.action.chat.open', {
        query,
        isPartialQuery: true,
        mode: 'agent',
      });
    },
  };
}
