import type { Model } from './model.ts';
import type { ChatAttachment, ChatToolCall } from './records.ts';
import type { Transcript } from './transcript.ts';
import type { CalledTool, ToolAnswer } from './turn.ts';

interface Speaker {
  readonly transcript: Transcript;
  readonly model: Pick<Model, 'name'>;
}

/** What a model has said so far in one step. */
export interface Said {
  text: string;
  readonly calls: CalledTool[];
}

/** Stores what the model said and returns its calls with ids that no other call of the thread has. */
export async function keepSaid({ transcript, model }: Speaker, said: Said): Promise<ChatToolCall[]> {
  if (said.text === '' && said.calls.length === 0) return [];
  const taken = new Set(transcript.history.messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id)));
  const calls = said.calls.map(({ id, name, input }): ChatToolCall => {
    const given = id || 'call';
    let unique = given;
    for (let n = 2; taken.has(unique); n++) unique = `${given}-${n}`;
    taken.add(unique);
    return { id: unique, name, arguments: JSON.stringify(input) };
  });
  const made = calls.length > 0 ? calls : undefined;
  await transcript.say({ role: 'assistant', text: said.text, model: model.name, calls: made });
  return calls;
}

/** Stores what a call brought. */
export async function keepAnswer(
  { transcript }: Pick<Speaker, 'transcript'>,
  call: ChatToolCall,
  answer: ToolAnswer,
): Promise<void> {
  const { text, failed: wrong, images = [], skills = [] } = answer;
  const attachments: ChatAttachment[] = [
    ...skills.map((name) => ({ kind: 'skill', name })),
    ...images.map(({ mime }, i) => ({ kind: 'image', name: `picture ${i + 1} of ${call.name} (${mime})` })),
  ];
  await transcript.say({
    role: 'tool',
    text,
    answers: call,
    failed: wrong ? true : undefined,
    attachments: attachments.length > 0 ? attachments : undefined,
  });
}
