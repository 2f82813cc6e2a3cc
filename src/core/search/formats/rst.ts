import type { BlockKind, ImageRef, Reader } from '../document.ts';
import { blocksByLine, isBlank, type LineBlock, tile } from './blocks.ts';
import { decodeText } from './decode.ts';

const adornment = /^([!-/:-@[-`{-~])\1*\s*$/;
const directive = /^\.\.\s+(?:\|[^|]+\|\s+)?([\w:-]+)::(?:\s+(.*))?$/;
const listMarker = /^(?:[-*+•‣⁃]|(?:\d+|[A-Za-z]|#)[.)]|\((?:\d+|[A-Za-z]|#)\))\s/;
/** Characters of a heading that are read. */
const maxHeading = 500;
const simpleBorder = /^=+(?:[ \t]+=+)+\s*$/;

const directiveKinds: Readonly<Record<string, BlockKind>> = {
  code: 'code',
  'code-block': 'code',
  sourcecode: 'code',
  'parsed-literal': 'code',
  doctest: 'code',
  testcode: 'code',
  prompt: 'code',
  image: 'image',
  figure: 'image',
  table: 'table',
  'list-table': 'table',
  'csv-table': 'table',
};

/** Reads reStructuredText. Heading levels follow from the order in which their underlines first appear. */
export const readRst: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const { text, warnings } = decodeText(bytes, path);
  const seen: Seen = { styles: [], lastTableEnd: undefined };
  const blocks = tile(
    text,
    blocksByLine(text, (lines, at) => readBlock(lines, at, seen)),
  );
  return { title: blocks.find((block) => block.heading)?.heading ?? '', text, blocks, warnings };
};

/** What is known of the whole document: heading styles met so far, and the last line that can end a simple table. */
interface Seen {
  readonly styles: string[];
  lastTableEnd: number | undefined;
}

function readBlock(lines: readonly string[], at: number, seen: Seen): LineBlock {
  const line = lines[at] ?? '';
  const heading = readHeading(lines, at, seen.styles);
  if (heading) return heading;
  if (/^\+[-=+]+\+\s*$/.test(line)) return { kind: 'table', after: runEnd(lines, at, (next) => /^[+|]/.test(next)) };
  if (simpleBorder.test(line)) return { kind: 'table', after: simpleTableEnd(lines, at, seen) };
  if (line.startsWith('.. ') || line.trimEnd() === '..') return readDirective(lines, at);
  if (listMarker.test(line)) return { kind: 'list-item', after: indentedEnd(lines, at + 1) };
  if (/^\s/.test(line)) return { kind: indentedKind(lines, at), after: indentedEnd(lines, at) };
  return { kind: 'text', after: runEnd(lines, at, (next) => !isBlank(next)) };
}

function readHeading(lines: readonly string[], at: number, styles: string[]): LineBlock | undefined {
  const [first = '', second = '', third = ''] = lines.slice(at, at + 3);
  const over = adornment.exec(first)?.[1];
  const overlined = over && !isBlank(second) && third.trimEnd() === first.trimEnd() && !adornment.test(second);
  const under = adornment.exec(second)?.[1];
  const underlined = under && !/^\s/.test(first) && second.trimEnd().length >= Math.min(4, first.trimEnd().length);
  if (!overlined && !(underlined && !over)) return undefined;
  const style = overlined ? `${over}${over}` : (under ?? '');
  if (!styles.includes(style)) styles.push(style);
  const heading = plain((overlined ? second : first).slice(0, maxHeading));
  return { kind: 'heading', level: styles.indexOf(style) + 1, heading, after: at + (overlined ? 3 : 2) };
}

/** A heading without roles and marks: :ref:`text <target>`, ``literal``, *emphasis*. */
function plain(source: string): string {
  const roles = source.replace(/(?::[\w:+.-]+:)?`{1,2}([^`]+)`{1,2}_{0,2}/g, (_, inner: string) =>
    inner.replace(/\s*<[^<>]*>$/, ''),
  );
  return roles.replace(/\*{1,2}([^*\s][^*]*)\*{1,2}/g, '$1').trim();
}

function readDirective(lines: readonly string[], at: number): LineBlock {
  const after = indentedEnd(lines, at + 1);
  const match = directive.exec(lines[at] ?? '');
  const kind = directiveKinds[match?.[1] ?? ''] ?? 'text';
  if (kind !== 'image') return { kind, after };
  const body = lines.slice(at + 1, after).map((line) => line.trim());
  const image: ImageRef = { locator: match?.[2]?.trim() ?? '', alt: altText(body) };
  return image.locator ? { kind, images: [image], after } : { kind: 'text', after };
}

/** The `:alt:` option, or the caption: the first lines after the options. */
function altText(body: readonly string[]): string {
  const alt = body.find((line) => line.startsWith(':alt:'));
  if (alt) return alt.slice(5).trim();
  const caption = body.findIndex((line) => line !== '' && !/^:[\w-]+:/.test(line));
  if (caption === -1) return '';
  return body
    .slice(
      caption,
      runEnd(body, caption, (line) => line !== ''),
    )
    .join(' ');
}

/** An indented block is code where the text before it ends with `::`, and a quotation otherwise. */
function indentedKind(lines: readonly string[], at: number): BlockKind {
  let before = at - 1;
  while (before >= 0 && isBlank(lines[before])) before--;
  return lines[before]?.trimEnd().endsWith('::') ? 'code' : 'text';
}

function indentedEnd(lines: readonly string[], from: number): number {
  let after = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isBlank(line)) continue;
    if (!/^\s/.test(line)) break;
    after = at + 1;
  }
  return after;
}

/** A simple table ends with the first border before a blank line: its second, or its third if the second closes the header. */
function simpleTableEnd(lines: readonly string[], at: number, seen: Seen): number {
  const ends = (line: string, index: number): boolean => simpleBorder.test(line) && isBlank(lines[index + 1]);
  seen.lastTableEnd ??= lines.findLastIndex(ends);
  if (seen.lastTableEnd <= at) return runEnd(lines, at, (line) => !isBlank(line));
  let after = at + 1;
  while (!ends(lines[after] ?? '', after)) after++;
  return after + 1;
}

function runEnd(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  let after = at + 1;
  while (after < lines.length && belongs(lines[after] ?? '')) after++;
  return after;
}
