import type { Block, Reader } from '../document.ts';
import { tile } from './blocks.ts';
import { decodeText } from './decode.ts';

/** Reads plain text: paragraphs are what blank lines part. The title is the first line if it is short and stands alone. */
export const readText: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const { text, warnings } = decodeText(bytes, path);
  return { title: soleLine(text), text, blocks: tile(text, paragraphs(text, 'text')), warnings };
};

/** Runs of lines that are not blank. */
export function paragraphs(text: string, kind: Block['kind']): Block[] {
  const found: Block[] = [];
  for (const match of text.matchAll(/\n(?:[ \t\f\v]*\n)+/g)) {
    found.push({ kind, start: found.at(-1)?.end ?? 0, end: match.index + match[0].length });
  }
  const start = found.at(-1)?.end ?? 0;
  if (start < text.length) found.push({ kind, start, end: text.length });
  return found;
}

function soleLine(text: string): string {
  const match = /^\s*(\S[^\n]{0,99})\n\s*\n/.exec(text.slice(0, 2000));
  return match?.[1]?.trim() ?? '';
}
