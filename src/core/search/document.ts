/**
 * What a reader makes of one file, whatever its format: a text, and the blocks that tile it. One chunker turns blocks
 * into sections and chunks, so every format is cut by the same rules.
 */
export type BlockKind = 'heading' | 'text' | 'list-item' | 'table' | 'code' | 'image';

/** A picture that a block shows. `locator` is a relative path, an http(s) or data URL, or a place inside the file. */
export interface ImageRef {
  /**
   * `img/a.png`, `https://…`, `data:…` (short ones; `inline:0` is the file's first embedded picture of half a kilobyte or
   * more), `cell:3/output:0` and `cell:3/attachment:a.png` (notebook), `page:4` (PDF, 1-based), `image:2` (DOCX). All but
   * pages count from 0.
   */
  readonly locator: string;
  /** Alternative text or caption; may be empty. */
  readonly alt: string;
}

/** A run of the document's text that chunks are never cut inside, unless it alone exceeds the chunk size many times. */
export interface Block {
  readonly kind: BlockKind;
  /** Offset of the first UTF-16 unit in the document's text. */
  readonly start: number;
  /** Offset after the last unit. The next block starts here: blocks tile the text. */
  readonly end: number;
  /** Headings only: 1 for the outermost. */
  readonly level?: number;
  /** Headings only: the heading's plain text. */
  readonly heading?: string;
  readonly images?: readonly ImageRef[];
  /** PDF only: the 1-based page. */
  readonly page?: number;
}

export interface SourceDocument {
  /** From the front matter, the first heading or the file's metadata; empty if there is none. */
  readonly title: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** What could not be read and was left out, one sentence each, for the person. */
  readonly warnings: readonly string[];
}

export type ChunkKind = 'text' | 'table' | 'code' | 'image';

/** A section: a heading and everything to the next heading of its level or above. Section 0 is the whole document. */
export interface Section {
  /** Headings from the outermost to this one; empty for section 0. */
  readonly path: readonly string[];
  /** Index of the parent section; -1 for section 0. */
  readonly parent: number;
  readonly start: number;
  readonly end: number;
  /** Chunks `firstChunk` to `endChunk - 1` lie in this section or in one below it. */
  readonly firstChunk: number;
  readonly endChunk: number;
}

export interface Chunk {
  readonly kind: ChunkKind;
  /** Index of the innermost section that holds the chunk. */
  readonly section: number;
  readonly start: number;
  readonly end: number;
  readonly images?: readonly ImageRef[];
  readonly page?: number;
}

/** A document cut for the index. The chunks' spans tile the text: `text.slice(start, end)` of each, joined, is the text. */
export interface ChunkedDocument {
  readonly title: string;
  readonly text: string;
  readonly sections: readonly Section[];
  readonly chunks: readonly Chunk[];
  readonly warnings: readonly string[];
}

/** Reads one format. Throws `UserError` (`damaged`, `encrypted`, `binary`, …) when the file cannot be read at all. */
export type Reader = (file: { path: string; bytes: Uint8Array }, signal?: AbortSignal) => Promise<SourceDocument>;
