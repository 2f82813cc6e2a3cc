import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import type { CommandId } from '../manifest.ts';
import { learningUri } from './wiki-files.ts';
import { type Learning, timeOf, type WikiNode, whoOf } from './wiki-tree.ts';

type WikiCommandId = Exclude<Extract<CommandId, `loci.wiki.${string}`>, 'loci.wiki.refresh'>;

/** What a person can do with the learnings of the team wiki. */
export function wikiCommands(app: App): Record<WikiCommandId, (node?: WikiNode) => Promise<unknown>> {
  const { t } = vscode.l10n;

  const learningOf = async (
    node: WikiNode | undefined,
    title: string,
    fits: (learning: Learning) => boolean = () => true,
  ): Promise<Learning | undefined> => {
    if (node?.kind === 'learning') return node.learning;
    const { items } = await app.wiki.entries({ status: null, limit: 2000, offset: 0 });
    const rows = items.filter(fits).map((learning) => ({
      label: learning.headline,
      description: learning.status,
      detail: learning.anchor_qn,
      learning,
    }));
    if (rows.length === 0) {
      void vscode.window.showInformationMessage(t('There is no learning to which this applies.'));
      return undefined;
    }
    return (await vscode.window.showQuickPick(rows, { title, matchOnDetail: true }))?.learning;
  };

  return {
    async 'loci.wiki.open'(node) {
      const learning = await learningOf(node, t('Open which learning?'));
      if (learning) await vscode.commands.executeCommand('vscode.open', learningUri(learning.statement_id));
    },
    async 'loci.wiki.approve'(node) {
      const open = (learning: Learning) => learning.status !== 'active' || learning.proposed !== undefined;
      const learning = await learningOf(node, t('Approve which learning?'), open);
      if (!learning) return;
      const { statement_id, undecided: seen } = learning;
      await app.wiki.approve({ statement_id, ...(seen && { seen }) });
    },
    async 'loci.wiki.reject'(node) {
      const learning = await learningOf(node, t('Reject which learning?'), ({ status }) => status !== 'rejected');
      if (!learning) return;
      const title = t('Why is it rejected?');
      const message = await vscode.window.showInputBox({ title, prompt: t('Kept in its history; may be empty.') });
      if (message !== undefined) await app.wiki.reject({ statement_id: learning.statement_id, message });
    },
    async 'loci.wiki.delete'(node) {
      const learning = await learningOf(node, t('Delete which learning?'));
      if (!learning) return;
      const question = t('Delete this learning with its history?');
      const detail = `${learning.headline}\n${learning.anchor_qn}`;
      const agreed = t('Delete');
      const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, agreed);
      if (answer === agreed) await app.wiki.remove({ statement_id: learning.statement_id });
    },
    async 'loci.wiki.history'(node) {
      const learning = await learningOf(node, t('Show the history of which learning?'));
      if (!learning) return;
      const { events } = await app.wiki.history({ statement_id: learning.statement_id });
      const rows = events.toReversed().map((event) => ({
        label: `${event.event} · ${timeOf(event.at)}`,
        description: whoOf(event),
        ...('text' in event && typeof event.text === 'string' && { detail: event.text.replace(/\s+/g, ' ') }),
        file: event.file,
      }));
      const chosen = await vscode.window.showQuickPick(rows, { title: learning.headline, matchOnDetail: true });
      if (chosen?.file) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(chosen.file));
    },
  };
}
