import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import type { Status } from '../core/kb/status.ts';
import type { CommandId } from './manifest.ts';
import type { LatestChat } from './views/latest-chat.ts';

/** The item that says how far the index is and what the latest chat has active; a click shows more. */
export function registerStatusBar(app: App, chat: LatestChat, report: (error: unknown) => void): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('loci.index', vscode.StatusBarAlignment.Right, 90);
  item.name = vscode.l10n.t('Loci');
  item.command = 'loci.showIndexStatus' satisfies CommandId;
  let index = { text: '$(book) Loci', tooltip: vscode.l10n.t('The index of your documents starts in a moment.') };
  let thread = '';

  const show = () => {
    const said = ['Loci', index.tooltip, thread].filter(Boolean);
    item.text = index.text;
    item.tooltip = said.join('\n');
    item.accessibilityInformation = { label: said.join('. '), role: 'button' };
  };
  show();
  item.show();

  app.on('status', (status) => {
    index = indexTexts(status);
    show();
  });
  const following = chat.onChange(async () => {
    try {
      thread = await threadText(app, chat);
      show();
    } catch (error) {
      report(error);
    }
  });
  return vscode.Disposable.from(item, following);
}

async function threadText(app: App, { thread }: LatestChat): Promise<string> {
  const record = thread === undefined ? null : await app.capabilities.thread({ thread, agent: undefined });
  if (!record) return '';
  const list = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : vscode.l10n.t('none'));
  return vscode.l10n.t(
    'Latest chat: tool groups {0}; skills {1}',
    list(record.active_tool_groups),
    list(record.active_skills),
  );
}

function indexTexts({ index_status: index, semantic_index: semantic }: Status): { text: string; tooltip: string } {
  const documents = vscode.l10n.t('{0} documents in the index.', index.documents);
  switch (index.status) {
    case 'partial':
      return {
        text: `$(sync~spin) Loci ${index.pending_files ?? ''}`.trimEnd(),
        tooltip: `${documents} ${index.reason ?? ''}`,
      };
    case 'stale':
      return { text: '$(sync~spin) Loci', tooltip: `${documents} ${index.reason ?? ''}` };
    case 'unavailable':
      return { text: '$(warning) Loci', tooltip: index.reason ?? '' };
    case 'ready': {
      const left = Object.values(index.skipped ?? {}).reduce((sum, count) => sum + count, 0);
      const skipped = left > 0 ? ` ${vscode.l10n.t('{0} files are left out; click to see why.', left)}` : '';
      if (semantic.status !== 'warming') return { text: '$(book) Loci', tooltip: `${documents}${skipped}` };
      const { done, total } = semantic;
      return {
        text: `$(loading~spin) Loci ${Math.floor((done * 100) / total)} %`,
        tooltip: `${documents} ${vscode.l10n.t('Vectors: {0} of {1}.', done, total)}${skipped}`,
      };
    }
  }
}
