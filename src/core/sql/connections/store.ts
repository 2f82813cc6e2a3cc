import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { UserError } from '../../errors.ts';
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { ConnectionRecord, connectionId } from './record.ts';

const Stored = z.object({ version: z.literal(1), connections: z.array(ConnectionRecord) });

/** The connections that people registered, in one file of the storage folder. Passwords are elsewhere. */
export function connectionStore(storage: string) {
  const path = join(storage, 'sql', 'connections.json');

  /** Read anew each time: another window may have changed it. */
  const read = async (): Promise<ConnectionRecord[]> => {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    try {
      return Stored.parse(JSON.parse(text)).connections;
    } catch (error) {
      throw new UserError(
        'damaged_state',
        `The list of connections (${path}) cannot be read: ${(error as Error).message.split('\n')[0]}`,
        'Correct or remove the file, then register the connections again.',
      );
    }
  };

  const write = (connections: readonly ConnectionRecord[]) =>
    writeFileAtomic(path, `${JSON.stringify({ version: 1, connections }, null, 2)}\n`);

  return {
    read,
    /** Adds a connection, or replaces the one with the id `replaces`. @throws UserError when the id is taken */
    async put(connection: ConnectionRecord, replaces?: string): Promise<void> {
      const others = (await read()).filter((other) => connectionId(other) !== replaces);
      const id = connectionId(connection);
      if (others.some((other) => connectionId(other) === id)) {
        throw new UserError('exists', `There is a connection ${id} already.`, 'Choose another name, or edit that one.');
      }
      await write([...others, connection]);
    },
    /** @returns false when there was none */
    async remove(id: string): Promise<boolean> {
      const connections = await read();
      const kept = connections.filter((connection) => connectionId(connection) !== id);
      if (kept.length === connections.length) return false;
      await write(kept);
      return true;
    },
  };
}
