import { cutBlock, estimateTokens, prose } from './cut.ts';
import type { Block, Chunk, ChunkedDocument, ChunkKind, ImageRef, Section, SourceDocument } from './document.ts';

/** Chunks of several blocks hold at most about this many tokens. */
const maxTokens = 450;
/** A paragraph above this is cut at sentences. */
const maxParagraph = 900;
/** A fence, table or list item above this is cut at lines. */
const maxWhole = 2000;

interface Piece extends Block {
  readonly tokens: number;
}

/**
 * Cuts a document into sections by its headings and chunks by its blocks. Chunks tile the text without overlap, lie in
 * one section each, and hold neighbouring whole blocks of about 225-450 tokens in all; only a block many times too
 * large is cut, at a line or sentence. A heading stays with what follows it in its section.
 */
export function chunkDocument(source: SourceDocument): ChunkedDocument {
  const { title, text, blocks, warnings } = source;
  const sections: OpenSection[] = [
    { path: [], parent: -1, level: 0, start: 0, end: text.length, firstChunk: 0, endChunk: 0 },
  ];
  const chunks: Chunk[] = [];
  let section = 0;
  let run: Block[] = [];
  const flush = (): void => {
    for (const chunk of packRun(run, text)) chunks.push({ ...chunk, section });
    run = [];
  };
  const close = (index: number, end: number): void => {
    const closing = sections[index]!;
    closing.end = end;
    closing.endChunk = chunks.length;
  };
  for (const block of blocks) {
    if (block.kind === 'heading') {
      flush();
      const level = Math.max(1, block.level ?? 1);
      for (; sections[section]!.level >= level; section = sections[section]!.parent) close(section, block.start);
      const path = [...sections[section]!.path, block.heading ?? ''];
      const from = { start: block.start, firstChunk: chunks.length };
      sections.push({ path, parent: section, level, ...from, end: block.end, endChunk: chunks.length });
      section = sections.length - 1;
    }
    run.push(block);
  }
  flush();
  for (; section >= 0; section = sections[section]!.parent) close(section, text.length);
  return { title, text, sections: sections.map(({ level: _, ...rest }) => rest), chunks, warnings };
}

type OpenSection = { -readonly [Key in keyof Section]: Section[Key] } & { level: number };

type UnplacedChunk = Omit<Chunk, 'section'>;

/** Chunks of one section's own blocks. A picture that stands alone is a chunk, with the heading before it if there is one. */
function packRun(blocks: readonly Block[], text: string): UnplacedChunk[] {
  const chunks: UnplacedChunk[] = [];
  let pieces: Piece[] = [];
  const flush = (): void => {
    for (const group of balance(pieces)) chunks.push(toChunk(group));
    pieces = [];
  };
  for (const block of blocks) {
    const measured = { ...block, tokens: estimateTokens(text, block.start, block.end) };
    if (block.kind === 'image' && measured.tokens <= maxWhole) {
      if (pieces.length > 1 || pieces[0]?.kind !== 'heading') flush();
      chunks.push(toChunk([...pieces, measured]));
      pieces = [];
    } else if (measured.tokens > (prose(block) ? maxParagraph : maxWhole)) {
      for (const piece of cutBlock(text, block, maxTokens)) {
        pieces.push({ ...piece, tokens: estimateTokens(text, piece.start, piece.end) });
      }
    } else pieces.push(measured);
  }
  flush();
  return chunks;
}

/** Groups pieces so that the groups are as alike in size as whole pieces allow: no small rest after a full chunk. */
function balance(pieces: readonly Piece[]): Piece[][] {
  const total = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  const target = total / Math.max(1, Math.ceil(total / maxTokens));
  const groups: Piece[][] = [];
  let group: Piece[] = [];
  let size = 0;
  for (const piece of pieces) {
    const overshoot = size + piece.tokens - target;
    const closer = overshoot > target - size || size + piece.tokens > maxTokens * 1.2;
    if (closer && group.some((member) => member.kind !== 'heading')) {
      groups.push(group);
      group = [];
      size = 0;
    }
    group.push(piece);
    size += piece.tokens;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

function toChunk(pieces: readonly Piece[]): UnplacedChunk {
  const images = pieces.flatMap((piece) => piece.images ?? []);
  const page = pieces.find((piece) => piece.page !== undefined)?.page;
  return {
    kind: kindOf(pieces),
    start: pieces[0]!.start,
    end: pieces.at(-1)!.end,
    ...(images.length > 0 && { images: distinct(images) }),
    ...(page !== undefined && { page }),
  };
}

function kindOf(pieces: readonly Piece[]): ChunkKind {
  const kinds = new Set(pieces.map((piece) => piece.kind));
  kinds.delete('heading');
  const [only] = kinds;
  return kinds.size === 1 && (only === 'table' || only === 'code' || only === 'image') ? only : 'text';
}

function distinct(images: readonly ImageRef[]): ImageRef[] {
  return [...new Map(images.map((image) => [`${image.locator}\n${image.alt}`, image])).values()];
}
