import { chunkDocument } from '../search/chunk.ts';
import type { Block, ChunkedDocument } from '../search/document.ts';
import { sha256 } from '../util/hash.ts';
import type { Message, Thread } from './model.ts';
import { jsonText } from './values.ts';

/** Messages that are indexed, and indexed anew, together. */
const SEGMENT = 32;
/** UTF-16 units of one message that are indexed: the beginning of a huge tool result tells what it is about. */
const LONGEST = 16_000;

/** A run of a thread's messages, as the index takes it. */
export interface Segment {
  /** Changes when what would be indexed changes. */
  readonly hash: string;
  /** Cuts the messages into chunks; `numbers` holds the message of each. */
  cut(clean: (text: string) => string): { readonly document: ChunkedDocument; readonly numbers: number[] };
}

export function segmentsOf(thread: Thread): Segment[] {
  const segments: Segment[] = [];
  for (let start = 0; start < thread.messages.length; start += SEGMENT) {
    const messages = thread.messages.slice(start, start + SEGMENT);
    const texts = messages.map(indexedText);
    const hash = sha256(jsonText([thread.title, texts])).slice(0, 16);
    segments.push({ hash, cut: (clean) => cut(thread.title, messages, texts.map(clean)) });
  }
  return segments;
}

/** What of a message can be searched: its text, its calls with their arguments, and the names of its attachments. */
function indexedText({ role, text, calls, answers, attachments }: Message): string {
  const parts = [role === 'tool' && answers ? `${answers.name}: ${text}` : text];
  for (const call of calls ?? []) parts.push(`${call.name} ${call.arguments}`);
  for (const { name } of attachments ?? []) parts.push(name);
  const whole = parts.filter(Boolean).join('\n');
  return whole.length > LONGEST ? whole.slice(0, LONGEST) : whole;
}

function cut(title: string, messages: readonly Message[], texts: readonly string[]): ReturnType<Segment['cut']> {
  const numbers: number[] = [];
  const chunks: ChunkedDocument['chunks'][number][] = [];
  let text = '';
  for (const [i, message] of messages.entries()) {
    const own = texts[i]!;
    if (own.trim() === '') continue;
    for (const chunk of chunkDocument({ title: '', text: own, blocks: paragraphs(own), warnings: [] }).chunks) {
      chunks.push({ kind: 'text', section: 0, start: text.length + chunk.start, end: text.length + chunk.end });
      numbers.push(message.number);
    }
    text += own;
  }
  const whole = { path: [], parent: -1, start: 0, end: text.length, firstChunk: 0, endChunk: chunks.length };
  return { document: { title, text, sections: [whole], chunks, warnings: [] }, numbers };
}

/** Blocks that tile a text at its empty lines. */
function paragraphs(text: string): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (const { index, 0: gap } of text.matchAll(/\n[ \t]*\n\s*/g)) {
    const end = index + gap.length;
    if (end < text.length) blocks.push({ kind: 'text', start, end });
    else break;
    start = end;
  }
  blocks.push({ kind: 'text', start, end: text.length });
  return blocks;
}
