import type { Compaction, Message } from '../model.ts';
import { present } from '../values.ts';

/** A thread while a reader fills it: messages are numbered as they are added. */
export interface Draft {
  readonly messages: Message[];
  readonly compactions: Compaction[];
  readonly agents: Set<string>;
  readonly customAgents: Set<string>;
  readonly warnings: string[];
  /** Adds a message and returns its number. */
  add(message: MessageFields): number;
  compact(compaction: CompactionFields): void;
}

type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };
type MessageFields = Loose<Omit<Message, 'number' | 'role' | 'text' | 'id'>> & Pick<Message, 'id' | 'role' | 'text'>;
type KnownOfCompaction = 'trigger' | 'summary' | 'hiddenTo' | 'boundary';
type CompactionFields = Loose<Omit<Compaction, 'id' | KnownOfCompaction>> & Pick<Compaction, KnownOfCompaction>;

export function createDraft(): Draft {
  const messages: Message[] = [];
  const compactions: Compaction[] = [];
  return {
    messages,
    compactions,
    agents: new Set(),
    customAgents: new Set(),
    warnings: [],
    add(message) {
      const number = messages.length + 1;
      messages.push(present({ ...message, number }));
      return number;
    },
    compact(compaction) {
      // What an earlier compaction hid stays hidden.
      const hiddenTo = Math.max(compaction.hiddenTo, compactions.at(-1)?.hiddenTo ?? 0);
      compactions.push(present({ ...compaction, hiddenTo, id: `compaction-${compactions.length + 1}` }));
    },
  };
}

/** A title from the first thing the person said: its first line, cut. */
export function titleFrom(messages: readonly Message[]): string {
  const first = messages.find(({ role, text }) => role === 'user' && text.trim() !== '')?.text.trim() ?? '';
  const line = /^.*/.exec(first)![0].trim();
  return line.length > 100 ? `${line.slice(0, 99).trimEnd()}…` : line || 'Untitled';
}

/** Earliest and latest time of the messages. */
export function timesOf(messages: readonly Message[]): { created?: number; updated?: number } {
  let created: number | undefined;
  let updated: number | undefined;
  for (const { time } of messages) {
    if (time === undefined) continue;
    if (created === undefined || time < created) created = time;
    if (updated === undefined || time > updated) updated = time;
  }
  return present({ created, updated });
}
