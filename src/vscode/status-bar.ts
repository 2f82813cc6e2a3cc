import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import type { Status } from '../core/kb/status.ts';
import type { CommandId } from './manifest.ts';

/** The item that says how far the index is; a click shows more. */
export function registerStatusBar(app: App): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('loci.index', vscode.StatusBarAlignment.Right, 90);
  item.name = vscode.l10n.t('Loci index');
  item.command = 'loci.showIndexStatus' satisfies CommandId;
  item.text = '$(book) Loci';
  item.tooltip = vscode.l10n.t('Loci: the index of your documents starts in a moment.');
  item.show();
  app.on('status', (status) => {
    const { text, tooltip } = statusTexts(status);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: tooltip, role: 'button' };
  });
  return item;
}

function statusTexts({ index_status: index, semantic_index: semantic }: Status): { text: string; tooltip: string } {
  const documents = vscode.l10n.t('{0} documents in the index.', index.documents);
  switch (index.status) {
    case 'partial':
      return {
        text: `$(sync~spin) Loci ${index.pending_files ?? ''}`.trimEnd(),
        tooltip: `Loci: ${documents} ${index.reason ?? ''}`,
      };
    case 'stale':
      return { text: '$(sync~spin) Loci', tooltip: `Loci: ${documents} ${index.reason ?? ''}` };
    case 'unavailable':
      return { text: '$(warning) Loci', tooltip: `Loci: ${index.reason ?? ''}` };
    case 'ready': {
      const left = Object.values(index.skipped ?? {}).reduce((sum, count) => sum + count, 0);
      const skipped = left > 0 ? ` ${vscode.l10n.t('{0} files are left out; click to see why.', left)}` : '';
      if (semantic.status !== 'warming') return { text: '$(book) Loci', tooltip: `Loci: ${documents}${skipped}` };
      const { done, total } = semantic;
      return {
        text: `$(loading~spin) Loci ${Math.floor((done * 100) / total)} %`,
        tooltip: `Loci: ${documents} ${vscode.l10n.t('Vectors: {0} of {1}.', done, total)}${skipped}`,
      };
    }
  }
}
