import { readFile } from 'node:fs/promises';
import { chunkDocument } from '../../../../src/core/search/chunk.ts';
import type { Block, ChunkedDocument, SourceDocument } from '../../../../src/core/search/document.ts';
import { readerFor } from '../../../../src/core/search/formats/readers.ts';

const fixtures = new URL('../../../fixtures/formats/', import.meta.url);

/** Reads content under a name that chooses the reader. */
export async function read(path: string, content: string | Uint8Array): Promise<SourceDocument> {
  const reader = readerFor(path);
  if (!reader) throw new Error(`no reader for ${path}`);
  return reader({ path, bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content });
}

export async function readFixture(name: string): Promise<SourceDocument> {
  return read(name, await fixture(name));
}

export async function fixture(name: string): Promise<Uint8Array> {
  return readFile(new URL(name, fixtures));
}

/** Each block as `kind: text`, for comparing at a glance. */
export function outline({ text, blocks }: SourceDocument): string[] {
  return blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end).trim()}`);
}

export function headings({ blocks }: SourceDocument): [number | undefined, string | undefined][] {
  return blocks.filter((block) => block.kind === 'heading').map((block: Block) => [block.level, block.heading]);
}

export function images({ blocks }: SourceDocument): string[] {
  return blocks.flatMap((block) => block.images ?? []).map(({ locator, alt }) => `${alt} <${locator}>`);
}

/** The text of each chunk of a document. */
export function chunkTexts(source: SourceDocument): string[] {
  const { text, chunks }: ChunkedDocument = chunkDocument(source);
  return chunks.map(({ start, end }) => text.slice(start, end));
}
