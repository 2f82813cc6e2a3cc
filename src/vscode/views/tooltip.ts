import * as vscode from 'vscode';

export interface Tooltip {
  readonly title: string;
  /** Text of a file or tool: shown as it stands, without markup of its own. */
  readonly text?: string | undefined;
  /** What is worth knowing, in sentences. */
  readonly notes?: readonly (string | undefined)[];
}

/** Longest text of others in a tooltip, in UTF-16 units. */
const LONGEST = 600;

/** A tooltip in Markdown, in which nothing but our own layout is markup. */
export function tooltip({ title, text, notes = [] }: Tooltip): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.appendMarkdown('**').appendText(title).appendMarkdown('**');
  const said = [text && shortened(text), ...notes].filter((note) => note !== undefined && note !== '');
  for (const note of said) markdown.appendMarkdown('\n\n').appendText(note!);
  return markdown;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).trimEnd()}…`;
}
