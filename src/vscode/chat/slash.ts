import * as vscode from 'vscode';
import { type CommandName, participant } from './contribution.ts';
import type { MemoryOf } from './memory.ts';
import { changeContext, showContext } from './slash-context.ts';
import { compressNow, showMemory } from './slash-memory.ts';
import { recover } from './slash-recover.ts';

/** The commands that are answered without a model. */
type SlashName = Exclude<CommandName, 'whatsnew'>;

export interface SlashCommand extends MemoryOf {
  readonly command: SlashName;
  /** What the person wrote after the command. */
  readonly text: string;
  readonly stream: vscode.ChatResponseStream;
}

export function isCommand(name: string | undefined): name is SlashName {
  return name !== undefined && name !== 'whatsnew' && Object.hasOwn(participant.commands, name);
}

/** Answers a slash command of @loci, without asking a model. */
export async function answerCommand(
  { command, text, stream, ...of }: SlashCommand,
  signal: AbortSignal,
): Promise<void> {
  const given = text.trim();
  switch (command) {
    case 'memory':
      return stream.markdown(await showMemory(of, signal));
    case 'recover':
      return stream.markdown(await recover(of, given, signal));
    case 'context':
      return stream.markdown(await (given === '' ? showContext(of, signal) : changeContext(of, given, signal)));
    case 'compress':
      stream.progress(vscode.l10n.t('Compressing the conversation…'));
      return stream.markdown(await compressNow(of, given, signal));
  }
}
