import type { BlockKind, ImageRef, Reader } from '../document.ts';
import { blocksByLine, isBlank, type LineBlock, tile } from './blocks.ts';
import { decodeText } from './decode.ts';

/** Characters of a heading that are read. */
const maxHeading = 500;
const heading = /^(={1,6}|#{1,6})\s+(\S.*)$/;
const attached = /^(?:\[[^\]]*\]|\.[^\s.].*)\s*$/;
const delimiter = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,}.*|[|!,:]={3,})\s*$/;
const listMarker = /^\s*(\*+|-|\.+|\d+\.|<(?:\d+|\.)>)\s+\S/;
const blockImage = /^image::([^[\s]+)\[([^\]]*)\]\s*$/;
const inlineImage = /\bimage::?([^[\s:][^[\s]*)\[([^\]]*)\]/g;
const imagesDir = /^:imagesdir:[ \t]*(\S*)[ \t]*$/m;

/** Reads AsciiDoc. Pictures are looked for below `:imagesdir:`. */
export const readAsciidoc: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const { text, warnings } = decodeText(bytes, path);
  const folder = imagesDir.exec(text)?.[1] ?? '';
  const blocks = tile(
    text,
    blocksByLine(text, (lines, at) => readBlock(lines, at, folder)),
  );
  return { title: blocks.find((block) => block.heading)?.heading ?? '', text, blocks, warnings };
};

function readBlock(lines: readonly string[], at: number, folder: string): LineBlock {
  // Attributes and a title stand before the block they belong to.
  let first = at;
  while (attached.test(lines[first] ?? '') && !isBlank(lines[first + 1])) first++;
  const line = lines[first] ?? '';
  const title = heading.exec(line);
  if (title)
    return {
      kind: 'heading',
      level: title[1]?.length ?? 1,
      heading: plain(title[2]?.slice(0, maxHeading) ?? ''),
      after: first + 1,
    };
  if (delimiter.test(line)) return { kind: delimitedKind(line), after: delimitedEnd(lines, first) };
  const image = blockImage.exec(line);
  if (image) return { kind: 'image', images: [reference(image, folder)], after: first + 1 };
  const marker = listMarker.exec(line)?.[1];
  const after = marker ? itemEnd(lines, first, marker) : paragraphEnd(lines, first);
  const content = lines.slice(first, after).join('\n');
  const images = content.includes('image:') ? [...content.matchAll(inlineImage)].map((m) => reference(m, folder)) : [];
  return { kind: marker ? 'list-item' : 'text', after, ...(images.length > 0 && { images }) };
}

function plain(source: string): string {
  return source
    .replace(/\s+=+$/, '')
    .replace(/\[\[[^\]]*\]\]/g, '')
    .replace(/(?:link:|https?:\/\/|xref:)[^\s[]*\[([^\]]*)\]/g, '$1')
    .replace(/[`*_#]{1,2}([^`*_#]+)[`*_#]{1,2}/g, '$1')
    .trim();
}

function reference(match: RegExpMatchArray, folder: string): ImageRef {
  const [, target = '', attributes = ''] = match;
  const alt = (/^"([^"]*)"/.exec(attributes)?.[1] ?? attributes.split(',')[0] ?? '').trim();
  const rooted = folder === '' || /^(?:[a-z]+:|\/|inline:|\{)/i.test(target);
  const locator = rooted ? target.replace('{imagesdir}', folder) : `${folder.replace(/\/$/, '')}/${target}`;
  return { locator, alt };
}

function delimitedKind(line: string): BlockKind {
  if (/^[|!,:]=/.test(line)) return 'table';
  return line.startsWith('////') ? 'text' : 'code';
}

/** The line after the closing delimiter; what is never closed runs to the end of the document. */
function delimitedEnd(lines: readonly string[], at: number): number {
  const opening = lines[at]?.trimEnd() ?? '';
  const closing = opening.startsWith('```') ? '```' : opening;
  let after = at + 1;
  while (after < lines.length && lines[after]?.trimEnd() !== closing) after++;
  return Math.min(after + 1, lines.length);
}

function paragraphEnd(lines: readonly string[], at: number): number {
  let after = at + 1;
  while (after < lines.length && !isBlank(lines[after]) && !interrupts(lines[after] ?? '')) after++;
  return after;
}

function interrupts(line: string): boolean {
  return delimiter.test(line) || (attached.test(line) && line.startsWith('['));
}

/** An item holds its nested items, which have other markers, and the blocks that a line `+` joins to it. */
function itemEnd(lines: readonly string[], at: number, marker: string): number {
  const numbered = /^\d/.test(marker);
  let after = at + 1;
  while (after < lines.length) {
    const line = lines[after] ?? '';
    if (line.trimEnd() === '+') {
      let joined = after + 1;
      while (attached.test(lines[joined] ?? '')) joined++;
      after = delimiter.test(lines[joined] ?? '') ? delimitedEnd(lines, joined) : Math.min(joined + 1, lines.length);
      continue;
    }
    const next = isBlank(line) ? (lines[after + 1] ?? '') : line;
    const nextMarker = listMarker.exec(next)?.[1];
    const sibling = nextMarker === marker || (numbered && /^\d/.test(nextMarker ?? ''));
    if (sibling || (isBlank(line) && !nextMarker) || (!nextMarker && interrupts(line))) break;
    after++;
  }
  return after;
}
