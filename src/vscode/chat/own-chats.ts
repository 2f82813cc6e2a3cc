import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { DEFAULT_AGENT } from '../../core/capabilities/world.ts';
import { type Chat, createChat } from '../../core/chat/chat.ts';
import type { Model } from '../../core/chat/model.ts';
import { createTokenCounter, type TokenCounter } from '../../core/chat/token-counter.ts';
import { modelOf } from './model.ts';

/** The chats with @loci of this window, and the models that answer in them. */
export interface OwnChats extends Pick<Chat, 'methods' | 'transcript'> {
  /** Follows the window's folders. */
  configure(): void;
  /** The model as the loop uses it; it writes the summaries of the thread until it is disposed. */
  use(thread: string, model: vscode.LanguageModelChat): { readonly model: Model; dispose(): void };
  counterOf(model: Model): TokenCounter;
}

export function createOwnChats(app: App, access: vscode.LanguageModelAccessInformation): OwnChats {
  const answering = new Map<string, Model>();
  const counters = new Map<string, TokenCounter>();

  /** The model that is answering; between turns the one that last did, where the person has allowed it. */
  const writerOf = async (thread: string): Promise<Model | undefined> => {
    const now = answering.get(thread);
    if (now) return now;
    const last = (await chat.transcript(thread)).history.usage?.model;
    const models = await vscode.lm.selectChatModels();
    const found = models.find((model) => model.name === last && access.canSendRequest(model) === true);
    return found && modelOf(found);
  };

  const neverCompress = async (thread: string) =>
    (await app.capabilities.runSettings({ thread, agent: DEFAULT_AGENT })).never_compress_skills;
  const chat = createChat({ now: app.host.now, neverCompress }, writerOf);
  const configure = () => chat.configure({ storage: app.host.storage, workspace: app.host.folders()[0]?.path ?? '' });
  configure();

  return {
    methods: chat.methods,
    transcript: chat.transcript,
    configure,
    use(thread, chosen) {
      const model = modelOf(chosen);
      answering.set(thread, model);
      return {
        model,
        dispose() {
          if (answering.get(thread) === model) answering.delete(thread);
        },
      };
    },
    counterOf(model) {
      const counter = counters.get(model.id) ?? createTokenCounter(model);
      counters.set(model.id, counter);
      return counter;
    },
  };
}
