import { redact } from '../redact/redact.ts';
import { brief } from '../util/page.ts';
import { authorIn } from './author.ts';
import { LONGEST_NAME, type Provenance } from './event.ts';
import type { Learning } from './learning.ts';
import type { Ledger } from './ledger.ts';
import { plain } from './text.ts';

/** Who writes, as the door that took the call knows it. */
export interface Writer {
  /** Absent when a person acts in the editor's own views. */
  readonly agent?: string;
  readonly thread?: string;
  /** Through what the write came: `chat`, `mcp`, `cli`, or `editor` for the person's own views. */
  readonly channel: string;
}

/** Longest reason kept, in bytes of JSON. */
const LONGEST_MESSAGE = 500;

/** Who does it now, through what and why, near the learning it is about. */
export async function provenanceOf(
  ledger: Ledger,
  { agent, thread, channel }: Writer,
  message: string,
  near: Learning | undefined,
): Promise<Provenance> {
  const why = brief(redact(plain(message)).text, LONGEST_MESSAGE);
  return {
    at: new Date(ledger.now()).toISOString(),
    author: await authorIn(ledger.folderOf(near)),
    ...(agent !== undefined && { agent: agent.slice(0, LONGEST_NAME) }),
    ...(thread !== undefined && { thread: thread.slice(0, LONGEST_NAME) }),
    source_channel: channel,
    ...(why !== '' && { message: why }),
  };
}
