import type { Env, MarkdownIt, Token } from 'markdown-it';
import type { Block, BlockKind, Reader, SourceDocument } from '../document.ts';
import { lineStarts, tile } from './blocks.ts';
import { decodeText } from './decode.ts';
import { frontMatter } from './front-matter.ts';
import { flattenJsx } from './jsx.ts';
import { htmlImages, inlineImages, type References } from './markdown-images.ts';
import { markdownParser, mdxParser } from './markdown-parser.ts';

/** Characters of a heading that are read; what is longer is no heading but an accident. */
const maxHeading = 500;

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
  const md = mdx ? mdxParser : markdownParser;
  const env: Env = {};
  const lines = text.split('\n');
  const parsed = flattenJsx(lines, mdx);
  const tokens = md.parse(parsed === lines ? text : parsed.join('\n'), env);
  const starts = lineStarts(text);
  const at = (line: number): number => starts[Math.min(line, starts.length - 1)] ?? text.length;
  const found = runs(tokens);
  return found.map((run, index) => {
    const end = found[index + 1]?.line ?? starts.length;
    return { ...describe(run.tokens, md, env.references ?? {}), start: at(run.line), end: at(end) };
  });
}

interface Run {
  readonly line: number;
  readonly tokens: Token[];
}

/** Groups tokens into outermost blocks; of a list, each outermost item is a block. */
function runs(tokens: readonly Token[]): Run[] {
  const found: Run[] = [];
  for (const token of tokens) {
    // A link reference definition shows nothing: it stays with the block before it.
    if (token.type === 'reference_definition') continue;
    const item = token.level === 1 && token.type === 'list_item_open';
    if (token.map && (token.level === 0 || item) && !listOpen(token))
      found.push({ line: token.map[0], tokens: [token] });
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
  const content = source.slice(0, maxHeading).replace(/\{\s*[#.:][^{}]*\}\s*$/, '');
  const tokens: Token[] = [];
  md.inline.parse(content, md, {}, tokens);
  const parts = tokens.map((token) => {
    if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
    return token.type === 'html_inline' ? '' : token.content;
  });
  return { heading: parts.join('').replace(/\s+/g, ' ').trim() };
}
