import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { noteRetraction } from '../../core/chat/retract.ts';
import { UserError } from '../../core/errors.ts';
import { withSignal } from '../cancellation.ts';
import { callerOf } from '../chat-session.ts';
import { advise } from './advisor.ts';
import { participant } from './contribution.ts';
import { converse } from './conversation.ts';
import type { OwnChats } from './own-chats.ts';
import { answerCommand, isCommand } from './slash.ts';

/** The chat participant @loci. */
export function registerParticipant(app: App, chats: OwnChats, report: (error: unknown) => void): vscode.Disposable {
  const answer = async (
    request: vscode.ChatRequest,
    context: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
    signal: AbortSignal,
  ): Promise<vscode.ChatResult> => {
    const known = callerOf(request).thread;
    const thread = known ?? threadIn(context) ?? randomUUID();
    const result = async (errorDetails?: vscode.ChatErrorDetails): Promise<vscode.ChatResult> => {
      const transcript = await chats.transcript(thread).catch(() => undefined);
      const end = transcript?.history.messages.at(-1)?.id;
      return { metadata: { loci: { thread, end } }, ...(errorDetails && { errorDetails }) };
    };
    try {
      if (isCommand(request.command)) {
        await answerCommand({ app, chats, thread, command: request.command, text: request.prompt, stream }, signal);
        return result();
      }
      if (request.command === 'whatsnew') {
        const end = await advise({ app, chats, request, stream }, signal);
        return result(end.problem && { message: sentences(end.problem) });
      }
      if (request.prompt.trim() === '' && request.references.length === 0) {
        stream.markdown(help());
        return result();
      }
      await noteRetraction(await chats.transcript(thread), endIn(context));
      const end = await converse({ app, chats, request, stream, thread, isKnown: known !== undefined }, signal);
      return result(end.problem && { message: sentences(end.problem) });
    } catch (error) {
      if (signal.aborted) return result();
      if (error instanceof UserError) return result({ message: sentences(error) });
      report(error);
      const line = error instanceof Error ? error.message.split('\n')[0]! : String(error);
      const message = vscode.l10n.t('@loci failed: {0} The Loci log has the details; the conversation is kept.', line);
      return result({ message });
    }
  };
  const registered = vscode.chat.createChatParticipant(participant.id, (request, context, stream, token) =>
    withSignal(token, (signal) => answer(request, context, stream, signal)),
  );
  registered.iconPath = new vscode.ThemeIcon('book');
  return registered;
}

function sentences({ message, next }: UserError): string {
  return `${message} ${next}`;
}

function help(): string {
  const commands = Object.entries(participant.commands).map(([name, description]) => `- \`/${name}\` ${description}`);
  const ask = vscode.l10n.t('Ask about your project, or about what was said before. Without a model there are:');
  return `${ask}\n\n${commands.join('\n')}`;
}

/** What earlier answers of this chat said of themselves, the latest first. */
function answersIn({ history }: vscode.ChatContext): { readonly thread?: unknown; readonly end?: unknown }[] {
  return history
    .filter((turn) => turn instanceof vscode.ChatResponseTurn)
    .map(({ result }) => Object(result.metadata?.loci))
    .reverse();
}

/** The thread that an earlier answer of this chat named. */
function threadIn(context: vscode.ChatContext): string | undefined {
  const thread = answersIn(context).find((answer) => typeof answer.thread === 'string')?.thread;
  return thread as string | undefined;
}

/** The message that the chat ends with as the editor shows it; null when it has no answer, empty where that is not known. */
function endIn(context: vscode.ChatContext): string | null {
  const [latest] = answersIn(context);
  if (!latest) return null;
  return typeof latest.end === 'string' ? latest.end : '';
}
