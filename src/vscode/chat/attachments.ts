import * as vscode from 'vscode';
import type { ChatAttachment } from '../../core/chat/records.ts';

/** Longest text of one attachment that goes with the prompt, in UTF-16 units; agents read on with tools. */
const LONGEST = 60_000;

export interface Attached {
  /** The attachments' text, for the model; empty without any. */
  readonly text: string;
  readonly attachments: readonly ChatAttachment[];
}

/** The editor's own list of skills and instructions, which Loci's tools know better. */
const INDEX = 'vscode.customizations.index';

/**
 * What goes with a request: files, selections and texts that the person attached, and instructions that the editor adds to
 * every request. What `isSaid` knows from an earlier request is left out.
 */
export async function attachedTo(
  { references }: vscode.ChatRequest,
  isSaid: (text: string) => boolean,
): Promise<Attached> {
  // The editor lists them from the end of the prompt to its beginning.
  const wanted = [...references].reverse().filter(({ id }) => id !== INDEX);
  const parts = await Promise.all(wanted.map(attachmentOf));
  const known = parts.filter((part) => part !== undefined && !isSaid(part.text)) as Attachment[];
  return { text: known.map(({ text }) => text).join('\n\n'), attachments: known.map(({ about }) => about) };
}

interface Attachment {
  readonly text: string;
  readonly about: ChatAttachment;
}

async function attachmentOf({ id, value }: vscode.ChatPromptReference): Promise<Attachment | undefined> {
  if (typeof value === 'string') {
    const about = { kind: 'text', name: id };
    return { text: block(about, value), about };
  }
  const uri = value instanceof vscode.Location ? value.uri : value instanceof vscode.Uri ? value : undefined;
  if (!uri) return undefined;
  const range = value instanceof vscode.Location ? value.range : undefined;
  const about: ChatAttachment = {
    kind: range ? 'selection' : 'file',
    name: vscode.workspace.asRelativePath(uri),
    uri: uri.toString(),
    ...(range && { lines: [range.start.line + 1, range.end.line + 1] }),
  };
  return { text: block(about, await textOf(uri, range)), about };
}

async function textOf(uri: vscode.Uri, range: vscode.Range | undefined): Promise<string> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText(range);
  } catch {
    return '(This is a folder or no text; read it with a tool.)';
  }
}

function block({ name, lines }: ChatAttachment, text: string): string {
  const place = lines ? `${name}, lines ${lines[0]} to ${lines[1]}` : name;
  const cut =
    text.length > LONGEST ? `${text.slice(0, LONGEST)}\n(Cut: ${LONGEST} of ${text.length} characters.)` : text;
  return `<attachment name="${place.replaceAll('"', "'")}">\n${cut}\n</attachment>`;
}
