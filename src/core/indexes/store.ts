import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { type IndexDefinition, IndexFile } from './definition.ts';

/** The document indexes of one workspace: a file each, so that two windows never overwrite each other's. */
export function openIndexStore(folder: string, log: (message: string) => void) {
  const pathOf = (id: string) => join(folder, `${id}.json`);
  return {
    /** By name. A damaged file is logged and costs its index alone. */
    async all(): Promise<IndexDefinition[]> {
      const names = await readdir(folder).catch(() => []);
      const found = await Promise.all(
        names
          .filter((name) => /^[a-z0-9]{12}\.json$/.test(name))
          .map(async (name) => {
            try {
              return [IndexFile.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))];
            } catch (error) {
              if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
                log(`The document index in ${join(folder, name)} cannot be read: ${(error as Error).message}`);
              return [];
            }
          }),
      );
      return found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    write: (index: IndexDefinition) => writeFileAtomic(pathOf(index.id), `${JSON.stringify(index, null, 2)}\n`),
    remove: (id: string) => rm(pathOf(id), { force: true }),
  };
}

export type IndexStore = ReturnType<typeof openIndexStore>;
