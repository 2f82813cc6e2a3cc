import type { Transcript } from './transcript.ts';

/**
 * Tells the thread that the person went back: the chat as the editor shows it ends with the message `end`, so later ones
 * were taken back. They stay in the transcript. `end` is null for a chat that the editor shows without any answer.
 */
export async function noteRetraction(transcript: Transcript, end: string | null): Promise<void> {
  await transcript.refresh();
  const { messages, numberOf } = transcript.history;
  const last = end === null ? 0 : numberOf(end);
  if (last === undefined || last >= messages.length) return;
  const range =
    last + 1 === messages.length ? `message ${messages.length}` : `messages ${last + 1} to ${messages.length}`;
  const text = `The person went back to an earlier point of this conversation and took back ${range}. Do not rely on them.`;
  await transcript.say({ role: 'system', text });
}
