import { tokenCounter } from '../util/tokens.ts';
import type { Model } from './model.ts';
import type { ChatMessage } from './records.ts';

/** Tokens that a message takes besides its text. */
const ENVELOPE = 4;
/** Tokens a picture is taken for: models differ, and none counts much more at the size of a screen. */
const PICTURE = 1200;
const TEXTS_HELD = 500;

/** Counts tokens, each text once. */
export interface TokenCounter {
  text(text: string, signal: AbortSignal): Promise<number>;
  message(message: ChatMessage, signal: AbortSignal): Promise<number>;
}

/** Counts as the model does; where it cannot, and without a model, by the o200k encoding. */
export function createTokenCounter(model: Pick<Model, 'countTokens'> | undefined): TokenCounter {
  const messages = new Map<string, number>();
  const texts = new Map<string, number>();

  const count = async (text: string, signal: AbortSignal): Promise<number> => {
    if (text === '') return 0;
    try {
      const counted = await model?.countTokens(text, signal);
      if (counted !== undefined && Number.isFinite(counted)) return counted;
    } catch {
      signal.throwIfAborted();
    }
    return (await tokenCounter())(text);
  };

  return {
    async text(text, signal) {
      const known = texts.get(text);
      if (known !== undefined) return known;
      const counted = await count(text, signal);
      if (texts.size >= TEXTS_HELD) texts.clear();
      texts.set(text, counted);
      return counted;
    },
    async message(message, signal) {
      const known = messages.get(message.id);
      if (known !== undefined) return known;
      const calls = (message.calls ?? []).map(({ name, arguments: input }) => `${name} ${input}`);
      const pictures = (message.attachments ?? []).filter(({ kind }) => kind === 'image').length;
      const counted =
        (await count([message.text, ...calls].join('\n'), signal)) + ENVELOPE * (1 + calls.length) + PICTURE * pictures;
      messages.set(message.id, counted);
      return counted;
    },
  };
}
