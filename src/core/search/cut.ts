import type { Block, ImageRef } from './document.ts';

/** Twentieths of a token that a UTF-16 unit costs, about, in the o200k vocabulary. */
function weight(unit: number): number {
  if (unit < 0x80) return 5;
  return unit < 0x2e80 ? 8 : 16;
}

/** About how many tokens `text.slice(start, end)` is: four ASCII characters a token, denser in other scripts. */
export function estimateTokens(text: string, start = 0, end = text.length): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += weight(text.charCodeAt(i));
  return Math.ceil(sum / 20);
}

/** Whether a block is running text, which may be cut at a sentence. */
export function prose(block: Block): boolean {
  return block.kind === 'text' || block.kind === 'heading';
}

/**
 * Cuts one block into pieces of at most `maxTokens`, each but the last at least half of that: paragraphs after a
 * sentence, everything else after a line; after a space or, failing all, between any two characters otherwise.
 * A picture goes with the piece that names it.
 */
export function cutBlock(text: string, block: Block, maxTokens: number): Block[] {
  const pieces: Block[] = [];
  const { images, ...bare } = block;
  for (let start = block.start; start < block.end; ) {
    const end = cutEnd(text, start, block, maxTokens);
    pieces.push(
      start > block.start && block.kind === 'heading' ? { kind: 'text', start, end } : { ...bare, start, end },
    );
    start = end;
  }
  return images ? withImages(text, pieces, images) : pieces;
}

function cutEnd(text: string, start: number, block: Block, maxTokens: number): number {
  const budget = maxTokens * 20;
  let middle = start;
  let limit = start;
  for (let sum = 0; limit < block.end; limit++) {
    sum += weight(text.charCodeAt(limit));
    if (sum > budget) break;
    if (sum * 2 <= budget) middle = limit + 1;
  }
  if (limit === block.end) return limit;
  const window = text.slice(middle, limit);
  const cut =
    (prose(block) ? lastMatch(window, sentenceEnd) : lastMatch(window, /\n[ \t]*\n/g)) ||
    lastMatch(window, /\n/g) ||
    lastMatch(window, /\s/g);
  if (cut) return middle + cut;
  return splitsPair(text, limit) && limit - 1 > start ? limit - 1 : limit;
}

/** How many pieces further the next picture is looked for. */
const nearby = 8;
const sentenceEnd = /[.!?][)"'\]”’]*\s|[。！？]|\n(?=\n)/g;

/** Offset after the last match; 0 if there is none. */
function lastMatch(window: string, pattern: RegExp): number {
  let end = 0;
  for (const match of window.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

function splitsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}

function withImages(text: string, pieces: readonly Block[], images: readonly ImageRef[]): Block[] {
  const found = pieces.map((): ImageRef[] => []);
  let at = 0;
  for (const image of images) {
    // Pictures come in the order of the text; looking only a little ahead keeps a million of them linear.
    const near = pieces.slice(at, at + nearby);
    const step = near.findIndex((piece) => text.slice(piece.start, piece.end).includes(image.locator));
    at += Math.max(0, step);
    found[at]!.push(image);
  }
  return pieces.map((piece, index) => (found[index]!.length > 0 ? { ...piece, images: found[index]! } : piece));
}
