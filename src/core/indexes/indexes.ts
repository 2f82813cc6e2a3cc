import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { WorkspaceFolder } from '../host.ts';
import { sha256 } from '../util/hash.ts';
import { brief, page } from '../util/page.ts';
import { baseIdOf, baseNameOf, type IndexDefinition } from './definition.ts';
import { sourceAt } from './source.ts';
import { type IndexStore, openIndexStore } from './store.ts';

export interface IndexesConfig {
  readonly storage: string;
  readonly folders: readonly WorkspaceFolder[];
  readonly maxBytes: number;
  /** Names of the knowledge bases that come from folders and settings. */
  readonly taken: readonly string[];
}

/** A knowledge base that stands for one source of an index. */
export interface IndexBase {
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly include?: readonly string[];
  readonly exclude: readonly string[];
  readonly maxBytes: number;
}

/** What is indexed of a base, as its owner knows it. */
export interface BaseState {
  readonly id: string;
  readonly documents: number;
  readonly pending: number;
  readonly failure: string | null;
}

export interface IndexesPorts {
  /** Told when the set of indexes changed, to open and close their bases; resolves when that is done. */
  changed(): Promise<void>;
  states(): Promise<readonly BaseState[]>;
  /** Deletes what is saved of bases that are gone. */
  forget(bases: readonly IndexBase[]): Promise<void>;
  now(): number;
  log(message: string): void;
}

export interface CreateInput {
  readonly name: string;
  readonly description: string;
  readonly paths: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Ids of the knowledge bases that whoever asks may use, null for all: other indexes are as if they were not there. */
interface For {
  readonly allowed: readonly string[] | null;
}

const LONGEST_NAME = 64;

/** Document indexes: knowledge bases that are made and named at run time, kept for each workspace. */
export function createIndexes({ changed, states, forget, now, log }: IndexesPorts) {
  let config: IndexesConfig | undefined;
  let store: IndexStore | undefined;
  let known: readonly IndexDefinition[] = [];

  const configured = () => {
    if (!config || !store) throw new Error('the document indexes are not configured');
    return { config, store };
  };

  const basesOf = (index: IndexDefinition): IndexBase[] =>
    index.sources.map(({ path, include, exclude }, source) => ({
      id: baseIdOf(index, source),
      name: baseNameOf(index, source),
      root: path,
      ...(include && { include }),
      exclude,
      maxBytes: configured().config.maxBytes,
    }));

  /** The indexes as they are on disk now, where another window may have changed them. */
  const refresh = async (): Promise<readonly IndexDefinition[]> => {
    const before = JSON.stringify(known);
    known = await configured().store.all();
    if (JSON.stringify(known) !== before) await changed();
    return known;
  };

  const named = (indexes: readonly IndexDefinition[], name: string): IndexDefinition => {
    const lower = name.trim().toLowerCase();
    const found = indexes.find((index) => index.id === lower || index.name.toLowerCase() === lower);
    if (found) return found;
    const names = indexes.map((index) => index.name);
    throw new UserError(
      'unknown_index',
      `There is no document index "${brief(name, 100)}".`,
      names.length > 0 ? `There are ${brief(names.join(', '), 600)}.` : 'Make one with create_document_index.',
    );
  };

  /** The indexes that whoever asks may use. */
  const allowedOf = async ({ allowed }: For): Promise<readonly IndexDefinition[]> =>
    (await refresh()).filter((index) => allowed === null || basesOf(index).every(({ id }) => allowed.includes(id)));

  const freeName = (indexes: readonly IndexDefinition[], wanted: string): string => {
    const name = wanted.trim().replaceAll(/\s+/g, ' ');
    if (name === '' || name.length > LONGEST_NAME || /[\x00-\x1f\x7f/\\]/.test(name)) {
      throw new UserError(
        'bad_name',
        `"${brief(wanted, 100)}" cannot name a document index.`,
        `Pass 1 to ${LONGEST_NAME} characters without slashes.`,
      );
    }
    const taken = [...configured().config.taken, ...indexes.map((index) => index.name)];
    if (taken.some((other) => other.toLowerCase() === name.toLowerCase())) {
      throw new UserError('name_taken', `A knowledge base is called ${name} already.`, 'Choose another name.');
    }
    return name;
  };

  return {
    /** The bases to open besides those of folders and settings. */
    bases: (): IndexBase[] => known.flatMap(basesOf),
    /** For discovery. */
    entries: (): { name: string; description: string; bases: string[] }[] =>
      known.map((index) => ({
        name: index.name,
        description: index.description || `Documents of ${index.sources.map(({ path }) => path).join(', ')}`,
        bases: basesOf(index).map(({ id }) => id),
      })),
    async configure(next: IndexesConfig) {
      config = next;
      const key = sha256(next.folders[0]?.path ?? '').slice(0, 16);
      store = openIndexStore(join(next.storage, 'document-indexes', key), log);
      known = await store.all();
    },
    methods: {
      async list({ limit, offset, allowed }: For & { readonly limit: number; readonly offset: number }) {
        const indexes = await allowedOf({ allowed });
        const state = new Map((await states()).map((one) => [one.id, one]));
        return page(indexes, { limit, offset }, (index) => {
          const own = basesOf(index).flatMap(({ id }) => state.get(id) ?? []);
          const sum = (of: (one: BaseState) => number) => own.reduce((total, one) => total + of(one), 0);
          const failures = own.flatMap(({ failure }) => failure ?? []);
          return {
            index_name: index.name,
            index_id: index.id,
            ...(index.description && { description: brief(index.description, 300) }),
            sources: index.sources.slice(0, 10),
            documents: sum(({ documents }) => documents),
            ...(sum(({ pending }) => pending) > 0 && { pending_files: sum(({ pending }) => pending) }),
            ...(failures.length > 0 && { failure: brief(failures.join(' '), 300) }),
            created_at: index.created_at,
          };
        });
      },
      async create(input: CreateInput) {
        const indexes = await refresh();
        const name = freeName(indexes, input.name);
        const sources = await Promise.all(
          input.paths.map((path) => sourceAt(path, input, configured().config.folders[0]?.path ?? homedir())),
        );
        const index: IndexDefinition = {
          version: 1,
          id: randomBytes(6).toString('hex'),
          name,
          description: input.description.trim(),
          sources,
          created_at: new Date(now()).toISOString(),
        };
        await configured().store.write(index);
        await refresh();
        return { index_name: name, index_id: index.id, sources };
      },
      async rename({ name, new_name, allowed }: For & { readonly name: string; readonly new_name: string }) {
        const index = named(await allowedOf({ allowed }), name);
        const others = known.filter(({ id }) => id !== index.id);
        const renamed = { ...index, name: freeName(others, new_name) };
        await configured().store.write(renamed);
        await refresh();
        return { index_name: renamed.name, index_id: index.id, previous_name: index.name };
      },
      async delete({ name, allowed }: For & { readonly name: string }) {
        const index = named(await allowedOf({ allowed }), name);
        await configured().store.remove(index.id);
        await refresh();
        await forget(basesOf(index));
        return { index_name: index.name, index_id: index.id, deleted: true };
      },
      /** Ids of the knowledge bases that an index stands for. */
      async basesNamed({ name, allowed }: For & { readonly name: string }) {
        const index = named(await allowedOf({ allowed }), name);
        return { index_name: index.name, bases: basesOf(index).map(({ id }) => id) };
      },
    },
  };
}
