import type { Reader } from '../document.ts';
import { blocksByLine, isBlank, tile } from './blocks.ts';
import { decodeText } from './decode.ts';

/** Reads source code and any other text: a block ends at a blank line before a line that is not indented. */
export const readCode: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const { text, warnings } = decodeText(bytes, path);
  const blocks = blocksByLine(text, (lines, at) => {
    let after = at + 1;
    while (after < lines.length && !(isBlank(lines[after - 1]) && startsBlock(lines[after]))) after++;
    return { kind: 'code', after };
  });
  return { title: '', text, blocks: tile(text, blocks), warnings };
};

function startsBlock(line: string | undefined): boolean {
  return line !== undefined && /^[^\s)\]}]/.test(line);
}
