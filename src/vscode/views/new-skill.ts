import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';

const { t } = vscode.l10n;

/** Asks for a name and makes a skill of it in the first workspace folder, ready to be written. */
export async function newSkill(app: App): Promise<void> {
  const [folder] = app.host.folders();
  if (!folder) {
    void vscode.window.showInformationMessage(t('Open a folder first: a skill of the workspace lies in it.'));
    return;
  }
  const { skills } = await app.skills.list(undefined);
  const name = await vscode.window.showInputBox({
    title: t('New Skill'),
    prompt: t('Its name: lower-case letters, digits and hyphens. The folder is called the same.'),
    placeHolder: 'review-migration',
    validateInput: (typed) => whyNot(typed, skills),
  });
  if (!name) return;
  const file = vscode.Uri.joinPath(vscode.Uri.file(folder.path), '.github', 'skills', name, 'SKILL.md');
  const exists = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (!exists) await vscode.workspace.fs.writeFile(file, Buffer.from(template(name)));
  const editor = await vscode.window.showTextDocument(file);
  const said = editor.document.getText().indexOf(PLACEHOLDER);
  if (said < 0) return;
  const [start, end] = [said, said + PLACEHOLDER.length].map((offset) => editor.document.positionAt(offset));
  editor.selection = new vscode.Selection(start!, end!);
}

function whyNot(name: string, skills: readonly { readonly name: string }[]): string | undefined {
  if (name === '') return undefined;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return t('Only a-z, 0-9 and single hyphens between them.');
  if (name.length > 64) return t('At most 64 characters.');
  return skills.some((skill) => skill.name === name) ? t('There is a skill of this name already.') : undefined;
}

const PLACEHOLDER = 'What it does, and when to use it: agents choose the skill by this sentence.';

function template(name: string): string {
  const title = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  return `---\nname: ${name}\ndescription: "${PLACEHOLDER}"\n---\n\n# ${title}\n\n1. The first step.\n`;
}
