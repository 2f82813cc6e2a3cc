import type { Reader, SourceDocument } from '../document.ts';
import { blocksByLine, isBlank, type LineBlock, tile } from './blocks.ts';
import { decodeText } from './decode.ts';

/** Reads plain text: paragraphs are what blank lines part. The title is the first line if it is short and stands alone. */
export const readText: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const { text, warnings } = decodeText(bytes, path);
  return textDocument(text, warnings);
};

/** Plain text as a document. */
export function textDocument(text: string, warnings: readonly string[]): SourceDocument {
  return { title: soleLine(text), text, blocks: tile(text, blocksByLine(text, paragraph)), warnings };
}

function paragraph(lines: readonly string[], at: number): LineBlock {
  let after = at + 1;
  while (after < lines.length && !isBlank(lines[after])) after++;
  return { kind: 'text', after };
}

function soleLine(text: string): string {
  const match = /^\s*(\S[^\n]{0,99})\n\s*\n/.exec(text.slice(0, 2000));
  return match?.[1]?.trim() ?? '';
}
