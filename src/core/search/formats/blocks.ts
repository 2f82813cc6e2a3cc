import type { Block } from '../document.ts';

/** Offsets at which the lines of `text` start, and `text.length` as one more. An empty text has one line. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== text.length || text.length === 0) starts.push(text.length);
  return starts;
}

/**
 * Makes blocks tile the text: blank gaps go to the block before (at the start: after) them, other gaps become text
 * blocks. `found` is in order and does not overlap. A text that is not empty always has a block.
 */
export function tile(text: string, found: readonly Block[]): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  const fill = (to: number): void => {
    if (to === end) return;
    const last = blocks.at(-1);
    const blank = text.slice(end, to).trim() === '';
    if (blank && last) blocks[blocks.length - 1] = { ...last, end: to };
    if (blank) return;
    blocks.push({ kind: 'text', start: end, end: to });
  };
  for (const block of found) {
    if (block.end <= block.start) continue;
    fill(block.start);
    blocks.push(blocks.length === 0 && text.slice(0, block.start).trim() === '' ? { ...block, start: 0 } : block);
    end = block.end;
  }
  fill(text.length);
  if (blocks.length === 0 && text.length > 0) blocks.push({ kind: 'text', start: 0, end: text.length });
  return blocks;
}

/** What a reader of a line-based format says of one block: the line after its last, and what it is. */
export type LineBlock = Omit<Block, 'start' | 'end'> & { readonly after: number };

/** Of a longer line only this much is shown to `read`: patterns overflow the stack on lines of many megabytes. */
const maxLine = 100_000;

/** Blocks of a text read line by line: `read` is asked at each line that is not blank and not in a block yet. */
export function blocksByLine(text: string, read: (lines: readonly string[], at: number) => LineBlock): Block[] {
  const lines = text.split('\n').map((line) => (line.length > maxLine ? line.slice(0, maxLine) : line));
  const starts = lineStarts(text);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const { after, ...block } = read(lines, at);
    blocks.push({ ...block, start: starts[at] ?? 0, end: starts[after] ?? text.length });
    at = after;
  }
  return blocks;
}

/** Whether a line is missing or holds nothing but white space. */
export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
