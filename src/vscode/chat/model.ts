import * as vscode from 'vscode';
import {
  type Model,
  ModelError,
  type ModelPart,
  type PromptMessage,
  type PromptPart,
  saysTooLong,
} from '../../core/chat/model.ts';
import { orAborted } from '../../core/chat/until-aborted.ts';
import { withToken } from '../cancellation.ts';

/** A language model of the editor as the agent loop uses it. */
export function modelOf(model: vscode.LanguageModelChat): Model {
  const { id, name, family, vendor, maxInputTokens } = model;
  return {
    id,
    name,
    family,
    vendor,
    maxInputTokens,
    countTokens: (text, signal) => withToken(signal, (token) => model.countTokens(text, token)),
    async *send({ messages, tools }, signal): AsyncGenerator<ModelPart> {
      const source = new vscode.CancellationTokenSource();
      const stop = () => source.cancel();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const justification = vscode.l10n.t('@loci answers with the model that you chose.');
        const request = model.sendRequest(messages.map(messageOf), { tools: [...tools], justification }, source.token);
        const { stream } = await orAborted(request, signal);
        for await (const part of stream) {
          if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
          else if (part instanceof vscode.LanguageModelToolCallPart) {
            yield { type: 'call', id: part.callId, name: part.name, input: part.input ?? {} };
          }
        }
      } catch (error) {
        signal.throwIfAborted();
        throw modelErrorOf(error);
      } finally {
        signal.removeEventListener('abort', stop);
        source.cancel();
        source.dispose();
      }
    },
  };
}

function messageOf({ role, parts }: PromptMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, parts.map(partOf));
}

function partOf(part: PromptPart): vscode.LanguageModelInputPart {
  switch (part.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'result': {
      const pictures = (part.images ?? []).map(({ bytes, mime }) => vscode.LanguageModelDataPart.image(bytes, mime));
      return new vscode.LanguageModelToolResultPart(part.id, [
        new vscode.LanguageModelTextPart(part.text),
        ...pictures,
      ]);
    }
  }
}

function modelErrorOf(error: unknown): ModelError {
  const message = error instanceof Error ? error.message : String(error);
  if (saysTooLong(message)) return new ModelError('too_long', message);
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  if (code === 'NoPermissions') return new ModelError('no_permission', message);
  if (code === 'NotFound') return new ModelError('not_found', message);
  if (code === 'Blocked' || /quota|rate.?limit|\b429\b/i.test(message)) return new ModelError('blocked', message);
  return new ModelError('unknown', message);
}
