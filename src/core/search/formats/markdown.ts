import createMarkdown, { type Env, type MarkdownIt, type StateBlock, type Token } from 'markdown-it';
import type { Block, BlockKind, Reader, SourceDocument } from '../document.ts';
import { lineStarts, tile } from './blocks.ts';
import { decodeText } from './decode.ts';
import { frontMatter } from './front-matter.ts';
import { dedentJsx } from './jsx.ts';
import { htmlImages, inlineImages, type References } from './markdown-images.ts';

const maxHeading = 1000;

/** Reads Markdown and MDX (`.mdx`, where indentation makes no code). */
export const readMarkdown: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const { text, warnings } = decodeText(bytes, path);
  return markdownDocument(text, { mdx: path.toLowerCase().endsWith('.mdx'), warnings });
};

/** Markdown that is already text, as a document. For formats that are turned into Markdown first, too. */
export function markdownDocument(
  text: string,
  options: { mdx?: boolean; warnings?: readonly string[]; title?: string } = {},
): SourceDocument {
  const front = frontMatter(text);
  const blocks: Block[] = front.end > 0 ? [{ kind: 'text', start: 0, end: front.end }] : [];
  for (const block of markdownBlocks(text.slice(front.end), options.mdx ?? false)) {
    blocks.push({ ...block, start: block.start + front.end, end: block.end + front.end });
  }
  const title = options.title || front.title || blocks.find((block) => block.heading)?.heading || '';
  return { title, text, blocks: tile(text, blocks), warnings: [...(options.warnings ?? []), ...front.warnings] };
}

function markdownBlocks(text: string, mdx: boolean): Block[] {
  const md = mdx ? mdxParser : parser;
  const env: Env = {};
  const lines = text.split('\n');
  const parsed = dedentJsx(lines);
  const tokens = md.parse(parsed === lines ? text : parsed.join('\n'), env);
  const starts = lineStarts(text);
  const at = (line: number): number => starts[Math.min(line, starts.length - 1)] ?? text.length;
  return runs(tokens).map((run) => {
    const [first, last] = run.lines;
    return { ...describe(run.tokens, md, env.references ?? {}), start: at(first), end: at(last) };
  });
}

interface Run {
  readonly lines: readonly [number, number];
  readonly tokens: Token[];
}

/** Groups tokens into outermost blocks; of a list, each outermost item is a block. */
function runs(tokens: readonly Token[]): Run[] {
  const found: Run[] = [];
  for (const token of tokens) {
    const item = token.level === 1 && token.type === 'list_item_open';
    if (token.map && (token.level === 0 || item) && !listOpen(token)) found.push({ lines: token.map, tokens: [token] });
    else found.at(-1)?.tokens.push(token);
  }
  return found;
}

function listOpen(token: Token): boolean {
  return token.type === 'bullet_list_open' || token.type === 'ordered_list_open';
}

function describe(tokens: readonly Token[], md: MarkdownIt, references: References): Omit<Block, 'start' | 'end'> {
  const [first] = tokens;
  if (!first) return { kind: 'text' };
  if (first.type === 'heading_open') {
    return { kind: 'heading', level: Number(first.tag.slice(1)), ...headingText(tokens[1]?.content ?? '', md) };
  }
  if (first.type === 'html_block') return describeHtml(first.content);
  const found = tokens
    .filter((token) => token.type === 'inline' || token.type === 'html_block')
    .map((token) => inlineImages(token.content, md, references));
  const images = found.flatMap((part) => part.images);
  const kind =
    first.type === 'paragraph_open' && found.every((part) => part.only) ? 'image' : (kinds[first.type] ?? 'text');
  return images.length > 0 ? { kind, images } : { kind };
}

const kinds: Readonly<Record<string, BlockKind>> = {
  fence: 'code',
  code_block: 'code',
  table_open: 'table',
  list_item_open: 'list-item',
};

function describeHtml(html: string): Omit<Block, 'start' | 'end'> {
  const heading = /^\s*<h([1-6])\b[^<>]*>([\s\S]{0,1000}?)<\/h\1\s*>/i.exec(html);
  const { images, rest } = htmlImages(html);
  const text = (heading?.[2] ?? '').replace(/<[^<>]*>/g, '').trim();
  if (heading && text) {
    return {
      kind: 'heading',
      level: Number(heading[1]),
      heading: text.replace(/\s+/g, ' '),
      ...(images.length > 0 && { images }),
    };
  }
  if (images.length === 0) return { kind: /^\s*<table\b/i.test(html) ? 'table' : 'text' };
  return { kind: rest.replace(/<[^<>]*>/g, '').trim() === '' ? 'image' : 'text', images };
}

/** A heading's plain text: what a reader of the page would see, without the `{#id}` some generators take. */
function headingText(source: string, md: MarkdownIt): Pick<Block, 'heading'> {
  const content = source.slice(0, maxHeading).replace(/\s*\{\s*[#.:][^{}]*\}\s*$/, '');
  const tokens: Token[] = [];
  md.inline.parse(content, md, {}, tokens);
  const parts = tokens.map((token) => {
    if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
    return token.type === 'html_inline' ? '' : token.content;
  });
  return { heading: parts.join('').replace(/\s+/g, ' ').trim() };
}

/** The `table` rule without a token for every cell: a table of a million rows must not cost gigabytes. */
function table(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const line = (number: number): string => state.getLines(number, number + 1, state.blkIndent, false).trim();
  const indented = (number: number): boolean => (state.sCount[number] ?? 0) - state.blkIndent >= 4;
  const outside = (number: number): boolean => (state.sCount[number] ?? 0) < state.blkIndent;
  if (start + 2 > end || outside(start + 1) || indented(start) || indented(start + 1)) return false;
  const delimiter = line(start + 1);
  if (!/^[|:-][-|: \t]*$/.test(delimiter) || !delimiter.includes('-')) return false;
  const cells = columns(delimiter);
  const header = line(start);
  if (!header.includes('|') || columns(header).length !== cells.length) return false;
  if (!cells.every((cell) => /^:?-+:?$/.test(cell.trim()))) return false;
  if (silent) return true;
  const terminators = state.md.block.ruler.getRules('blockquote');
  let next = start + 2;
  while (next < end && !outside(next) && !indented(next) && !state.isEmpty(next)) {
    const at = next;
    if (terminators.some((rule) => rule(state, at, end, true))) break;
    next++;
  }
  state.push('table_open', 'table', 0).map = [start, next];
  const content = state.push('inline', '', 0);
  content.content = state.getLines(start, next, state.blkIndent, false);
  content.children = [];
  state.line = next;
  return true;
}

function columns(row: string): string[] {
  return row
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
}

function createParser(): MarkdownIt {
  const md = createMarkdown({ html: true, maxNesting: 40 });
  md.core.ruler.enableOnly(['normalize', 'block']);
  md.block.ruler.at('table', table, { alt: ['paragraph', 'reference'] });
  return md;
}

const parser = createParser();
const mdxParser = createParser();
mdxParser.block.ruler.disable('code');
