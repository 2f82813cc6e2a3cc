import { join } from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../core/app.ts';

interface Place extends vscode.QuickPickItem {
  readonly file: string;
  readonly line: number | null;
}

const MOST = 20;

/** A quick pick that searches as one types and opens the chosen place. */
export function showSearch(app: App): void {
  const picker = vscode.window.createQuickPick<Place>();
  picker.title = vscode.l10n.t('Search Knowledge');
  picker.placeholder = vscode.l10n.t('Words, an identifier or a "phrase" of your documents');
  let latest = 0;
  picker.onDidChangeValue(async (typed) => {
    const mine = ++latest;
    picker.busy = true;
    try {
      const found = typed.trim() ? await app.knowledge.suggest({ typed, limit: MOST }) : [];
      if (mine !== latest) return;
      picker.items = found.map(({ root, file, title, headings, line, text }) => ({
        label: headings.at(-1) || title || file,
        description: line === null ? file : `${file}:${line}`,
        detail: text.replace(/\s+/g, ' ').trim(),
        alwaysShow: true,
        file: join(root, file),
        line,
      }));
    } catch (error) {
      picker.items = [
        { label: vscode.l10n.t('The search failed'), detail: String(error), alwaysShow: true, file: '', line: null },
      ];
    } finally {
      if (mine === latest) picker.busy = false;
    }
  });
  picker.onDidAccept(async () => {
    const [chosen] = picker.selectedItems;
    picker.hide();
    if (!chosen?.file) return;
    const uri = vscode.Uri.file(chosen.file);
    if (chosen.line === null) await vscode.commands.executeCommand('vscode.open', uri);
    else {
      const at = new vscode.Position(chosen.line - 1, 0);
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
    }
  });
  picker.onDidHide(() => picker.dispose());
  picker.show();
}
