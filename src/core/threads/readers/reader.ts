import type { Thread } from '../model.ts';
import type { Json } from '../values.ts';

/** Makes a thread of a file's records, in order; goes on where it stopped when the file has grown. */
export interface RecordReader {
  take(record: Json): void;
  /** The thread so far; undefined when the records are no chat. Later records do not change it. */
  thread(fallbackId: string): Thread | undefined;
}
