// Appends messages to the transcript named by its argument and prints the id of each that has been stored, until killed.
import { openTranscript } from '../../../src/core/chat/transcript.ts';

const transcript = await openTranscript({ path: process.argv[2]!, id: 'thread', folder: undefined, now: Date.now });
for (;;) {
  const { id } = await transcript.say({ role: 'tool', text: 'x'.repeat(200_000) });
  process.stdout.write(`${id}\n`);
}
