import type { Embedder } from './engine.ts';
import type { LexicalShards } from './lexical.ts';
import { readShards, writeShards } from './shards.ts';
import type { TableShards } from './table.ts';
import type { VectorShards } from './vectors.ts';

/** A store as flat arrays. */
export interface SavedStore {
  readonly table: TableShards;
  readonly lexical: LexicalShards;
  readonly vectors?: VectorShards;
}

/** Slots are given in order of the files, so a file's first slot is the sum of the counts before it. */
type SavedFile = readonly [path: string, title: string, count: number];

/** Writes a store into an empty folder, one checksummed file an array. */
export async function saveStore(folder: string, embedder: Embedder | null, store: SavedStore): Promise<void> {
  const { table, lexical, vectors } = store;
  const { segment } = lexical;
  const files = table.files.toSorted((a, b) => a.first - b.first);
  const list = files.map(({ path, title, count }): SavedFile => [path, title, count]);
  const shards = new Map<string, Uint8Array | Uint16Array | Uint32Array | Float32Array>([
    ['files.json', Buffer.from(JSON.stringify(list))],
    ['text.utf8', table.bytes.subarray(0, table.offsets[table.kinds.length * 2])],
    ['text-offsets.u32', table.offsets.subarray(0, table.kinds.length * 2 + 1)],
    ['kinds.u8', table.kinds],
    ['terms.utf8', segment.dictionary.bytes],
    ['term-offsets.u32', segment.dictionary.offsets],
    ['term-table.u32', segment.dictionary.table],
    ['lists.u32', segment.lists],
    ['slots.u32', segment.slots],
    ['frequencies.u32', segment.frequencies],
    ['lengths.u16', lexical.lengths],
  ]);
  if (vectors !== undefined) shards.set('vectors.f32', vectors.rows).set('vectors-known.u8', vectors.known);
  await writeShards(folder, shards, { embedder: embedder === null ? null : identity(embedder) });
}

/** Reads what `saveStore` wrote; vectors of another model are left out. Throws `UserError` (`damaged_index`). */
export async function loadStore(folder: string, embedder: Embedder | null): Promise<SavedStore> {
  const { about, bytes } = await readShards(folder);
  const u32 = (name: string) => new Uint32Array(bytes(name).buffer);
  const files = JSON.parse(Buffer.from(bytes('files.json')).toString()) as SavedFile[];
  let first = 0;
  const entries = files.map(([path, title, count]) => {
    first += count;
    return { path, title, count, first: first - count };
  });
  const terms = bytes('terms.utf8');
  const store: SavedStore = {
    table: { files: entries, bytes: bytes('text.utf8'), offsets: u32('text-offsets.u32'), kinds: bytes('kinds.u8') },
    lexical: {
      segment: {
        dictionary: { bytes: terms, offsets: u32('term-offsets.u32'), table: u32('term-table.u32') },
        lists: u32('lists.u32'),
        slots: u32('slots.u32'),
        frequencies: u32('frequencies.u32'),
      },
      lengths: new Uint16Array(bytes('lengths.u16').buffer),
    },
  };
  const sameModel = embedder !== null && (about as { embedder: string | null }).embedder === identity(embedder);
  if (!sameModel) return store;
  const rows = new Float32Array(bytes('vectors.f32').buffer);
  return { ...store, vectors: { rows, known: bytes('vectors-known.u8') } };
}

function identity({ provider, model, dimensions }: Embedder): string {
  return `${provider} ${model} ${dimensions}`;
}
