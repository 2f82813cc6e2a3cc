import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import type { CommandId } from './manifest.ts';

interface Row extends vscode.QuickPickItem {
  readonly command?: CommandId;
}

/** Says what is in the index, what is pending and which files are left out, and why. */
export async function showIndexStatus(app: App): Promise<void> {
  const [{ index_status: index, semantic_index: semantic }, skipped] = await Promise.all([
    app.knowledge.status({ allowed: null }),
    app.knowledge.skipped(undefined),
  ]);
  const meaning = semantic.status === 'unavailable' ? semantic.reason : `${semantic.provider}, ${semantic.model}`;
  const rows: Row[] = [
    {
      label: `$(${index.status === 'ready' ? 'check' : 'sync'}) ${vscode.l10n.t('{0} documents, {1} chunks', index.documents, index.chunks)}`,
      description: index.status,
      ...(index.reason && { detail: index.reason }),
    },
    { label: `$(sparkle) ${vscode.l10n.t('Search by meaning')}`, description: semantic.status, detail: meaning },
    { label: `$(search) ${vscode.l10n.t('Search Knowledge')}`, command: 'loci.search' },
    { label: `$(refresh) ${vscode.l10n.t('Rebuild Index')}`, command: 'loci.rebuildIndex' },
  ];
  if (skipped.length > 0) {
    rows.push({ label: vscode.l10n.t('Files left out'), kind: vscode.QuickPickItemKind.Separator });
    for (const { base, path, reason, detail } of skipped) {
      rows.push({ label: `$(circle-slash) ${path || base}`, description: reason, detail });
    }
  }
  const chosen = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Loci: Index Status'),
    matchOnDetail: true,
  });
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command);
}
