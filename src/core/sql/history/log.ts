import { appendFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HistoryEntry } from './entry.ts';

/** Files are kept while all of them together are smaller, in bytes. */
const MOST_BYTES = 100_000_000;
const NAME = /^queries-\d{4}-\d{2}\.jsonl$/;

/**
 * The history of queries: one JSON line each, appended to a file a month, so that several windows can write at once and a
 * killed one loses at most the line it was writing. The oldest months go when there is too much.
 */
export function historyLog(folder: string) {
  const read = new Map<string, { offset: number; entries: HistoryEntry[]; damaged: number }>();

  /** Takes up what a file has gained since it was last read. */
  const refresh = async (name: string): Promise<void> => {
    const { size } = await stat(join(folder, name));
    const known = read.get(name);
    const state = known && known.offset <= size ? known : { offset: 0, entries: [], damaged: 0 };
    read.set(name, state);
    if (state.offset === size) return;
    const file = await open(join(folder, name));
    try {
      const bytes = Buffer.alloc(size - state.offset);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, state.offset);
      // A line without its end is still being written.
      const end = bytes.subarray(0, bytesRead).lastIndexOf(10) + 1;
      for (const line of bytes.subarray(0, end).toString().split('\n')) {
        if (line === '') continue;
        const entry = parsed(line);
        if (entry) state.entries.push(entry);
        else state.damaged++;
      }
      state.offset += end;
    } finally {
      await file.close();
    }
  };

  const names = async (): Promise<string[]> => {
    try {
      return (await readdir(folder)).filter((name) => NAME.test(name)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };

  return {
    async append(entry: HistoryEntry): Promise<void> {
      await mkdir(folder, { recursive: true });
      // The break before it ends a line that a killed process left half-written.
      await appendFile(join(folder, `queries-${entry.at.slice(0, 7)}.jsonl`), `\n${JSON.stringify(entry)}\n`);
    },

    /** Every entry, oldest first, and how many lines could not be read. */
    async entries(): Promise<{ entries: HistoryEntry[]; damaged: number }> {
      const present = await names();
      for (const name of read.keys()) if (!present.includes(name)) read.delete(name);
      for (const name of present) await refresh(name);
      const states = present.map((name) => read.get(name)!);
      return {
        entries: states.flatMap(({ entries }) => entries),
        damaged: states.reduce((sum, { damaged }) => sum + damaged, 0),
      };
    },

    /** Removes the oldest months while there is too much. */
    async rotate(): Promise<void> {
      const sizes = await Promise.all(
        (await names()).map(async (name) => ({ name, size: (await stat(join(folder, name))).size })),
      );
      let total = sizes.reduce((sum, { size }) => sum + size, 0);
      for (const { name, size } of sizes.slice(0, -1)) {
        if (total <= MOST_BYTES) return;
        await rm(join(folder, name), { force: true });
        total -= size;
      }
    },

    async clear(): Promise<void> {
      for (const name of await names()) await rm(join(folder, name), { force: true });
    },
  };
}

function parsed(line: string): HistoryEntry | undefined {
  try {
    return HistoryEntry.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
