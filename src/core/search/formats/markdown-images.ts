import type { MarkdownIt } from 'markdown-it';
import type { ImageRef } from '../document.ts';

/** Link reference definitions, by normalised label. */
export type References = Readonly<Record<string, { readonly href: string }>>;

/** Pictures of a run of inline Markdown, and whether there is nothing but pictures (bare, or each the text of a link). */
export interface InlineImages {
  readonly images: readonly ImageRef[];
  readonly only: boolean;
}

const none: InlineImages = { images: [], only: false };
const maxTitle = 1000;
const imgTag = /(?<!\\)<(?:img|Image)\b[^<>]*>/gi;
const otherTag = /<[^<>]*>/g;
const emptyLink = /\[\s*\](?:\([^()\s]*\)|\[[^[\]]*\])?/g;

/** Finds `![alt](url "title")`, `![alt][label]`, `![label]` and `<img>`, outside code spans, in linear time. */
export function inlineImages(content: string, md: MarkdownIt, references: References): InlineImages {
  if (!content.includes('![') && !/<img|<image/i.test(content)) return none;
  const images: ImageRef[] = [];
  const rest: string[] = [];
  let from = 0;
  for (const span of markdownSpans(content, md, references)) {
    rest.push(content.slice(from, span.start));
    images.push({ locator: span.locator, alt: span.alt });
    from = span.end;
  }
  rest.push(content.slice(from));
  const tags = htmlImages(rest.join(''));
  const left = tags.rest.replace(otherTag, '').replace(emptyLink, '').trim();
  const all = images.concat(tags.images);
  return { images: all, only: all.length > 0 && left === '' };
}

/** Pictures of `<img>` tags (and JSX `<Image>`), and the text without those tags. */
export function htmlImages(html: string): { images: ImageRef[]; rest: string } {
  const images: ImageRef[] = [];
  const rest = html.replace(imgTag, (tag) => {
    const locator = attribute(tag, 'src');
    if (!locator) return tag;
    images.push({ locator, alt: attribute(tag, 'alt') ?? '' });
    return '';
  });
  return { images, rest };
}

function attribute(tag: string, name: string): string | undefined {
  const match = new RegExp(
    `\\s${name}\\s*=\\s*(?:\\{\\s*(?:require\\()?\\s*)?(?:"([^"]*)"|'([^']*)'|([^\\s"'>{}]+))`,
    'i',
  );
  const found = match.exec(tag);
  return (found?.[1] ?? found?.[2] ?? found?.[3])?.trim();
}

interface Span extends ImageRef {
  readonly start: number;
  readonly end: number;
}

function* markdownSpans(content: string, md: MarkdownIt, references: References): Generator<Span> {
  const open: { at: number; image: boolean }[] = [];
  const closers = codeSpanClosers(content);
  let done = 0;
  for (let at = 0; at < content.length; at++) {
    const unit = content[at];
    if (unit === '\\') at++;
    else if (unit === '`') at = closers(at);
    else if (unit === '[') open.push({ at, image: at > done && content[at - 1] === '!' });
    else if (unit === ']') {
      const bracket = open.pop();
      if (!bracket?.image || bracket.at <= done - 1) continue;
      const alt = content.slice(bracket.at + 1, at);
      const target = destination(content, at + 1, md) ?? reference(content, at + 1, alt, md, references);
      if (!target) continue;
      yield { start: bracket.at - 1, end: target.end, locator: target.locator, alt: alt.replace(/\s+/g, ' ').trim() };
      at = target.end - 1;
      done = target.end;
    }
  }
}

/** For the offset of a backtick: the offset of the last backtick of the code span it opens, or of its own run. */
function codeSpanClosers(content: string): (at: number) => number {
  const runs = new Map<number, number[]>();
  for (const match of content.matchAll(/`+/g)) {
    const starts = runs.get(match[0].length);
    if (starts) starts.push(match.index);
    else runs.set(match[0].length, [match.index]);
  }
  const next = new Map<number, number>();
  return (at) => {
    let length = 1;
    while (content[at + length] === '`') length++;
    const starts = runs.get(length) ?? [];
    let index = next.get(length) ?? 0;
    while (index < starts.length && (starts[index] ?? 0) <= at) index++;
    next.set(length, index);
    const close = starts[index];
    return (close ?? at) + length - 1;
  };
}

function destination(content: string, at: number, md: MarkdownIt): { locator: string; end: number } | undefined {
  if (content[at] !== '(') return undefined;
  const start = skipSpace(content, at + 1);
  const url = md.helpers.parseLinkDestination(content, start, content.length);
  if (!url.ok) return undefined;
  let end = skipSpace(content, url.pos);
  if (end > url.pos) {
    const title = md.helpers.parseLinkTitle(content, end, Math.min(content.length, end + maxTitle));
    if (title.ok) end = skipSpace(content, title.pos);
  }
  return content[end] === ')' && url.str ? { locator: url.str, end: end + 1 } : undefined;
}

function reference(content: string, at: number, alt: string, md: MarkdownIt, references: References) {
  const close = content[at] === '[' ? content.indexOf(']', at) : -1;
  const label = close - at > 1 && close - at < maxTitle ? content.slice(at + 1, close) : alt;
  if (label.length > maxTitle) return undefined;
  const key = md.utils.normalizeReference(label);
  const found = Object.hasOwn(references, key) ? references[key] : undefined;
  return found && { locator: found.href, end: close === -1 ? at : close + 1 };
}

function skipSpace(content: string, at: number): number {
  while (content[at] === ' ' || content[at] === '\n' || content[at] === '\t') at++;
  return at;
}
