import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChunkedDocument } from './document.ts';
import type { Embedder, SearchStore, SemanticStatus, StoreRanking } from './engine.ts';
import { filterOfScopes, maskOf } from './filter.ts';
import { createLexicalIndex } from './lexical.ts';
import { createDatabase, foldersOf, insertChunk, removeChunk, renumberDocuments, searchDatabase } from './orama.ts';
import { loadStore, type SavedStore, saveStore } from './saved-store.ts';
import { createChunkTable, type FileEntry } from './table.ts';
import { createVectors } from './vectors.ts';

const EMBED_BATCH = 32;
/** Chunks of one file that an instant model embeds as they come; a larger file's rest is left to `embedPending`. */
const MOST_AT_ONCE = 256;

/** An empty store. Without an embedder it searches by words alone. */
export function createStore(embedder: Embedder | null): SearchStore {
  return buildStore(embedder, undefined);
}

/** Loads a saved store. Throws `UserError` (`damaged_index`) when it is not whole or of another version. */
export async function openStore(folder: string, embedder: Embedder | null): Promise<SearchStore> {
  return buildStore(embedder, await loadStore(folder, embedder));
}

function buildStore(embedder: Embedder | null, saved: SavedStore | undefined): SearchStore {
  const table = createChunkTable(saved?.table);
  const lexical = createLexicalIndex(() => table.alive, saved?.lexical);
  const vectors = embedder === null ? null : createVectors(embedder.dimensions, saved?.vectors);
  const database = createDatabase(table, lexical);

  /** Folds the log of changes into the flat arrays once it has grown to a share of them that slows searches. */
  function compactIfLarge(share: number, least: number): void {
    const { delta, segment } = lexical.pending;
    if (delta > least + segment * share || table.size > 1024 + table.live * 1.5) compact();
  }

  function compact(): void {
    if (lexical.pending.delta === 0 && table.size === table.live) return;
    const renumber = table.renumbering();
    table.compact(renumber);
    lexical.compact(renumber, table.size);
    vectors?.compact(renumber, table.size);
    renumberDocuments(database, table);
  }

  function removeFile(path: string): void {
    const entry = table.files.get(path);
    if (entry === undefined) return;
    for (let slot = entry.first; slot < entry.first + entry.count; slot++) removeChunk(database, slot);
    table.removeFile(path);
  }

  function replaceFile(path: string, { title, text, sections, chunks }: ChunkedDocument): void {
    removeFile(path);
    if (chunks.length === 0) return;
    compactIfLarge(0.5, 2_000_000);
    const { first } = table.addFile(path, title, chunks.length);
    for (const [i, { kind, section, start, end }] of chunks.entries()) {
      insertChunk(database, {
        id: String(first + i + 1),
        file: path,
        folders: foldersOf(path),
        chunk: i,
        kind,
        title,
        headings: (sections[section]?.path ?? []).join('\n'),
        text: text.slice(start, end),
        path,
      });
      if (embedder?.encode !== undefined && i < MOST_AT_ONCE)
        vectors!.set(first + i, embedder.encode(embeddedText(first + i)));
    }
  }

  /** What stands for a chunk in the embedding: an encoder that reads only the start of a text sees its headings. */
  function embeddedText(slot: number): string {
    return [table.entryOf(slot).title, table.headings(slot), table.text(slot)].filter(Boolean).join('\n');
  }

  function slotsWithoutVector(): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot < table.size; slot++) if (table.alive[slot] === 1 && !vectors!.has(slot)) slots.push(slot);
    return slots;
  }

  function semantic(): SemanticStatus {
    if (embedder === null) {
      return { status: 'unavailable', reason: 'No embedding model is set.', enable_with: 'Set loci.embedding.model.' };
    }
    const { provider, model } = embedder;
    const missing = slotsWithoutVector().length;
    if (missing === 0) return { status: 'available', provider, model };
    return { status: 'warming', provider, model, done: table.live - missing, total: table.live };
  }

  async function embedPending(signal?: AbortSignal, onProgress?: (done: number, total: number) => void): Promise<void> {
    if (embedder === null) return;
    for (let slots = slotsWithoutVector(); slots.length > 0; slots = slotsWithoutVector()) {
      signal?.throwIfAborted();
      const batch = slots.slice(0, EMBED_BATCH);
      // Slots may be renumbered and files replaced while the vectors are made.
      const places = batch.map((slot) => ({ entry: table.entryOf(slot), ordinal: slot - table.entryOf(slot).first }));
      const made = await embedder.embed(batch.map(embeddedText), 'document', signal);
      for (const [i, { entry, ordinal }] of places.entries()) keepVector(entry, ordinal, made[i]!);
      onProgress?.(table.live - slots.length + batch.length, table.live);
      // An instant model never waits for anything, and searches must have their turn.
      await nextTurn();
    }
  }

  function keepVector(made: FileEntry, ordinal: number, vector: Float32Array): void {
    const entry = table.files.get(made.path);
    if (entry?.version === made.version) vectors!.set(entry.first + ordinal, vector);
  }

  const ranking: StoreRanking = {
    counts(terms) {
      compactIfLarge(0.05, 50_000);
      return lexical.counts(terms, table.live);
    },
    lexical: (query, plan, scopes, limit) => searchDatabase(database, query, plan, filterOfScopes(scopes), limit),
    nearest(vector, scopes, limit) {
      const filter = filterOfScopes(scopes);
      const mask = filter === undefined ? table.alive : maskOf(table, filter);
      return vectors?.nearest(vector, limit, mask, table.size, table.before) ?? [];
    },
    similarity: (vector, slot) => vectors?.similarity(vector, slot),
    explain: (plan, slot) => lexical.explain(plan, slot),
    place(slot) {
      const { path, first } = table.entryOf(slot);
      return { file: path, chunk: slot - first };
    },
    text: table.text,
    completions: lexical.completions,
    corrections: lexical.corrections,
  };

  return {
    get chunks() {
      return table.live;
    },
    embedder,
    ranking,
    replaceFile,
    removeFile,
    text(file, chunk) {
      const entry = table.files.get(file);
      return entry === undefined || !(chunk >= 0 && chunk < entry.count) ? undefined : table.text(entry.first + chunk);
    },
    semantic,
    embedPending,
    async save(folder) {
      compact();
      await saveStore(folder, embedder, {
        table: table.shards(),
        lexical: lexical.shards(),
        ...(vectors === null ? {} : { vectors: vectors.shards() }),
      });
    },
  };
}
